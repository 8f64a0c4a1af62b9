import type { Migration } from 'kysely/migration'

/** Counts of codes sent to and guessed for an address. */
export const codeUses: Migration = {
  async up(db) {
    await db.schema
      .createTable('code_uses')
      .addColumn('budget', 'text', (c) => c.notNull())
      .addColumn('started_at', 'text', (c) => c.notNull())
      .addColumn('count', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('code_uses_key', ['budget', 'started_at'])
      .execute()
    await db.schema.createIndex('code_uses_by_started_at').on('code_uses').columns(['started_at']).execute()
  },
}
