import type { Migration } from 'kysely/migration'

/** What the budgets of an hour count: codes sent to an address and guesses at it. */
export const codeUses: Migration = {
  async up(db) {
    await db.schema
      .createTable('code_uses')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('budget', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('code_uses_by_budget_created_at')
      .on('code_uses')
      .columns(['budget', 'created_at'])
      .execute()
    await db.schema.createIndex('code_uses_by_created_at').on('code_uses').columns(['created_at']).execute()
  },
}
