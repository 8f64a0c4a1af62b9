import { pageUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import type { Done } from '../../contract/done.ts'
import { queueMail } from '../../courier/queue.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { Address, StoredIdentity } from '../../storage/identities/identities.ts'
import { findAddress } from '../../storage/identities/identities.ts'
import { signsIn } from '../hooks/hooks.ts'
import type { StartedVerification } from '../ownership/verify-address.ts'
import { pretendVerification, withSentTo } from '../ownership/verify-address.ts'

interface Invented {
  readonly identity: StoredIdentity
  readonly address: Address | undefined
  readonly caller: Caller
  readonly csrf: string
}

/** Sessions cannot be faked. */
export function hidesDuplicates(
  ctx: Context,
  flow: Flow<'registration'>,
  done: Done['registration'],
  unproven: object | undefined,
): boolean {
  return ctx.config.security.account_enumeration.mitigate && !signsIn(ctx, flow, done, unproven)
}

/**
 * Answers with a made-up identity and a form whose code never arrives; the owner gets an email. Without
 * `security.account_enumeration.mitigate`, error 4000007 (documented difference).
 */
export async function pretendRegistration(
  ctx: Context,
  flow: Flow<'registration'>,
  { identity, address, caller, csrf }: Invented,
): Promise<{ identity: StoredIdentity; verification: StartedVerification | undefined }> {
  if (!address) return { identity, verification: undefined }
  const cause = { flow, caller, csrf_secret: csrf }
  const verification = await pretendVerification(ctx, cause, address, (ctx) => tellOwner(ctx, address))
  return { identity: withSentTo(ctx, identity, address), verification }
}

async function tellOwner(ctx: Context, { via, value }: Address): Promise<string | undefined> {
  const known = await findAddress(ctx.db, 'verification', via, value)
  if (!known) return undefined
  return await queueMail(ctx, {
    template_type: 'registration_duplicate',
    recipient: known.value,
    data: { url: pageUrl(ctx, 'login') },
  })
}
