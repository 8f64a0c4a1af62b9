import type { Migration } from 'kysely/migration'

/** For log lines about a message. */
export const messageOrigin: Migration = {
  async up(db) {
    await db.schema.alterTable('messages').addColumn('identity_id', 'uuid').execute()
    await db.schema.alterTable('messages').addColumn('request_id', 'text').execute()
  },
}
