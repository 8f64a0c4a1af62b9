import type { Migration } from 'kysely/migration'

/** For the operator's search by a part of an address: accounts without credentials have no identifier to find. */
export const addressSearch: Migration = {
  async up(db) {
    await db.schema
      .createIndex('addresses_by_identity_id_value')
      .on('addresses')
      .columns(['identity_id', 'value'])
      .execute()
    await db.schema.dropIndex('addresses_by_identity_id').execute()
  },
}
