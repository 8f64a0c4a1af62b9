import type { Migration } from 'kysely/migration'

/** Security events of an account, for its owner and for operators. */
export const events: Migration = {
  async up(db) {
    await db.schema
      .createTable('events')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('identity_id', 'text', (c) => c.notNull().references('identities.id').onDelete('cascade'))
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('method', 'text')
      .addColumn('aal', 'text')
      .addColumn('detail', 'text')
      .addColumn('client_address', 'text', (c) => c.notNull())
      .addColumn('user_agent', 'text', (c) => c.notNull())
      .addColumn('created_at', 'text', (c) => c.notNull())
      .execute()
    const page = ['identity_id', 'created_at', 'id']
    await db.schema.createIndex('events_by_identity_id').on('events').columns(page).execute()
    await db.schema.createIndex('events_by_created_at').on('events').columns(['created_at']).execute()
  },
}
