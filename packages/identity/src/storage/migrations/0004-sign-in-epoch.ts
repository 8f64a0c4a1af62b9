import type { Migration } from 'kysely/migration'

/** See `IdentitiesTable`. */
export const signInEpoch: Migration = {
  async up(db) {
    await db.schema
      .alterTable('identities')
      .addColumn('sign_in_epoch', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}
