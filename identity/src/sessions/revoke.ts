import type { Context } from '../contract.ts'
import type { TokenHash } from '../crypto/random.ts'
import { recordEvent } from '../events/record.ts'
import {
  deleteSessionsOf,
  revokeSessionByToken as revokeByToken,
  revokeOldestSessions,
  revokeSession as revokeOne,
  revokeOtherSessions,
} from '../storage/ended-sessions.ts'
import { findSessionByToken } from '../storage/sessions.ts'

/** Why a session ended. */
export type SessionEnd = 'logout' | 'revoked' | 'revoked_others' | 'too_many' | 'by_operator'

/** Revokes a session of an identity; does nothing if it is not theirs or has ended already. */
export async function revokeSession(
  ctx: Context,
  identity_id: string,
  id: string,
  detail: SessionEnd,
): Promise<void> {
  const ended = await revokeOne(ctx.db, identity_id, id, ctx.now().toISOString())
  if (ended) await recordEnd(ctx, identity_id, detail)
}

/** Revokes the session of a token; returns false if no session has this token. Finds ended ones too. */
export async function revokeSessionByToken(ctx: Context, tokenHash: TokenHash): Promise<boolean> {
  const identity_id = await revokeByToken(ctx.db, tokenHash, ctx.now().toISOString())
  // Sent again and again, the token of an ended session must not store an event for each (FLT-23).
  if (identity_id === undefined) return (await findSessionByToken(ctx.db, tokenHash)) !== undefined
  await recordEnd(ctx, identity_id, 'logout')
  return true
}

/** Revokes all sessions of an identity, or all but one. */
export async function revokeAllSessions(
  ctx: Context,
  identity_id: string,
  { except = '' }: { readonly except?: string } = {},
): Promise<void> {
  const count = await revokeOtherSessions(ctx.db, identity_id, except, ctx.now().toISOString())
  if (count > 0) await recordEnd(ctx, identity_id, 'revoked_others')
}

/** Enforces the maximum number of active sessions by revoking the oldest. */
export async function endOldestSessions(ctx: Context, identity_id: string): Promise<void> {
  const { max_per_identity } = ctx.config.session
  const count = await revokeOldestSessions(ctx.db, identity_id, max_per_identity, ctx.now().toISOString())
  if (count > 0) await recordEnd(ctx, identity_id, 'too_many')
}

/** Deletes all sessions of an identity; returns how many there were. */
export async function removeSessions(ctx: Context, identity_id: string): Promise<number> {
  const count = await deleteSessionsOf(ctx.db, identity_id)
  if (count > 0) await recordEnd(ctx, identity_id, 'by_operator')
  return count
}

async function recordEnd(ctx: Context, identity_id: string, detail: SessionEnd): Promise<void> {
  await recordEvent(ctx, { event: 'session_ended', outcome: 'ok', identity_id, detail })
}
