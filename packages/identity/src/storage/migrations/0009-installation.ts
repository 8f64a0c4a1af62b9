import type { Migration } from 'kysely/migration'

/** One row: the database's id, and the last heartbeat of a process. */
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
