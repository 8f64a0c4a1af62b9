import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { rootOf } from '../../errors/errors.ts'
import { isPostgres } from '../database.ts'
import { causeOf, isMissingTable, isPassing, repeatConflicts } from '../driver-errors.ts'
import type { Tables } from '../tables.ts'
import { firstTables } from './0001-tables.ts'
import { changedMembers } from './0002-changed-members.ts'

/** Released migrations must not change. */
export type Migrations = Readonly<Record<string, Migration>>

/** New tables begin with `identity_`, because a product may use any other name (decision 18). */
export const migrations: Migrations = {
  '0001-tables': firstTables,
  '0002-changed-members': changedMembers,
}

/** With `migrates: false`: the database needs migrations first. */
export class PendingMigrations extends Error {}

/** Waits this long for another migration or a long transaction. */
export const PATIENCE_MS = 60_000
const RETRY_MS = 500
/** A waiting lock request blocks everyone behind it, so it times out early and is retried. */
export const LOCK_WAIT_MS = 2000
/** The lock of Kysely. */
const LOCK_ID = 3853314791062309107n

export interface MigrationSources {
  /** The service's own. Empty for a database of a product alone. */
  readonly known?: Migrations | undefined
  /** Those of the product's tables in this database. */
  readonly product?: Migrations | undefined
}

interface Options extends MigrationSources {
  readonly patience?: number
}

interface MigrationList {
  readonly table: string
  readonly prefix: string
  readonly known: Migrations
}

const PRODUCT_LIST = { table: 'product_migration', prefix: 'product/' }

/** Separate tables let the service and the product number their migrations independently. */
function listsOf({ known = migrations, product = {} }: MigrationSources): readonly MigrationList[] {
  const lists = [
    { table: 'kysely_migration', prefix: '', known },
    { ...PRODUCT_LIST, known: product },
  ]
  return lists.filter(({ known }) => Object.keys(known).length > 0)
}

/**
 * Each list in one transaction under a lock, because replicas start together and a killed process
 * must leave nothing half done. Returns the applied names. Throws for an incompatible database, or
 * after waiting `patience` milliseconds.
 */
export async function migrate(
  db: Kysely<Tables>,
  { patience = PATIENCE_MS, ...sources }: Options = {},
): Promise<string[]> {
  const end = performance.now() + patience
  const appliedNames: string[] = []
  for (const list of listsOf(sources)) {
    const names = await untilUnlocked(async () => {
      const pending = await pendingOf(db, list)
      if (pending.length > 0) await applyAll(db, list)
      return pending
    }, end)
    appliedNames.push(...names)
  }
  return appliedNames
}

/** Throws `PendingMigrations`, or an error for an incompatible database. */
export async function assertMigrated(db: Kysely<Tables>, sources: MigrationSources = {}): Promise<void> {
  const pending = await listPending(db, sources)
  if (pending.length === 0) return
  const count = pending.length === 1 ? '1 migration' : `${pending.length} migrations`
  throw new PendingMigrations(`The database lacks ${count} (${pending.join(', ')})`)
}

/** Throws for an incompatible database. */
export async function listPending(db: Kysely<Tables>, sources: MigrationSources = {}): Promise<string[]> {
  const pending: string[] = []
  for (const list of listsOf(sources)) pending.push(...(await pendingOf(db, list)))
  return pending
}

/** Applied migrations of the product that it no longer lists. */
export async function listUnlisted(
  db: Kysely<Tables>,
  { product = {} }: MigrationSources,
): Promise<string[]> {
  const list = { ...PRODUCT_LIST, known: product }
  const names = await listApplied(db, list)
  return names.filter((name) => !Object.hasOwn(product, name)).map((name) => list.prefix + name)
}

async function pendingOf(db: Kysely<Tables>, list: MigrationList): Promise<string[]> {
  const appliedNames = await listApplied(db, list)
  const names = Object.keys(list.known)
  if (list.prefix === '' && appliedNames.length === 0) await assertNotKratos(db)
  if (list.prefix === '') assertReleased(appliedNames, names)
  assertCompatible(appliedNames, names)
  return names.filter((name) => !appliedNames.includes(name)).map((name) => list.prefix + name)
}

/** Databases from before the first release cannot be upgraded. */
function assertReleased(applied: readonly string[], [first = '']: readonly string[]): void {
  if (applied.length > 0 && !applied.includes(first))
    throw new Error(
      'a version before the first release created it: export the accounts with that version, then import them with this one into a new database',
    )
}

/**
 * A newer version only adds. A removal's name ends with the migration that a program must know, as
 * in `0031-drop-old-names-after-0029` (docs/operations.md, "Upgrade").
 */
function assertCompatible(applied: readonly string[], knownNames: readonly string[]): void {
  const newest = knownNames.at(-1) ?? ''
  const breaking = applied.filter((name) => {
    const needs = /-after-(\d{4})$/.exec(name)?.[1]
    return !knownNames.includes(name) && needs !== undefined && needs > newest.slice(0, 4)
  })
  if (breaking.length > 0)
    throw new Error(
      `a newer version has removed what this one needs (${breaking.sort().join(', ')}): start that version, or restore a backup from before it`,
    )
}

/** Some of its tables have the same names. */
async function assertNotKratos(db: Kysely<Tables>): Promise<void> {
  if ((await rowsUnlessMissing(db, 'identity_credential_types')) !== undefined)
    throw new Error(
      'it belongs to Ory Kratos. Name another one, and copy the accounts with --from-kratos-database (docs/migrate-from-kratos.md)',
    )
}

/** The driver's error lacks the cause and the remedy. */
export async function assertAppliable(db: Kysely<Tables>, sources: MigrationSources): Promise<void> {
  for (const list of listsOf(sources))
    if ((await pendingOf(db, list)).length > 0) await assertListAppliable(db, list)
}

async function assertListAppliable(db: Kysely<Tables>, { table, prefix }: MigrationList): Promise<void> {
  const schema = isPostgres(db) ? await assertCreates(db) : undefined
  const tables = (await db.introspection.getTables({ withInternalKyselyTables: true }))
    .filter((one) => one.schema === schema)
    .map(({ name }) => name)
  const foreign = TYPICAL_TABLES.find((name) => tables.includes(name))
  if (prefix === '' && !tables.includes(table) && foreign !== undefined)
    throw new Error(`it has a table ${foreign} of another program. Name an empty database`)
}

const TYPICAL_TABLES = ['sessions', 'identities', 'credentials', 'messages', 'events', 'errors']

/** Since PostgreSQL 15, only the owner of a database may create tables in it. */
async function assertCreates(db: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ schema: string | null; database: string; role: string; may: boolean | null }>`
    select current_schema() as schema, current_database() as database, current_user as role,
      has_schema_privilege(current_schema(), 'create') as may`.execute(db)
  const [{ schema, database, role, may } = { schema: null, may: true }] = rows
  const name = schema ?? 'public'
  if (may) return name
  throw new Error(
    `permission denied for schema ${name}. Run \`alter database "${database}" owner to "${role}"\`, or \`grant create on schema ${name} to "${role}"\``,
  )
}

async function listApplied(db: Kysely<Tables>, { table }: MigrationList): Promise<string[]> {
  return (await rowsUnlessMissing(db, table))?.map(({ name }) => name) ?? []
}

async function rowsUnlessMissing(db: Kysely<Tables>, table: string) {
  try {
    return (await sql<{ name: string }>`select name from ${sql.table(table)}`.execute(db)).rows
  } catch (error) {
    if (isMissingTable(error)) return undefined
    throw error
  }
}

async function applyAll(db: Kysely<Tables>, list: MigrationList): Promise<void> {
  const { table, known } = list
  // Kysely must know every migration that another process has applied meanwhile.
  const names = new Set([...Object.keys(known), ...(await listApplied(db, list))])
  const noop = { up: async () => {} }
  const all = Object.fromEntries([...names].sort().map((name) => [name, known[name] ?? noop]))
  const provider = { getMigrations: async () => all }
  const tables = { migrationTableName: table, migrationLockTableName: `${table}_lock` }
  const apply = async (db: Kysely<Tables>) => {
    if (isPostgres(db)) await lockMigrations(db)
    await assertListAppliable(db, list)
    const migrator = new Migrator({ db, provider, allowUnorderedMigrations: true, ...tables })
    const { error, results = [] } = await migrator.migrateToLatest()
    const failed = results.find(({ status }) => status === 'Error')?.migrationName
    if (!error) return
    if (failed === undefined || isPassing(causeOf(error))) throw error
    throw new Error(explainFailure(error, failed, list, [...names]))
  }
  await repeatConflicts(() => db.transaction().execute(apply))
}

function explainFailure(
  error: unknown,
  failed: string,
  { prefix, known }: MigrationList,
  names: readonly string[],
): string {
  const unlisted = names.filter((name) => !Object.hasOwn(known, name)).map((name) => prefix + name)
  const advice =
    unlisted.length > 0
      ? `${unlisted.join(', ')} was applied here and is no longer listed: a migration that was applied keeps its name`
      : 'Nothing of it was kept: correct it, then start again'
  return `the migration ${prefix}${failed} failed (${rootOf(error)}). ${advice}`
}

/** Until the end of the transaction, because a pooler may give the next one another connection. */
export async function lockMigrations(db: Kysely<Tables>): Promise<void> {
  // A role may have a statement timeout.
  await sql`select set_config('lock_timeout', ${`${LOCK_WAIT_MS}`}, true),
    set_config('statement_timeout', '0', true)`.execute(db)
  await sql`select pg_advisory_xact_lock(${sql.lit(LOCK_ID)})`.execute(db)
}

export async function untilUnlocked<T>(work: () => Promise<T>, end: number): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (cause) {
      if (causeOf(cause) !== 'lock') throw cause
      if (performance.now() > end)
        throw new Error(
          'another process migrates it, or holds a lock on its tables: let that end, then start again',
        )
      await sleep(RETRY_MS)
    }
  }
}
