import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/all.ts'
import type { Tables } from './tables.ts'

/**
 * Applies what is missing, each migration once, under a lock. A database that a newer version has changed is
 * refused: this version would not understand it.
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error)
    throw error instanceof Error ? error : new Error('the database could not be migrated', { cause: error })
}
