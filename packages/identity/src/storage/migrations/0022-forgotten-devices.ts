import type { Migration } from 'kysely/migration'

/** Devices that signed in to an account before this moment are unknown to it; null if none were forgotten. */
export const forgottenDevices: Migration = {
  async up(db) {
    await db.schema.alterTable('identities').addColumn('devices_forgotten_at', 'text').execute()
  },
}
