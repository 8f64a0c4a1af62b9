import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The answer that a repeated submission gets again. */
export const firstAnswers: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('flows').addColumn('answer', 'text').execute()
  },
}
