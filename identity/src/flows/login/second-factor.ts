import { publicUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract.ts'
import { provesLess } from '../../sessions/aal.ts'
import type { Flow } from '../../storage/flows.ts'
import type { SessionAndIdentity } from '../../storage/sessions.ts'

/** Whether the session's level is below what its user can reach and the configuration requires. */
export function wantsSecondFactor(ctx: Context, found: SessionAndIdentity): boolean {
  return ctx.config.session.whoami.required_aal !== 'aal1' && provesLess(ctx, found)
}

/** Opens a sign-in with the second factor and keeps `return_to`. */
export function secondFactorUrl(ctx: Context, flow: Flow<'login'>): string {
  const query = new URLSearchParams({ aal: 'aal2' })
  if (flow.return_to !== undefined) query.set('return_to', flow.return_to)
  return publicUrl(ctx, `/self-service/login/browser?${query}`)
}
