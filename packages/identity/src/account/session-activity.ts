import type { Context } from '../contract/contract.ts'
import { sessionState } from '../sessions/find.ts'
import { listSessions } from '../storage/sessions/sessions.ts'

/** The last use by session id, to the minute. Not part of the protocol. */
export async function sessionActivity(
  ctx: Context,
  identity_id: string,
): Promise<Readonly<Record<string, string>>> {
  const sessions = await listSessions(ctx.db, {
    identity_id,
    ...sessionState(ctx, 'live'),
    limit: MOST,
    offset: 0,
  })
  return Object.fromEntries(
    sessions.map(({ id, last_active_at, authenticated_at }) => [id, last_active_at ?? authenticated_at]),
  )
}

/** Exceeds the maximum of sessions per account. */
const MOST = 250
