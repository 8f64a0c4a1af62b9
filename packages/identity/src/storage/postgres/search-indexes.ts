import { type Kysely, sql } from 'kysely'
import { lockMigrations, PATIENCE_MS, untilUnlocked } from '../migrations/migrate.ts'
import type { Tables } from '../tables.ts'

type Db = Kysely<Tables>

const INDEXES = [
  { name: 'credential_identifiers_by_part', table: 'credential_identifiers', column: 'identifier' },
  { name: 'addresses_by_part', table: 'addresses', column: 'value' },
] as const

/** False without the extension, and after an interrupted build. */
export async function hasSearchIndexes(db: Db): Promise<boolean> {
  return await areValid(
    db,
    INDEXES.map(({ name }) => name),
  )
}

/**
 * Does not block writers, and so must run outside a transaction. Throws if the role may not create
 * the extension, or after waiting `patience` milliseconds for a lock.
 */
export async function buildSearchIndexes(db: Db, patience = PATIENCE_MS): Promise<void> {
  const build = async () => {
    await db.transaction().execute(prepareBuild)
    for (const { name, table, column } of INDEXES)
      await sql`create index concurrently if not exists ${sql.id(name)}
        on ${sql.table(table)} using gin (${sql.ref(column)} gin_trgm_ops)`.execute(db)
  }
  await untilUnlocked(build, performance.now() + patience)
}

async function prepareBuild(db: Db): Promise<void> {
  // Two processes that create the extension would conflict.
  await lockMigrations(db)
  await sql`create extension if not exists pg_trgm`.execute(db)
  for (const { name, table } of INDEXES) {
    // A build holds this lock, and waits for transactions such as this one. Without a build, an
    // invalid index was interrupted.
    await sql`lock table ${sql.table(table)} in share update exclusive mode nowait`.execute(db)
    if (!(await areValid(db, [name]))) await sql`drop index if exists ${sql.id(name)}`.execute(db)
  }
}

async function areValid(db: Db, names: readonly string[]): Promise<boolean> {
  const ids = sql.join(names.map((name) => sql`to_regclass(${name})`))
  const { rows } = await sql`select 1 from pg_index where indisvalid and indexrelid in (${ids})`.execute(db)
  return rows.length === names.length
}
