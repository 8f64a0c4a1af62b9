import type { Migration } from 'kysely/migration'

/** Of imported accounts. */
export const organizations: Migration = {
  async up(db) {
    await db.schema.alterTable('identities').addColumn('organization_id', 'text').execute()
    await db.schema
      .createIndex('identities_by_organization_id')
      .on('identities')
      .column('organization_id')
      .where('organization_id', 'is not', null)
      .execute()
  },
}
