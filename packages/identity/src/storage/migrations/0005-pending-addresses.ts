import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Pending and reversible address changes, and the browsers in which accounts were registered. */
export const pendingAddresses: Migration = {
  async up(db) {
    await createAddressChanges(db)
    await createSignUps(db)
  },
}

async function createAddressChanges(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('address_changes')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('identity_id', 'text', (c) => c.notNull().references('identities.id').onDelete('cascade'))
    .addColumn('trait', 'text', (c) => c.notNull())
    .addColumn('before', 'text')
    .addColumn('after', 'text', (c) => c.notNull())
    .addColumn('via', 'text', (c) => c.notNull())
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('old_address', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('done_at', 'text')
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute()
  for (const columns of [['identity_id'], ['old_address'], ['expires_at']]) {
    await db.schema
      .createIndex(`address_changes_by_${columns.join('_')}`)
      .on('address_changes')
      .columns(columns)
      .execute()
  }
}

async function createSignUps(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_ups')
    .addColumn('identity_id', 'text', (c) => c.primaryKey().references('identities.id').onDelete('cascade'))
    .addColumn('browsers', 'text', (c) => c.notNull())
    .execute()
  // For existing accounts the browser is unknown: none counts as trusted, which is the safe choice.
  await sql`insert into sign_ups (identity_id, browsers) select id, '[]' from identities`.execute(db)
}
