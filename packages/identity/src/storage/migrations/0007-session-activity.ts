import type { Migration } from 'kysely/migration'

/** Last use of a session, to the minute; null for existing ones. */
export const sessionActivity: Migration = {
  async up(db) {
    await db.schema.alterTable('sessions').addColumn('last_active_at', 'text').execute()
  },
}
