import type { Migration } from 'kysely/migration'

/** For the operator's search by a part of an identifier: it reads this index alone, in the order of its pages. */
export const identifierSearch: Migration = {
  async up(db) {
    await db.schema
      .createIndex('credential_identifiers_by_identity_id_identifier')
      .on('credential_identifiers')
      .columns(['identity_id', 'identifier'])
      .execute()
    await db.schema.dropIndex('credential_identifiers_by_identity_id').execute()
  },
}
