import { existsSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { rootOf } from '../errors/errors.ts'
import { Database, isPostgres } from './database.ts'
import { type DatabaseWatch, UNWATCHED } from './database-watch.ts'
import { repeatConflicts } from './driver-errors.ts'
import { assertMigrated, type MigrationSources, migrate } from './migrations/migrate.ts'
import { describePostgres, isPostgresDsn } from './postgres/dsn.ts'
import { buildSearchIndexes, hasSearchIndexes } from './postgres/search-indexes.ts'
import { sqlitePath, tightenFiles, watchPlace } from './sqlite/file.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

type Warn = (sentence: string) => void

interface Opening extends MigrationSources {
  /** Runs before the migrations, so that a database that it rejects stays as it is. */
  readonly check?: ((db: Db) => Promise<void>) | undefined
  readonly warn?: Warn
  readonly migrates?: boolean
  readonly watch?: DatabaseWatch
  readonly workers?: number
  /** Bytes of another database, for an in-memory SQLite database. */
  readonly image?: Uint8Array
  /** Another worker has already checked the database. */
  readonly inUse?: boolean
}

/**
 * Accepts `memory`, a file path, `sqlite://path` or `postgres://…`, and ignores Ory Kratos'
 * parameters for other drivers. Migrates, or throws `PendingMigrations` with `migrates: false`.
 */
export async function openDatabase(
  dsn: string,
  {
    migrates = true,
    watch = UNWATCHED,
    workers = 1,
    known: knownMigrations,
    product,
    warn,
    check,
    ...how
  }: Opening = {},
): Promise<Database> {
  const prepare = async (db: Db) => {
    await check?.(db)
    await (migrates ? migrate : assertMigrated)(db, { known: knownMigrations, product })
    if (!knownMigrations && !how.inUse) await prepareSearch(db, migrates, warn)
  }
  if (!isPostgresDsn(dsn)) {
    const { openSqlite } = await sqlite()
    const db = openSqlite(sqlitePath(dsn), watch, { ...how, patience: patienceOf(dsn) })
    return await prepareDatabase(db, prepare)
  }
  const { openPostgres } = await postgres()
  await (await prepareDatabase(await openForMigration(dsn), prepare)).destroy()
  return openPostgres(dsn, watch, { workers })
}

/** Returns the names of the applied migrations. */
export async function migrateDatabase(
  dsn: string,
  { warn, check, ...sources }: MigrationSources & Pick<Opening, 'warn' | 'check'> = {},
): Promise<string[]> {
  let applied: string[] = []
  const db = await prepareDatabase(await openForMigration(dsn), async (db) => {
    await check?.(db)
    applied = await migrate(db, sources)
    if (!sources.known) await prepareSearch(db, true, warn)
  })
  await db.destroy()
  return applied
}

/** Without its indexes, a search reads every account. */
async function prepareSearch(db: Db, builds: boolean, warn: Warn = () => {}): Promise<void> {
  if (!isPostgres(db) || (await hasSearchIndexes(db))) return
  const failure = builds ? await buildSearchIndexes(db).catch((error: unknown) => ` (${rootOf(error)})`) : ''
  if (failure !== undefined)
    warn(
      `search by a part of an address is slow, because its indexes are missing${failure}. Run "create extension if not exists pg_trgm" as the owner of the database, then migrate it`,
    )
}

/** One connection, without statement timeout. */
export async function openForMigration(dsn: string): Promise<Database> {
  return isPostgresDsn(dsn)
    ? prepareDatabase((await postgres()).openForMigration(dsn), assertWritable)
    : (await sqlite()).openSqlite(sqlitePath(dsn), UNWATCHED)
}

/** A database of another program, which stays as it is. */
export async function openForReading(dsn: string): Promise<Database> {
  return isPostgresDsn(dsn)
    ? (await postgres()).openForMigration(dsn)
    : (await sqlite()).openForReading(sqlitePath(dsn))
}

async function assertWritable(db: Db): Promise<void> {
  const { rows } = await sql<{ transaction_read_only: string }>`show transaction_read_only`.execute(db)
  if (rows[0]?.transaction_read_only === 'on')
    throw new Error('it accepts no writes, as on a standby. Use the address of the primary')
}

function sqlite() {
  return import('./sqlite/sqlite.ts')
}

/** A dynamic import, so that SQLite deployments start without the PostgreSQL driver. */
function postgres() {
  return import('./postgres/postgres.ts')
}

async function prepareDatabase(db: Database, prepare: (db: Db) => Promise<unknown>): Promise<Database> {
  try {
    await prepare(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Removes group and other permissions. Returns the changed files. */
export function tightenDatabase(dsn: string): string[] {
  return isPostgresDsn(dsn) ? [] : tightenFiles(sqlitePath(dsn))
}

export function watchDatabaseFile(dsn: string): () => void {
  return isPostgresDsn(dsn) || isInMemory(dsn) ? () => {} : watchPlace(sqlitePath(dsn))
}

function patienceOf(dsn: string): number | undefined {
  return Number(/[?&]_busy_timeout=(\d+)/.exec(dsn)?.[1]) || undefined
}

/** Opening a missing file would create it. */
export function isMissingFile(dsn: string): boolean {
  return !isPostgresDsn(dsn) && !isInMemory(dsn) && !existsSync(sqlitePath(dsn))
}

export function isInMemory(dsn: string): boolean {
  return !isPostgresDsn(dsn) && sqlitePath(dsn) === ':memory:'
}

/** The `dsn` without its password. */
export function describeDatabase(dsn: string): string {
  if (isPostgresDsn(dsn)) return describePostgres(dsn)
  const path = sqlitePath(dsn)
  return path === ':memory:' ? 'in memory, lost at exit' : path
}

/** Joins an open transaction. Repeats `work` after a conflict. */
export async function withTransaction<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return await work(db)
  return await repeatConflicts(() => db.transaction().execute(work))
}

/** Inside a transaction, returns its own connection. */
export function sessionLookupDb(db: Db): Db {
  return db instanceof Database ? db.sessionLookupDb : db
}
