import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Each sign-in looks for the oldest live sessions of its user, among those that ended in the last months. */
export const liveSessions: Migration = {
  async up(db) {
    await db.schema
      .createIndex('sessions_by_identity_id_live')
      .on('sessions')
      .columns(['identity_id', 'issued_at'])
      .where(sql.ref('revoked_at'), 'is', null)
      .execute()
  },
}
