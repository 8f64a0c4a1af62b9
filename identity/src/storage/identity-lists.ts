import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { StoredIdentity } from './identities.ts'
import { findIdentities } from './identities.ts'

export interface IdentityFilter {
  readonly ids?: readonly string[]
  /** Of a credential of any type, in its normalised spelling. */
  readonly credentials_identifier?: string
  /** A substring of an identifier. */
  readonly similar_identifier?: string
}

interface Page {
  readonly limit: number
  readonly after?: string
  readonly offset?: number
}

/** A page of identities by ascending id, after `after`. */
export async function listIdentities(db: Db, filter: IdentityFilter, page: Page): Promise<StoredIdentity[]> {
  const { similar_identifier } = filter
  const ids =
    similar_identifier === undefined
      ? await listIds(db, filter, page)
      : await searchIds(db, similar_identifier, page)
  return await findIdentities(db, ids)
}

/** The number of identities that the filter matches, independent of the page. */
export async function countIdentities(db: Db, filter: IdentityFilter): Promise<number> {
  const { ids, similar_identifier } = filter
  if (ids?.length === 0) return 0
  if (similar_identifier !== undefined) return await countFound(db, similar_identifier)
  const row = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

async function listIds(db: Db, filter: IdentityFilter, page: Page): Promise<string[]> {
  if (filter.ids?.length === 0) return []
  let query = filtered(db, filter).select('id').orderBy('id').limit(page.limit)
  if (page.offset !== undefined) query = query.offset(page.offset)
  if (page.after !== undefined) query = query.where('id', '>', page.after)
  return (await query.execute()).map(({ id }) => id)
}

function filtered(db: Db, { ids, credentials_identifier }: IdentityFilter) {
  let query = db.selectFrom('identities')
  if (ids) query = query.where('id', 'in', ids)
  if (credentials_identifier !== undefined) {
    query = query.where('id', 'in', (eb) =>
      eb
        .selectFrom('credential_identifiers')
        .select('identity_id')
        .where('identifier', '=', credentials_identifier),
    )
  }
  return query
}

async function searchIds(db: Db, part: string, { limit, after, offset = 0 }: Page): Promise<string[]> {
  const found: string[] = []
  for await (const piece of pieces(db, after)) {
    const rows = await containing(db, part, piece)
      .select('identity_id')
      .distinct()
      .orderBy('identity_id')
      .limit(offset + limit - found.length)
      .execute()
    found.push(...rows.map(({ identity_id }) => identity_id))
    if (found.length === offset + limit) break
  }
  return found.slice(offset)
}

async function countFound(db: Db, part: string): Promise<number> {
  let count = 0
  for await (const piece of pieces(db)) {
    const row = await containing(db, part, piece)
      .select((eb) => eb.fn.count<number | string>('identity_id').distinct().as('count'))
      .executeTakeFirstOrThrow()
    count += Number(row.count)
  }
  return count
}

/** Identities after one and up to another. */
interface Piece {
  readonly after: string
  readonly last: string | undefined
}

function containing(db: Db, part: string, { after, last }: Piece) {
  const anywhere = `%${part.replaceAll(/[%_\\]/g, (character) => `\\${character}`)}%`
  const query = db
    .selectFrom('credential_identifiers')
    .where('identity_id', '>', after)
    .where(sql<boolean>`identifier like ${anywhere} escape '\\'`)
  return last === undefined ? query : query.where('identity_id', '<=', last)
}

/** About two milliseconds. */
const PIECE = 20_000

/** No index finds a part of an identifier. Reading a million at once would block the event loop. */
async function* pieces(db: Db, from = ''): AsyncGenerator<Piece> {
  for (let after: string | undefined = from; after !== undefined; ) {
    const end = await db
      .selectFrom('credential_identifiers')
      .select('identity_id')
      .where('identity_id', '>', after)
      .orderBy('identity_id')
      .offset(PIECE)
      .limit(1)
      .executeTakeFirst()
    yield { after, last: end?.identity_id }
    after = end?.identity_id
    await nextTurn()
  }
}
