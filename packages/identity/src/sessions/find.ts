import type { Caller, LiveSession, SessionCredential } from '../contract/caller.ts'
import type { Context } from '../contract/contract.ts'
import { hashToken } from '../crypto/random.ts'
import { lockIdentity } from '../storage/identities/identities.ts'
import type { SessionAndIdentity, SessionState, StoredSession } from '../storage/sessions/sessions.ts'
import { findSession, findSessionByToken, touchSession } from '../storage/sessions/sessions.ts'
import { isBelowSettingsAal, isPrivileged, wantsSecondFactor } from './aal.ts'

/** Rejects two valid cookies of different sessions: an attacker may have planted one (SEC-36). */
export async function findLiveSession(
  ctx: Context,
  { credential, session }: Pick<Caller, 'credential' | 'session'>,
): Promise<LiveSession | undefined> {
  if (!credential) return undefined
  if (session && !ctx.db.isTransaction) return session
  const first = await findByCredential(ctx, credential)
  if (!credential.others) return first
  const others = await Promise.all(credential.others.map((other) => findByCredential(ctx, other)))
  const live = [first, ...others].filter((liveSession) => liveSession !== undefined)
  return live.every(({ session }) => session.id === live[0]?.session.id) ? live[0] : undefined
}

/** `confirm` requires re-authentication; with `signed_out` the session has ended. */
export type NotPrivileged = { readonly kind: 'confirm' } | { readonly kind: 'signed_out' }

export async function findPrivilegedSession(
  ctx: Context,
  id: string,
): Promise<SessionAndIdentity | NotPrivileged> {
  const foundSession = await findSession(ctx.db, id)
  if (!foundSession || !isLive(ctx, foundSession)) return { kind: 'signed_out' }
  const isAllowed = isPrivileged(ctx, foundSession) && !isBelowSettingsAal(ctx, foundSession)
  return isAllowed ? foundSession : { kind: 'confirm' }
}

/** The session as read then holds until the transaction ends (SEC-95). */
export async function lockAccountOf(ctx: Context, sessionId: string): Promise<void> {
  const foundSession = await findSession(ctx.db, sessionId)
  if (foundSession) await lockIdentity(ctx.db, foundSession.identity.id)
}

export async function isAnotherUser(
  ctx: Context,
  { identity_id }: { readonly identity_id?: string },
  caller: Caller,
): Promise<boolean> {
  const foundSession = await findLiveSession(ctx, caller)
  return foundSession !== undefined && foundSession.identity.id !== identity_id
}

async function findByCredential(ctx: Context, credential: SessionCredential) {
  const foundSession = await findSessionByToken(ctx.db, hashToken(credential.token))
  if (!foundSession || !isLive(ctx, foundSession)) return undefined
  recordUse(ctx, foundSession.session)
  return { ...foundSession, credential }
}

/** Writing on every request would cost more than the look-up. */
const NOTED_EVERY_MS = 60_000

function recordUse(ctx: Context, session: StoredSession): void {
  const { idle_timeout = Number.POSITIVE_INFINITY } = ctx.config.session
  const now = ctx.now()
  const cutoff = now.getTime() - Math.min(NOTED_EVERY_MS, idle_timeout / 4)
  // A transaction's connection would be gone by then.
  if (Date.parse(lastUse(session)) > cutoff || ctx.db.isTransaction) return
  ctx.background.run('session activity', () =>
    touchSession(ctx.db, {
      id: session.id,
      before: new Date(cutoff).toISOString(),
      now: now.toISOString(),
    }).catch((error: unknown) =>
      ctx.log.debug({ err: error }, 'the last use of a session could not be stored'),
    ),
  )
}

function lastUse({ last_active_at, authenticated_at }: StoredSession): string {
  return last_active_at !== undefined && last_active_at > authenticated_at ? last_active_at : authenticated_at
}

export function sessionState(ctx: Context, kind: 'live' | 'ended'): SessionState {
  const now = ctx.now()
  const { idle_timeout } = ctx.config.session
  const idle_since = new Date(now.getTime() - (idle_timeout ?? 0)).toISOString()
  const idle = idle_timeout === undefined ? {} : { idle_since, long_until: wholeLifespan(ctx) }
  return { [`${kind}_at`]: now.toISOString(), ...idle }
}

/** False also for one that lacks a second factor added since (SEC-17). */
export async function isCompleteSession(ctx: Context, id: string): Promise<boolean> {
  const foundSession = await findSession(ctx.db, id)
  return foundSession !== undefined && isLive(ctx, foundSession) && !wantsSecondFactor(ctx, foundSession)
}

/** The clean-up may be late (SEC-06). */
export function isLive(ctx: Context, { session, identity }: SessionAndIdentity): boolean {
  if (session.revoked_at !== undefined || identity.state !== 'active') return false
  return Date.parse(session.expires_at) > ctx.now().getTime() && !isIdle(ctx, session)
}

function isIdle(ctx: Context, session: StoredSession): boolean {
  const { idle_timeout } = ctx.config.session
  if (idle_timeout === undefined) return false
  const idle = ctx.now().getTime() - Date.parse(lastUse(session))
  return idle >= idle_timeout && session.expires_at <= wholeLifespan(ctx)
}

/** If users stay signed in, inactivity ends a session only in its last ordinary lifespan. */
function wholeLifespan({ config, now }: Context): string {
  return new Date(now().getTime() + config.session.lifespan).toISOString()
}
