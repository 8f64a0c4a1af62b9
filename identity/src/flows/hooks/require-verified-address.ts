import type { Context } from '../../contract.ts'
import { HookRefusal, ProtocolError } from '../../errors.ts'
import { messages } from '../../ui/messages.ts'
import type { Outcome } from '../spec.ts'
import { screenUrl } from '../urls.ts'
import type { VerificationCause } from './verify-address.ts'
import { showVerification, startVerification, unverifiedAddress } from './verify-address.ts'

/**
 * Lets nobody in who has not proven an address; they get a new code instead. Protocol 1, 4.7: a navigating browser is
 * led to the form for the code, scripts and apps by 403 `session_verified_address_required`.
 */
export async function requireVerifiedAddress(
  ctx: Context,
  cause: VerificationCause,
  method: string,
): Promise<Outcome | undefined> {
  const addresses = cause.identity.addresses.filter(({ purpose }) => purpose === 'verification')
  if (addresses.some(({ verified_at }) => verified_at !== undefined)) return undefined
  const address = unverifiedAddress(cause.identity)
  if (!address) throw nothingToVerify()
  if (ctx.config.feature_flags.legacy_require_verified_login_error) {
    if (method === 'password') throw new HookRefusal([{ message: messages.addressNotVerified }])
    return undefined
  }
  const started = await startVerification(ctx, cause, address)
  if (cause.flow.type === 'browser' && !cause.caller.json) {
    return { kind: 'elsewhere', url: screenUrl(ctx, 'verification', started.flow.id), status: 303 }
  }
  throw new ProtocolError({
    id: 'session_verified_address_required',
    status: 403,
    code: 400,
    reason: 'Please confirm your address first. A new code is on its way to it.',
    details: { continue_with: [showVerification(ctx, started, { always_url: true })] },
  })
}

function nothingToVerify(): ProtocolError {
  return new ProtocolError({
    id: 'invalid_configuration',
    status: 500,
    reason: 'The hook require_verified_address needs an identity schema with an address to verify.',
  })
}
