import type { Context } from '../contract/contract.ts'
import { transact } from '../contract/transact.ts'
import type { TokenHash } from '../crypto/random.ts'
import { recordEvent } from '../events/record.ts'
import { trimHistory } from '../storage/history.ts'
import { deletePendingChanges } from '../storage/identities/address-changes.ts'
import { forgetDevices, lockIdentity } from '../storage/identities/identities.ts'
import {
  deleteSession,
  deleteSessionsOf,
  endPendingSignIns,
  revokeSessionByToken as revokeByToken,
  revokeOldestSessions,
  revokeSession as revokeOne,
  revokeOtherSessions,
} from '../storage/sessions/ended-sessions.ts'
import { findSessionByToken, type SessionAndIdentity } from '../storage/sessions/sessions.ts'
import type { Aal } from '../wire/session.ts'
import { type Level, wantsSecondFactor } from './aal.ts'

export type SessionEnd = 'logout' | 'revoked' | 'revoked_others' | 'too_many' | 'by_operator'

export async function revokeSession(ctx: Context, identity_id: string, id: string, detail: SessionEnd) {
  const ended = await revokeOne(ctx.db, identity_id, id, ctx.now().toISOString())
  if (ended) await recordEnd(ctx, identity_id, detail)
  return ended
}

export async function removeSession(ctx: Context, id: string): Promise<boolean> {
  const identity_id = await deleteSession(ctx.db, id)
  if (identity_id !== undefined) await recordEnd(ctx, identity_id, 'by_operator')
  return identity_id !== undefined
}

/** Returns false for an unknown token, but true for an ended session. */
export async function revokeSessionByToken(ctx: Context, tokenHash: TokenHash): Promise<boolean> {
  const identity_id = await revokeByToken(ctx.db, tokenHash, ctx.now().toISOString())
  // Replaying an ended token must not store another event (FLT-23).
  if (identity_id === undefined) return (await findSessionByToken(ctx.db, tokenHash)) !== undefined
  await recordEnd(ctx, identity_id, 'logout')
  return true
}

/** Unless it keeps their devices, also cancels a pending change of address. */
export async function revokeAllSessions(
  ctx: Context,
  identity_id: string,
  // Devices are kept for sessions that a newer sign-in ends.
  { except, keepsDevices }: { readonly except?: string; readonly keepsDevices?: boolean } = {},
): Promise<void> {
  if (!keepsDevices) await distrustSessions(ctx, identity_id)
  const count = await revokeOtherSessions(ctx.db, identity_id, except, ctx.now().toISOString())
  if (count > 0) await recordEnd(ctx, identity_id, 'revoked_others')
}

/** A stolen session leaves behind a known device (SEC-75) and a change that needs no session (SEC-130). */
async function distrustSessions(ctx: Context, identity_id: string): Promise<void> {
  await forgetDevices(ctx.db, identity_id, ctx.now().toISOString())
  await deletePendingChanges(ctx.db, identity_id)
}

export async function endOldestSessions(ctx: Context, own: SessionAndIdentity): Promise<void> {
  const count = await revokeOldestSessions(ctx.db, { ...countedWith(ctx, own), own: own.session.id })
  if (count > 0) await recordEnd(ctx, own.identity.id, 'too_many')
}

/**
 * With a second factor, unfinished sessions count separately. Otherwise the password alone could
 * evict the owner's sessions (SEC-73).
 */
export function countedWith(ctx: Context, { session: { aal }, identity }: Level) {
  const isSplit = wantsSecondFactor(ctx, { session: { aal: 'aal1' }, identity })
  const also: Aal = isSplit ? aal : aal === 'aal1' ? 'aal2' : 'aal1'
  const { max_per_identity: keep } = ctx.config.session
  return { identity_id: identity.id, aal, also, keep, now: ctx.now().toISOString() }
}

export async function removeSessions(ctx: Context, identity_id: string, { keepsEnded = false } = {}) {
  return await transact(ctx, async (ctx) => {
    const now = ctx.now().toISOString()
    await lockIdentity(ctx.db, identity_id)
    await endPendingSignIns(ctx.db, identity_id)
    await distrustSessions(ctx, identity_id)
    const count = keepsEnded
      ? await revokeOtherSessions(ctx.db, identity_id, undefined, now)
      : await deleteSessionsOf(ctx.db, identity_id)
    if (count > 0) await recordEnd(ctx, identity_id, 'by_operator')
    return count
  })
}

async function recordEnd(ctx: Context, identity_id: string, detail: SessionEnd): Promise<void> {
  await recordEvent(ctx, { event: 'session_ended', outcome: 'ok', identity_id, detail })
  await trimHistory(ctx.db, identity_id)
}

/** A MAC of the session id, so it is not stored. */
export function logoutToken(ctx: Pick<Context, 'secrets'>, sessionId: string): string {
  const mac = Buffer.from(ctx.secrets.mac('logout', sessionId), 'base64url').toString('hex')
  return `ory_lo_${mac.slice(0, 64)}`
}

export function ownsLogoutToken(ctx: Pick<Context, 'secrets'>, sessionId: string, token: string): boolean {
  const hex = /^ory_lo_([0-9a-f]{64})$/.exec(token)?.[1]
  if (hex === undefined) return false
  return ctx.secrets.verifyMac('logout', sessionId, Buffer.from(hex, 'hex').toString('base64url'))
}
