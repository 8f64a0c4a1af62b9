import type { Migration } from 'kysely/migration'

/** For the operator's list of all sessions, and for deleting a session with its exchanges. */
export const listIndexes: Migration = {
  async up(db) {
    await db.schema
      .createIndex('sessions_by_issued_at_id')
      .on('sessions')
      .columns(['issued_at desc', 'id'])
      .execute()
    await db.schema
      .createIndex('session_exchanges_by_session_id')
      .on('session_exchanges')
      .column('session_id')
      .execute()
  },
}
