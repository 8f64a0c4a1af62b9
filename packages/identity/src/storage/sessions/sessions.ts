import { sql } from 'kysely'
import type { AuthenticationMethod, Device } from '../../wire/session.ts'
import { isPostgres } from '../database.ts'
import { type Db, sessionLookupDb } from '../db.ts'
import type { StoredIdentity, WholeIdentity } from '../identities/identities.ts'
import { readIdentity, wholeIdentity } from '../identities/identities.ts'
import { asText, columnsOf, jsonFunctions, namedValues } from '../json-rows.ts'
import { type Places, prepared, preparedInsert } from '../prepared.ts'
import { type Present, present, type SessionsTable } from '../tables.ts'
import { batchPerTurn, createRecent } from './look-ups.ts'

/** Only the token's hash is stored. */
export interface StoredSession extends Omit<Present<SessionsTable>, 'token_hash' | 'methods' | 'devices'> {
  readonly methods: readonly AuthenticationMethod[]
  readonly devices: readonly Device[]
}

export interface SessionAndIdentity {
  readonly session: StoredSession
  readonly identity: StoredIdentity
}

export async function insertSession(db: Db, session: StoredSession, tokenHash: string): Promise<void> {
  await insertQuery(db, [{ ...toRow(session), token_hash: tokenHash }])
}

const insertQuery = preparedInsert('sessions')

/** The new token replaces the old one. */
export async function renewSession(db: Db, session: StoredSession, tokenHash: string): Promise<void> {
  const { aal, methods, authenticated_at, expires_at } = toRow(session)
  await db
    .updateTable('sessions')
    .set({ aal, methods, authenticated_at, expires_at, token_hash: tokenHash })
    .where('id', '=', session.id)
    .execute()
}

/** One statement on the hottest path of the service. */
export async function findSessionByToken(db: Db, tokenHash: string): Promise<SessionAndIdentity | undefined> {
  const text =
    isPostgres(db) && !db.isTransaction
      ? await textInBatch(sessionLookupDb(db), tokenHash)
      : await textOf(db, tokenHash)
  return recentSessions.reuse(tokenHash, text, fold)
}

async function textOf(db: Db, token_hash: string): Promise<string | undefined> {
  const { rows } = await byTokenQuery(db, { token_hash })
  return rows[0]?.text
}

/** On PostgreSQL, sending a statement takes longer than finding the row. */
const textInBatch = batchPerTurn(async (db, hashes) => {
  const { rows } = await byTokensQuery(db, { hashes })
  return new Map(rows.map(({ token_hash, text }) => [token_hash, text]))
})

/** Backends look up the same session on every request. Saves 30 % of a look-up for 5 KB each. */
const recentSessions = createRecent<SessionAndIdentity>(500)

export async function findSession(db: Db, id: string): Promise<SessionAndIdentity | undefined> {
  const row = await selectSessions(db).where('s.id', '=', id).executeTakeFirst()
  return row && fold(row.text)
}

const byTokenQuery = prepared((db, { token_hash }: Places<Pick<SessionsTable, 'token_hash'>>) =>
  selectSessions(db).where('s.token_hash', '=', token_hash),
)

const byTokensQuery = prepared((db, { hashes }: Places<{ readonly hashes: readonly string[] }>) =>
  selectSessions(db).select('s.token_hash').where('s.token_hash', '=', sql<string>`any(${hashes}::text[])`),
)

const COLUMNS = [
  ...['id', 'identity_id', 'aal', 'methods', 'devices', 'issued_at', 'authenticated_at', 'expires_at'],
  ...['revoked_at', 'last_active_at'],
] as const

function selectSessions(db: Db) {
  const { list } = jsonFunctions(db)
  const session = sql`${list}(${columnsOf(db, 's', COLUMNS)})`
  return db
    .selectFrom('sessions as s')
    .innerJoin('identities as i', 'i.id', 's.identity_id')
    .select(asText(sql`${list}(${session}, ${wholeIdentity(db)})`).as('text'))
}

function fold(text: string): SessionAndIdentity {
  const [session, identity] = JSON.parse(text) as [unknown[], WholeIdentity]
  const row = namedValues<Pick<SessionsTable, (typeof COLUMNS)[number]>>(COLUMNS, session)
  return { session: toSession(row), identity: readIdentity(identity) }
}

interface OwnSessions extends SessionState {
  readonly identity_id: string
  readonly except?: string
}

export interface SessionFilter extends OwnSessions {
  readonly limit: number
  readonly offset: number
}

export interface SessionState {
  readonly live_at?: string
  readonly ended_at?: string
  readonly idle_since?: string
  readonly long_until?: string
}

export async function listSessions(db: Db, filter: SessionFilter): Promise<StoredSession[]> {
  const rows = await matching(db, filter)
    .select(COLUMNS)
    .orderBy('issued_at', 'desc')
    .orderBy('id')
    .limit(filter.limit)
    .offset(filter.offset)
    .execute()
  return rows.map(toSession)
}

export async function countSessions(db: Db, filter: OwnSessions): Promise<number> {
  const row = await matching(db, filter)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export async function listAllSessions(
  db: Db,
  state: SessionState,
  {
    limit,
    after,
  }: { readonly limit: number; readonly after?: readonly [issued_at: string, id: string] | undefined },
): Promise<StoredSession[]> {
  let query = inState(db, state).select(COLUMNS).orderBy('issued_at', 'desc').orderBy('id').limit(limit)
  if (after) {
    const [issued_at, id] = after
    // Only this condition can use the index.
    query = query
      .where('issued_at', '<=', issued_at)
      .where((eb) => eb.or([eb('issued_at', '<', issued_at), eb('id', '>', id)]))
  }
  return (await query.execute()).map(toSession)
}

function matching(db: Db, { identity_id, except, ...state }: OwnSessions) {
  const query = inState(db, state).where('identity_id', '=', identity_id)
  return except === undefined ? query : query.where('id', '!=', except)
}

const EPOCH = new Date(0).toISOString()

export function inState(db: Db, { live_at, ended_at, idle_since = EPOCH, long_until = EPOCH }: SessionState) {
  const last = sql<string>`coalesce(last_active_at, authenticated_at)`
  let query = db.selectFrom('sessions')
  if (live_at !== undefined) {
    query = query
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', live_at)
      .where((eb) => eb.or([eb(last, '>', idle_since), eb('expires_at', '>', long_until)]))
  }
  if (ended_at !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb('revoked_at', 'is not', null),
        eb('expires_at', '<=', ended_at),
        eb.and([eb(last, '<=', idle_since), eb('expires_at', '<=', long_until)]),
      ]),
    )
  }
  return query
}

/** Lowers sessions to `aal1` after the last second factor is removed. */
export async function lowerSessions(db: Db, identityId: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ aal: 'aal1' })
    .where((eb) => eb.and({ identity_id: identityId, aal: 'aal2' }))
    .execute()
}

export const touchSession = prepared(
  (db, { id, before, now }: Places<Readonly<Record<'id' | 'before' | 'now', string>>>) =>
    db
      .updateTable('sessions')
      .set({ last_active_at: now })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('last_active_at', 'is', null), eb('last_active_at', '<=', before)])),
  { needsNoFsync: true },
)

export async function extendSession(db: Db, id: string, expires_at: string): Promise<void> {
  await db.updateTable('sessions').set({ expires_at }).where('id', '=', id).execute()
}

function toRow(session: StoredSession) {
  return {
    ...session,
    methods: JSON.stringify(session.methods),
    devices: JSON.stringify(session.devices),
  }
}

function toSession(row: Omit<SessionsTable, 'token_hash'>): StoredSession {
  return {
    ...present(row),
    methods: JSON.parse(row.methods) as AuthenticationMethod[],
    devices: JSON.parse(row.devices) as Device[],
  }
}
