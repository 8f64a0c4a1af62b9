import type { Context } from '../../contract/contract.ts'
import type { StartedVerification, VerificationCause } from '../ownership/verify-address.ts'
import { startVerification, unverifiedAddress } from '../ownership/verify-address.ts'
import { hasHook } from './hooks.ts'

/**
 * The hook `verification`: a sign-in sends a code to the first unverified address, if configured; a second factor sends
 * none. Call inside `transact`.
 */
export async function verifyAfterLogin(
  ctx: Context,
  cause: VerificationCause & { readonly flow: { readonly requested_aal: string } },
  method: string,
): Promise<StartedVerification | undefined> {
  if (!ctx.config.selfservice.flows.verification.enabled) return undefined
  if (cause.flow.requested_aal !== 'aal1' || !hasHook(ctx, 'login', method, 'verification')) return undefined
  const address = unverifiedAddress(cause.identity)
  return address && (await startVerification(ctx, cause, address))
}
