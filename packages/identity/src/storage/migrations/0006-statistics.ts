import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Counting the sign-ins of a day reads an index only, and so does finding the few inactive accounts. */
export const statistics: Migration = {
  async up(db) {
    await db.schema
      .createIndex('events_by_created_at_event_outcome')
      .on('events')
      .columns(['created_at', 'event', 'outcome'])
      .execute()
    await db.schema.dropIndex('events_by_created_at').execute()
    await db.schema
      .createIndex('identities_inactive')
      .on('identities')
      .column('id')
      .where(sql.ref('state'), '=', sql.lit('inactive'))
      .execute()
  },
}
