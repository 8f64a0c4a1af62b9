import type { Migration } from 'kysely/migration'

/** Without references, so that calls outlive the accounts they deleted. */
export const adminCalls: Migration = {
  async up(db) {
    await db.schema
      .createTable('identity_admin_calls')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .addColumn('operator', 'text')
      .addColumn('method', 'text', (c) => c.notNull())
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('identity_id', 'text')
      .addColumn('client_address', 'text', (c) => c.notNull())
      .addColumn('request_id', 'text', (c) => c.notNull())
      .execute()
    await db.schema
      .createIndex('identity_admin_calls_by_time')
      .on('identity_admin_calls')
      .columns(['created_at', 'id'])
      .execute()
  },
}
