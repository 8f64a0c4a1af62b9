import { adminUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { startVerification, unverifiedAddress } from '../../flows/ownership/verify-address.ts'
import type { Http } from '../request.ts'
import { getIdentity } from './path-identity.ts'

/**
 * Sends a new verification to the first unverified address of an account. 202; 404 if the account is unknown or
 * verification disabled, 409 if nothing is left to verify, 429 if too many emails went to the address.
 */
export async function sendVerification(ctx: Context, c: Http): Promise<Response> {
  if (!ctx.config.selfservice.flows.verification.enabled)
    throw new ProtocolError({ status: 404, reason: 'Verification is disabled on this site.' })
  const identity = await getIdentity(ctx, c)
  const address = unverifiedAddress(identity)
  if (!address) throw new ProtocolError({ status: 409, reason: 'Every address of this account is verified.' })
  const caller = c.get('caller')
  const flow = { type: 'browser', request_url: adminUrl(ctx, caller.url) } as const
  const { granted } = await startVerification(ctx, { flow, identity, caller }, address)
  if (!granted)
    throw new ProtocolError({ status: 429, reason: 'Too many emails went to this address. Try again later.' })
  return c.json({ sent_to: address.value }, 202)
}
