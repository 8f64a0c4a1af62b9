import type { Caller } from '../../caller.ts'
import type { Context } from '../../contract.ts'
import { queueMail } from '../../courier/queue.ts'
import type { Flow } from '../../storage/flows.ts'
import type { Address, StoredIdentity } from '../../storage/identities.ts'
import { findAddress } from '../../storage/identities.ts'
import { signsIn } from './hooks.ts'
import type { StartedVerification } from './verify-address.ts'
import { pretendVerification } from './verify-address.ts'

interface Invented {
  readonly identity: StoredIdentity
  /** The one that a new account would have to prove. */
  readonly address: Address | undefined
  readonly caller: Caller
  readonly csrf: string
}

/**
 * Only where a new account is not signed in at once, for want of the hook or of a proven address: else its answer
 * could not be made up.
 */
export function hidesDuplicates(ctx: Context, method: string, unproven: object | undefined): boolean {
  return ctx.config.security.account_enumeration.mitigate && !signsIn(ctx, method, unproven)
}

/**
 * The answer to somebody who registers with an address that has an account: the same as for a new one, with an
 * invented identity and a form whose code never comes. The owner of the address learns of it by mail. A named
 * difference; where `security.account_enumeration.mitigate` is off, the protocol's 4000007 stands.
 */
export async function pretendRegistration(
  ctx: Context,
  flow: Flow<'registration'>,
  { identity, address, caller, csrf }: Invented,
): Promise<{ identity: StoredIdentity; verification: StartedVerification | undefined }> {
  if (!address) return { identity, verification: undefined }
  const cause = { flow, caller, csrf_secret: csrf }
  const verification = await pretendVerification(ctx, cause, address, (ctx) => tellOwner(ctx, address))
  const addresses = identity.addresses.map((one) =>
    one === address ? { ...one, status: 'sent' as const } : one,
  )
  return { identity: { ...identity, addresses }, verification }
}

async function tellOwner(ctx: Context, { via, value }: Address): Promise<void> {
  const { login } = ctx.config.selfservice.flows
  const known = await findAddress(ctx.db, 'verification', via, value)
  if (!known) return
  await queueMail(ctx, {
    template_type: 'registration_duplicate',
    recipient: known.value,
    data: { url: new URL(login.ui_url, ctx.config.serve.public.base_url).href },
  })
}
