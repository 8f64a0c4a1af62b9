import type { Migration } from 'kysely/migration'

/** One row for each running process: which secrets it knows, as fingerprints. */
export const replicas: Migration = {
  async up(db) {
    await db.schema
      .createTable('replicas')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('secrets', 'text', (c) => c.notNull())
      .addColumn('seen_at', 'text', (c) => c.notNull())
      .execute()
  },
}
