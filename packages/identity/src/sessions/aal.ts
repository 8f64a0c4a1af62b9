import type { Context } from '../contract/contract.ts'
import { ProtocolError } from '../errors/errors.ts'
import { highestAal } from '../identities/factors.ts'
import type { StoredIdentity } from '../storage/identities/identities.ts'
import type { SessionAndIdentity, StoredSession } from '../storage/sessions/sessions.ts'

export interface Level {
  readonly session: Pick<StoredSession, 'aal'>
  readonly identity: StoredIdentity
}

export function isBelowHighestAal(ctx: Context, { session, identity }: Level): boolean {
  return session.aal === 'aal1' && highestAal(ctx, identity) === 'aal2'
}

/** Whether the session is below the level that its user can reach and the configuration requires. */
export function wantsSecondFactor(ctx: Context, level: Level): boolean {
  return ctx.config.session.whoami.required_aal !== 'aal1' && isBelowHighestAal(ctx, level)
}

export function isBelowSettingsAal(ctx: Context, foundSession: SessionAndIdentity): boolean {
  return ctx.config.selfservice.flows.settings.required_aal !== 'aal1' && isBelowHighestAal(ctx, foundSession)
}

/** A sign-in that also changes the account needs the level of settings (SEC-100). */
export function isBelowChangesAal(ctx: Context, foundSession: SessionAndIdentity): boolean {
  return wantsSecondFactor(ctx, foundSession) || isBelowSettingsAal(ctx, foundSession)
}

/** Redirects a navigating browser to `url`. */
export function secondFactorRequired(url: string): ProtocolError {
  return new ProtocolError({
    id: 'session_aal2_required',
    status: 403,
    reason: 'Please confirm with your second factor.',
    details: { redirect_browser_to: url },
    extra: { redirect_browser_to: url },
    redirect: url,
  })
}

/**
 * Whether the session may change credentials and addresses. A recovery counts, as in Kratos, so that users
 * can replace a forgotten password. Email notices help against a stolen session (SEC-12).
 */
export function isPrivileged(ctx: Pick<Context, 'config' | 'now'>, { session }: SessionAndIdentity): boolean {
  const { privileged_session_max_age } = ctx.config.selfservice.flows.settings
  if (privileged_session_max_age <= 0) return true
  const since = new Date(ctx.now().getTime() - privileged_session_max_age).toISOString()
  return session.methods.some(({ completed_at }) => completed_at > since)
}
