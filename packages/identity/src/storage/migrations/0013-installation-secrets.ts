import type { Migration } from 'kysely/migration'

/** Which secrets the last process knew, as fingerprints: a start with lost secrets must not look like a normal one. */
export const installationSecrets: Migration = {
  async up(db) {
    await db.schema.alterTable('installation').addColumn('secrets', 'text').execute()
  },
}
