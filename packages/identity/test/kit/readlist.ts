import type { EmailTemplate, Extension, Migration, ProductDb } from '../../src/index.ts'

export const readlist = {
  migrations: { '0001-links': createLinks('identities.id') },
  accountData: {
    export: async (db, identity_id) => ({ links: await listLinks(db, identity_id) }),
    delete: async (db, identity_id) => {
      await linksIn(db).deleteFrom('links').where('identity_id', '=', identity_id).execute()
    },
  },
} satisfies Partial<Extension>

export const welcome: EmailTemplate<{ readonly email: string; readonly url: string }> = {
  name: 'welcome',
  sample: { email: 'ada@example.com', url: 'https://readlist.example/' },
  write: ({ email, url }) => ({
    subject: 'Welcome to Readlist',
    preheader: 'Your list is ready',
    title: 'Your list is ready',
    body: [
      `We keep the links of ${email}. Open your list:`,
      { button: 'Open my list', url },
      { list: ['Add links', 'Read them <later>'] },
      { note: 'You get this email once.' },
    ],
  }),
}

interface LinksTable {
  id: string
  identity_id: string
  url: string
}

/** Without `references`, for a database without accounts. */
export function createLinks(references?: string): Migration {
  return {
    async up(db) {
      await db.schema
        .createTable('links')
        .addColumn('id', 'text', (c) => c.primaryKey())
        .addColumn('identity_id', references ? 'uuid' : 'text', (c) =>
          references ? c.notNull().references(references) : c.notNull(),
        )
        .addColumn('url', 'text', (c) => c.notNull())
        .execute()
    },
  }
}

export async function insertLink(db: ProductDb, identity_id: string, url: string): Promise<void> {
  await linksIn(db).insertInto('links').values({ id: crypto.randomUUID(), identity_id, url }).execute()
}

export async function listLinks(db: ProductDb, identity_id?: string): Promise<string[]> {
  const all = linksIn(db).selectFrom('links').select('url').orderBy('url')
  const rows = await (identity_id === undefined ? all : all.where('identity_id', '=', identity_id)).execute()
  return rows.map(({ url }) => url)
}

function linksIn(db: ProductDb) {
  return db.$extendTables<{ links: LinksTable }>()
}
