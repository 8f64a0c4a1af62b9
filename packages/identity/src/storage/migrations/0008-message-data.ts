import type { Migration } from 'kysely/migration'

/** Template data of messages that are sent by HTTP request. */
export const messageData: Migration = {
  async up(db) {
    await db.schema.alterTable('messages').addColumn('template_data', 'text').execute()
  },
}
