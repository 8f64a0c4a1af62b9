import { PostgresAdapter, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Counting an attempt changes no index, so PostgreSQL can update the row within its page (HOT). */
export const limitUpdates: Migration = {
  async up(db) {
    await db.schema.dropIndex('limits_by_until').execute()
    if (db.getExecutor().adapter instanceof PostgresAdapter)
      await sql`alter table limits set (fillfactor = 70)`.execute(db)
  },
}
