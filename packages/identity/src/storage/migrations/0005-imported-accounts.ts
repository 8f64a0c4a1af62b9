import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Another service's account is unproven like a registered one, but is not deleted for that. */
export const importedAccounts: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('sign_ups').addColumn('imported_at', 'timestamptz(3)').execute()
  },
}
