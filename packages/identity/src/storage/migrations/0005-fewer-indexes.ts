import type { Migration } from 'kysely/migration'

/** One index of sessions replaces two, and no statement orders accounts by their creation. */
export const fewerIndexes: Migration = {
  async up(db) {
    await db.schema
      .createIndex('sessions_by_identity_id_revoked_at_issued_at')
      .on('sessions')
      .columns(['identity_id', 'revoked_at', 'issued_at'])
      .execute()
    for (const name of [
      'sessions_by_identity_id_live',
      'sessions_by_identity_id_issued_at',
      'identities_by_created_at_id',
    ])
      await db.schema.dropIndex(name).execute()
  },
}
