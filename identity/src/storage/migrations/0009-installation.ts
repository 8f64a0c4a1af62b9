import type { Migration } from 'kysely/migration'

/** One row: which database this is, and when a process has last written to it. */
export const installation: Migration = {
  async up(db) {
    await db.schema
      .createTable('installation')
      .addColumn('singleton', 'text', (c) => c.primaryKey())
      .addColumn('id', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('heartbeat_at', 'text', (c) => c.notNull())
      .execute()
  },
}
