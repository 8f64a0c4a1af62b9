import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** When the user of a registered account first proved an address; null if never. */
export const provenSignUps: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('sign_ups').addColumn('proven_at', 'text').execute()
    // An operator may have unverified or replaced an address that was proven, so a changed account counts as proven.
    await sql`
      update sign_ups set proven_at = (select updated_at from identities where id = sign_ups.identity_id)
      where identity_id in (select id from identities where updated_at <> created_at)
        or identity_id in (select identity_id from addresses where verified_at is not null)
    `.execute(db)
  },
}
