import type { Migration } from 'kysely/migration'

/** How often codes were sent to an address, or guessed at it. */
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
