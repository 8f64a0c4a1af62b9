import type { Db } from '../db.ts'

/** Two codes that an app exchanges for a session created in a browser. */
export interface SessionExchange {
  readonly id: string
  readonly flow_id: string
  readonly init_code_hash: string
  readonly expires_at: string
}

export async function insertExchange(db: Db, exchange: SessionExchange): Promise<void> {
  const nothing = { return_to_code_hash: '', session_id: null, token: null, used_at: null }
  await db
    .insertInto('session_exchanges')
    .values({ ...exchange, ...nothing })
    .execute()
}

export interface ExchangedSession {
  readonly session_id: string
  /** Encrypted. */
  readonly token: string
  readonly return_to_code_hash: string
  readonly expires_at: string
}

/** False if expired or completed before. */
export async function completeExchange(
  db: Db,
  id: string,
  session: ExchangedSession,
  now: string,
): Promise<boolean> {
  const result = await db
    .updateTable('session_exchanges')
    .set(session)
    .where('id', '=', id)
    .where('session_id', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Consumes the exchange, so only one request gets the session. */
export async function takeExchange(
  db: Db,
  codes: { readonly init_code_hash: string; readonly return_to_code_hash: string },
  now: string,
): Promise<{ session_id: string; token: string } | undefined> {
  const found = await db
    .selectFrom('session_exchanges')
    .select(['id', 'session_id', 'token'])
    .where('init_code_hash', '=', codes.init_code_hash)
    .where('return_to_code_hash', '=', codes.return_to_code_hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!found?.session_id || !found.token) return undefined
  const taken = await db
    .updateTable('session_exchanges')
    .set({ used_at: now, token: null })
    .where('id', '=', found.id)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return taken.numUpdatedRows === 1n ? { session_id: found.session_id, token: found.token } : undefined
}
