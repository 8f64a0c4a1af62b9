import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'

/**
 * Applies what is missing, each migration once, in one transaction and under a lock: replicas may start together, and
 * one that is killed leaves nothing behind. A database that a newer version has changed is refused: this version
 * would not understand it.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (!error) return
  await assertNotNewer(db)
  throw error instanceof Error ? error : new Error('the database could not be migrated', { cause: error })
}

async function assertNotNewer(db: Kysely<Tables>): Promise<void> {
  // Where not even this can be read, the first error says why.
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`
    .execute(db)
    .catch(() => ({ rows: [] }))
  const unknown = rows.map(({ name }) => name).filter((name) => !(name in migrations))
  if (unknown.length > 0)
    throw new Error(`a newer version has changed it (${unknown.sort().join(', ')}): start that version`)
}
