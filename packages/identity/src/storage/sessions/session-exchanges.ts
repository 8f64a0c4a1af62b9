import type { Db } from '../db.ts'
import { countChanged } from '../durability.ts'
import type { Present, SessionExchangesTable } from '../tables.ts'

/** Two codes that an app exchanges for a session created in a browser. */
export type SessionExchange = Pick<SessionExchangesTable, 'id' | 'init_code_hash' | 'expires_at'>

export async function insertExchange(db: Db, exchange: SessionExchange): Promise<void> {
  await db
    .insertInto('session_exchanges')
    .values({ ...exchange, return_to_code_hash: '' })
    .execute()
}

export type ExchangedSession = Required<
  Pick<Present<SessionExchangesTable>, 'session_id' | 'token' | 'return_to_code_hash' | 'expires_at'>
>

/** The sign-in that the app's redemption continues. False if expired, or held or completed before. */
export async function holdExchange(
  db: Db,
  id: string,
  heldSession: Omit<ExchangedSession, 'session_id'>,
  now: string,
): Promise<boolean> {
  const update = db
    .updateTable('session_exchanges')
    .set(heldSession)
    .where('id', '=', id)
    .where('token', 'is', null)
    .where('expires_at', '>', now)
  return (await countChanged(db, update)) > 0
}

/** False if another request completes it. */
export async function claimExchange(db: Db, id: string, now: string): Promise<boolean> {
  const update = db
    .updateTable('session_exchanges')
    .set({ used_at: now })
    .where((eb) => eb.and({ id, used_at: null, session_id: null }))
  return (await countChanged(db, update)) > 0
}

/** After a refusal. */
export async function unclaimExchange(db: Db, id: string): Promise<void> {
  await db
    .updateTable('session_exchanges')
    .set({ used_at: null })
    .where((eb) => eb.and({ id, session_id: null }))
    .execute()
}

/** False if expired or completed before. */
export async function completeExchange(
  db: Db,
  id: string,
  session: ExchangedSession,
  now: string,
): Promise<boolean> {
  const update = db
    .updateTable('session_exchanges')
    .set({ ...session, used_at: null })
    .where('id', '=', id)
    .where('session_id', 'is', null)
    .where('expires_at', '>', now)
  return (await countChanged(db, update)) > 0
}

type ExchangeCodes = Pick<SessionExchangesTable, 'init_code_hash' | 'return_to_code_hash'>

/** Without a session, `token` is what `holdExchange` stored. */
export async function findExchange(db: Db, codes: ExchangeCodes, now: string) {
  return await db
    .selectFrom('session_exchanges')
    .select(['id', 'session_id', 'token'])
    .where('init_code_hash', '=', codes.init_code_hash)
    .where('return_to_code_hash', '=', codes.return_to_code_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** The first redemption moves the expiry to `end`. */
export async function redeemExchange(
  db: Db,
  codes: ExchangeCodes,
  { now, end }: { readonly now: string; readonly end: string },
): Promise<Pick<ExchangedSession, 'session_id' | 'token'> | undefined> {
  const exchange = await findExchange(db, codes, now)
  if (!exchange?.session_id || !exchange.token) return undefined
  await db
    .updateTable('session_exchanges')
    .set({ used_at: now, expires_at: end })
    .where((eb) => eb.and({ id: exchange.id, used_at: null }))
    .execute()
  return { session_id: exchange.session_id, token: exchange.token }
}
