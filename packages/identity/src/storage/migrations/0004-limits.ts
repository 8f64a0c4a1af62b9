import type { Migration } from 'kysely/migration'

/** One table for all rate limits, replacing the counts of codes and of flows. */
export const limits: Migration = {
  async up(db) {
    await db.schema
      .createTable('limits')
      .addColumn('key', 'text', (c) => c.primaryKey())
      .addColumn('next_at', 'double precision', (c) => c.notNull())
      .addColumn('until', 'double precision', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('limits_by_until').on('limits').columns(['until']).execute()
    await db.schema.dropTable('code_uses').execute()
    await db.schema.alterTable('flows').dropColumn('attempts').execute()
  },
}
