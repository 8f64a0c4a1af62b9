import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Lists the newest or oldest accounts without sorting all of them. */
export const identitiesByAge: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createIndex('identities_by_created_at')
      .on('identities')
      .columns(['created_at', 'id'])
      .execute()
  },
}
