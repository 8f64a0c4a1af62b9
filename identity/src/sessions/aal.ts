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

const RECOVERIES: readonly string[] = ['code_recovery', 'link_recovery']

/**
 * Whether somebody proved lately who they are, so that `method` may change how they sign in or are reached. Who came
 * in by recovery may choose a new password; for anything else they prove it with that first, because a recovery that
 * was stolen would else leave the thief a way in that lasts (SEC-12).
 */
export function isPrivileged(
  ctx: Pick<Context, 'config' | 'now'>,
  { session }: SessionAndIdentity,
  method: string,
): boolean {
  const { flows, methods } = ctx.config.selfservice
  const { privileged_session_max_age } = flows.settings
  if (privileged_session_max_age <= 0) return true
  const since = new Date(ctx.now().getTime() - privileged_session_max_age).toISOString()
  const recoveryCounts = method === 'password' || !methods.password.enabled
  return session.methods.some(
    (proof) => proof.completed_at > since && (recoveryCounts || !RECOVERIES.includes(proof.method)),
  )
}
