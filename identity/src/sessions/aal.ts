import type { Context } from '../contract.ts'
import { ProtocolError } from '../errors.ts'
import { highestAal } from '../identities/factors.ts'
import type { SessionAndIdentity } from '../storage/sessions.ts'

/** Whether a session proves less than its owner can. */
export function provesLess(ctx: Context, { session, identity }: SessionAndIdentity): boolean {
  return session.aal === 'aal1' && highestAal(ctx, identity) === 'aal2'
}

/** 403 `session_aal2_required`; a navigating browser goes to `url`, which asks for the second factor, at once. */
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
 * Whether the session proved lately who its user is, so that it may change how they sign in or are reached. A recovery
 * counts, as in Kratos: who has no password adds another credential instead. Notices by mail protect against a stolen
 * one (SEC-12).
 */
export function isPrivileged(ctx: Pick<Context, 'config' | 'now'>, { session }: SessionAndIdentity): boolean {
  const { privileged_session_max_age } = ctx.config.selfservice.flows.settings
  if (privileged_session_max_age <= 0) return true
  const since = new Date(ctx.now().getTime() - privileged_session_max_age).toISOString()
  return session.methods.some(({ completed_at }) => completed_at > since)
}
