import type { Context } from '../contract.ts'
import type { TokenHash } from '../crypto/random.ts'
import { recordEvent } from '../events/record.ts'
import {
  deleteSessionsOf,
  revokeSessionByToken as revokeByToken,
  revokeOldestSessions,
  revokeSession as revokeOne,
  revokeOtherSessions as revokeOthers,
} from '../storage/ended-sessions.ts'

/** How a session ended. */
export type SessionEnd = 'logout' | 'revoked' | 'revoked_others' | 'too_many' | 'by_operator'

/** Ends one session of an identity; nothing happens when it is not theirs or has ended already. */
export async function revokeSession(
  ctx: Context,
  identity_id: string,
  id: string,
  detail: SessionEnd,
): Promise<void> {
  const ended = await revokeOne(ctx.db, identity_id, id, ctx.now().toISOString())
  if (ended) await recordEvent(ctx, { event: 'session_ended', outcome: 'ok', identity_id, detail })
}

/** Ends the session of a token; returns false when no session has this token, ended ones included. */
export async function revokeSessionByToken(ctx: Context, tokenHash: TokenHash): Promise<boolean> {
  const identity_id = await revokeByToken(ctx.db, tokenHash, ctx.now().toISOString())
  if (identity_id === undefined) return false
  await recordEvent(ctx, { event: 'session_ended', outcome: 'ok', identity_id, detail: 'logout' })
  return true
}

/** Ends all sessions of an identity but one; returns how many there were, ended ones included. */
export async function revokeOtherSessions(
  ctx: Context,
  identity_id: string,
  except: string,
): Promise<number> {
  const count = await revokeOthers(ctx.db, identity_id, except, ctx.now().toISOString())
  if (count > 0)
    await recordEvent(ctx, { event: 'session_ended', outcome: 'ok', identity_id, detail: 'revoked_others' })
  return count
}

/** An identity has so many live sessions at most: those that were issued first end. */
export async function endOldestSessions(ctx: Context, identity_id: string): Promise<void> {
  const { max_per_identity } = ctx.config.session
  const count = await revokeOldestSessions(ctx.db, identity_id, max_per_identity, ctx.now().toISOString())
  if (count > 0)
    await recordEvent(ctx, { event: 'session_ended', outcome: 'ok', identity_id, detail: 'too_many' })
}

/** Removes all sessions of an identity; returns how many there were. */
export async function removeSessions(ctx: Context, identity_id: string): Promise<number> {
  const count = await deleteSessionsOf(ctx.db, identity_id)
  if (count > 0)
    await recordEvent(ctx, { event: 'session_ended', outcome: 'ok', identity_id, detail: 'by_operator' })
  return count
}
