import type { Migration } from 'kysely/migration'

/** Accounts scheduled for deletion, until the date comes or their owner signs in again. */
export const accountDeletion: Migration = {
  async up(db) {
    await db.schema
      .createTable('account_deletions')
      .addColumn('identity_id', 'text', (c) => c.primaryKey().references('identities.id').onDelete('cascade'))
      .addColumn('requested_at', 'text', (c) => c.notNull())
      .addColumn('due_at', 'text', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('account_deletions_by_due_at')
      .on('account_deletions')
      .columns(['due_at'])
      .execute()
  },
}
