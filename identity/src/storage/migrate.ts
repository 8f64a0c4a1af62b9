import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'

/**
 * Applies missing migrations in one transaction under a lock: replicas may start together, and a killed one leaves
 * nothing behind. Throws if a newer version has migrated the database.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const applied = await listApplied(db)
  const unknown = applied.filter((name) => !(name in migrations))
  if (unknown.length > 0)
    throw new Error(`a newer version has migrated it (${unknown.sort().join(', ')}): start that version`)
  if (applied.length === Object.keys(migrations).length) return
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error)
    throw error instanceof Error ? error : new Error('the database could not be migrated', { cause: error })
}

async function listApplied(db: Kysely<Tables>): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    return rows.map(({ name }) => name)
  } catch {
    // The table does not exist yet. Any other problem makes the first migration fail.
    return []
  }
}
