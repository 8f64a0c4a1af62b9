import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { isPostgres } from '../database.ts'
import type { Db } from '../db.ts'
import { hasSearchIndexes } from '../postgres/search-indexes.ts'
import { findIdentities, type StoredIdentity } from './identities.ts'

export interface IdentityFilter {
  readonly ids?: readonly string[]
  readonly organization_id?: string
  readonly state?: 'active' | 'inactive'
  readonly credentials_identifiers?: readonly string[]
  /**
   * Parts, or beginnings if they are one or two ASCII characters. Also matches addresses, because
   * imported accounts may lack credentials.
   */
  readonly similar_identifiers?: readonly string[]
}

interface Page {
  readonly limit: number
  readonly after?: string
  readonly offset?: number
}

export async function listIdentities(db: Db, filter: IdentityFilter, page: Page): Promise<StoredIdentity[]> {
  const resolved = await resolveBeginnings(db, filter)
  const ids = isSearch(resolved) ? await searchIds(db, resolved, page) : await listIds(db, resolved, page)
  return await findIdentities(db, ids)
}

export interface AgePage {
  readonly order: 'newest' | 'oldest'
  readonly limit: number
  readonly after: readonly [created_at: string, id: string] | undefined
}

/** By the time of creation. A search by a part has no such order. */
export async function listByAge(
  db: Db,
  filter: Omit<IdentityFilter, 'similar_identifiers'>,
  { order, limit, after }: AgePage,
): Promise<StoredIdentity[]> {
  if (filter.ids?.length === 0) return []
  const [direction, beyond] = order === 'newest' ? (['desc', '<'] as const) : (['asc', '>'] as const)
  let query = filtered(db, filter).select('id').orderBy('created_at', direction).orderBy('id', direction)
  if (after) query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), beyond, eb.tuple(...after)))
  const ids = (await query.limit(limit).execute()).map(({ id }) => id)
  const byId = Map.groupBy(await findIdentities(db, ids), ({ id }) => id)
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function countIdentities(db: Db, identityFilter: IdentityFilter): Promise<number> {
  const filter = await resolveBeginnings(db, identityFilter)
  if (filter.ids?.length === 0) return 0
  if (isSearch(filter)) return await countFound(db, filter)
  if (filter.state === 'active') {
    const { state: _, ...others } = filter
    // Only inactive accounts have an index.
    return (await countIdentities(db, others)) - (await countIdentities(db, { ...others, state: 'inactive' }))
  }
  const row = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/**
 * A search for a part takes about 0.1 s among 300,000 accounts, an index finds a beginning at once. Two
 * characters of other scripts may be a whole word.
 */
const BEGINNING = /^[ -~]{1,2}$/
const MAX_RESOLVED_IDS = 500

/** Replaces beginnings that few identifiers have by the ids of their accounts. */
async function resolveBeginnings(db: Db, filter: IdentityFilter): Promise<IdentityFilter> {
  const { similar_identifiers: parts, ...others } = filter
  if (!parts?.every((part) => BEGINNING.test(part))) return filter
  const ids = new Set<string>()
  for (const part of parts) {
    const rows = await beginningWith(db, part).execute()
    if (rows.length > MAX_RESOLVED_IDS) return filter
    for (const { identity_id } of rows) ids.add(identity_id)
  }
  return { ...others, ids: [...ids] }
}

/** The unique indexes serve this range, unlike `like` on SQLite. */
function beginningWith(db: Db, part: string) {
  const range = (text: 'identifier' | 'value') =>
    sql<boolean>`${sql.ref(text)} >= ${part} and ${sql.ref(text)} < ${`${part}\u{10ffff}`}`
  return db
    .selectFrom('credential_identifiers')
    .select('identity_id')
    .where(range('identifier'))
    .unionAll(ownedAddresses(db).where(range('value')))
    .limit(MAX_RESOLVED_IDS + 1)
}

type Search = Pick<IdentityFilter, 'state'> & Required<Pick<IdentityFilter, 'similar_identifiers'>>

function isSearch(filter: IdentityFilter): filter is Search {
  return filter.similar_identifiers !== undefined
}

async function listIds(db: Db, filter: IdentityFilter, page: Page): Promise<string[]> {
  if (filter.ids?.length === 0) return []
  let query = filtered(db, filter).select('id').orderBy('id').limit(page.limit)
  if (page.offset !== undefined) query = query.offset(page.offset)
  if (page.after !== undefined) query = query.where('id', '>', page.after)
  return (await query.execute()).map(({ id }) => id)
}

function filtered(db: Db, { ids, organization_id, state, credentials_identifiers }: IdentityFilter) {
  let query = inState(db, state)
  if (organization_id !== undefined) query = query.where('organization_id', '=', organization_id)
  if (ids) query = query.where('id', 'in', ids)
  if (credentials_identifiers !== undefined) {
    query = query.where('id', 'in', (eb) =>
      eb
        .selectFrom('credential_identifiers')
        .select('identity_id')
        .where('identifier', 'in', credentials_identifiers)
        .union(ownedAddresses(db).where('value', 'in', credentials_identifiers)),
    )
  }
  return query
}

/** Names all values of the columns that precede the address in its index. */
function ownedAddresses(db: Db) {
  return db
    .selectFrom('addresses')
    .select('identity_id')
    .where('purpose', 'in', ['verification', 'recovery'])
    .where('via', 'in', ['email', 'sms'])
}

function inState(db: Db, state: IdentityFilter['state']) {
  const query = db.selectFrom('identities')
  // A parameter would not use the index of inactive accounts.
  return state === undefined ? query : query.where('state', '=', sql.lit(state))
}

async function searchIds(db: Db, search: Search, { limit, after, offset = 0 }: Page): Promise<string[]> {
  const ids: string[] = []
  const isIndexed =
    search.similar_identifiers.every((part) => HAS_TRIGRAM.test(part)) &&
    isPostgres(db) &&
    (await hasSearchIndexes(db))
  for await (const piece of isIndexed ? [{ after, last: undefined }] : pieces(db, after)) {
    const rows = await containing(db, search, piece, offset + limit - ids.length).execute()
    ids.push(...rows.map(({ identity_id }) => identity_id))
    if (ids.length === offset + limit) break
  }
  return ids.slice(offset)
}

async function countFound(db: Db, search: Search): Promise<number> {
  let count = 0
  for await (const piece of pieces(db)) {
    const row = await db
      .selectFrom(containing(db, search, piece).as('found'))
      .select((eb) => eb.fn.countAll<number | string>().as('count'))
      .executeTakeFirstOrThrow()
    count += Number(row.count)
  }
  return count
}

/** Without one, the index would be read as a whole. Other letters count only in some locales. */
const HAS_TRIGRAM = /[a-z0-9]{3}/

interface Piece {
  readonly after: string | undefined
  readonly last: string | undefined
}

function containing(db: Db, { similar_identifiers, state }: Search, { after, last }: Piece, limit?: number) {
  const patterns = similar_identifiers.map((part) => {
    const escaped = part.replaceAll(/[%_\\]/g, (character) => `\\${character}`)
    return BEGINNING.test(part) ? `${escaped}%` : `%${escaped}%`
  })
  const idsIn = (table: 'credential_identifiers' | 'addresses', text: 'identifier' | 'value') => {
    let query = db
      .selectFrom(table)
      .select('identity_id')
      .where(({ or }) => or(patterns.map((one) => sql<boolean>`${sql.ref(text)} like ${one} escape '\\'`)))
    if (after !== undefined) query = query.where('identity_id', '>', after)
    if (last !== undefined) query = query.where('identity_id', '<=', last)
    if (state !== undefined)
      query = query.where(({ exists }) =>
        exists(inState(db, state).select('id').whereRef('identities.id', '=', sql.ref('identity_id'))),
      )
    // PostgreSQL chooses between this order and the index of parts. Pieces need neither.
    if (limit !== undefined && last === undefined)
      query = query.distinct().orderBy('identity_id').limit(limit)
    return db.selectFrom(query.as(table)).select('identity_id')
  }
  const matches = idsIn('credential_identifiers', 'identifier').union(idsIn('addresses', 'value'))
  return limit === undefined ? matches : matches.orderBy('identity_id').limit(limit)
}

/** Takes about 2 ms. */
const PIECE = 5_000

/** Scanning a million rows in one statement would block the event loop. */
async function* pieces(db: Db, after?: string): AsyncGenerator<Piece> {
  for (let from = after, last: string | undefined; ; from = last) {
    last = (await listIds(db, {}, { limit: 1, offset: PIECE, ...(from !== undefined && { after: from }) }))[0]
    yield { after: from, last }
    if (last === undefined) return
    await nextTurn()
  }
}
