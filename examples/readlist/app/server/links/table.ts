import type { Migration, ProductDb, ProductTools } from '@ostiary/identity'

export const createLinks: Migration = {
  async up(db) {
    await db.schema
      .createTable('links')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('identity_id', 'uuid', (c) => c.notNull().references('identities.id').onDelete('cascade'))
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('added_at', 'text', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('links_by_identity_id').on('links').column('identity_id').execute()
  },
}

interface LinksTable {
  id: string
  identity_id: string
  url: string
  added_at: string
}

type Tools = Pick<ProductTools, 'db' | 'now'>

export async function insertLink({ db, now }: Tools, identity_id: string, url: string) {
  const link = { id: crypto.randomUUID(), url, added_at: now().toISOString() }
  await linksIn(db)
    .insertInto('links')
    .values({ ...link, identity_id })
    .execute()
  return link
}

/** The newest first. Without an account, everybody's. */
export function selectLinks(db: ProductDb, identity_id?: string) {
  const newest = linksIn(db).selectFrom('links').select(['id', 'url', 'added_at']).orderBy('added_at', 'desc')
  return identity_id === undefined ? newest : newest.where('identity_id', '=', identity_id)
}

function linksIn(db: ProductDb) {
  return db.$extendTables<{ links: LinksTable }>()
}
