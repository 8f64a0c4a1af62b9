import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Finds accounts that were never verified without reading all others. */
export const unverifiedAddresses: Migration = {
  async up(db) {
    await db.schema
      .createIndex('addresses_unverified')
      .on('addresses')
      .columns(['created_at', 'id'])
      .where(sql.ref('purpose'), '=', sql.lit('verification'))
      .where(sql.ref('status'), '!=', sql.lit('completed'))
      .execute()
  },
}
