import type { Migration } from 'kysely/migration'

/** What an HTTP request is told of a message beside its text. */
export const messageData: Migration = {
  async up(db) {
    await db.schema.alterTable('messages').addColumn('template_data', 'text').execute()
  },
}
