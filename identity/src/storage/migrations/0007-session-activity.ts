import type { Migration } from 'kysely/migration'

/** When a session was last used, to the minute; null for those from before. */
export const sessionActivity: Migration = {
  async up(db) {
    await db.schema.alterTable('sessions').addColumn('last_active_at', 'text').execute()
  },
}
