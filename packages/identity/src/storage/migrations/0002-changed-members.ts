import type { Migration } from 'kysely/migration'

export const changedMembers: Migration = {
  async up(db) {
    await db.schema.alterTable('identity_admin_calls').addColumn('changes', 'text').execute()
  },
}
