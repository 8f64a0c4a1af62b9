import type { Context } from '../contract.ts'
import { queueMail } from '../courier/queue.ts'
import { addressChange, findOtherOwner } from '../identities/address-change.ts'
import { channelOf, isEmail } from '../identities/formats.ts'
import { normaliseAddress } from '../identities/traits.ts'
import { count } from '../limits/limits.ts'
import { findAddressChange } from '../storage/address-changes.ts'
import { deleteCodes } from '../storage/codes.ts'
import type { Flow } from '../storage/flows.ts'
import { findAddress, markAddressSent } from '../storage/identities.ts'
import { transact } from '../transact.ts'
import { inSameTime } from './in-same-time.ts'
import type { ChallengeTarget } from './issue.ts'
import { lastRecipient } from './memo.ts'

type Kind = 'recovery' | 'verification'

export interface OwnersMail {
  /** Sends to the owner, at the stored address, never at the typed one (SEC-07). */
  owner(ctx: Context, target: ChallengeTarget): Promise<void>
  /** The message to an address without an account, if the configuration enables it. */
  readonly unknownRecipient: `${Kind}_invalid` | `${Kind}_code_invalid`
}

/**
 * Emails a code or a link to the owner of an address. Neither the response (SEC-13) nor its time (SEC-14) tells the
 * caller whether an account has it. Throws `LimitReached` if too many emails went to the address (SEC-03).
 */
export async function mailOwner(
  ctx: Context,
  flow: Flow<Kind>,
  typed: string,
  mails: OwnersMail,
): Promise<void> {
  await inSameTime(ctx, () => mail(ctx, flow, typed, mails))
}

async function mail(
  ctx: Context,
  flow: Flow<Kind>,
  typed: string,
  { owner, unknownRecipient }: OwnersMail,
): Promise<void> {
  const address = normaliseAddress(typed)
  const target = await targetOf(ctx, flow, address)
  await count(ctx, { kind: 'mail', account: address, identity_id: target?.identity_id })
  await transact(ctx, async (ctx) => {
    // The form now names another address, so codes sent elsewhere are revoked (SEC-02).
    if (lastRecipient.read(flow)?.address !== typed) await deleteCodes(ctx.db, flow.id)
    if (target) return await mailTarget(ctx, flow, target, owner)
    if (notifiesUnknown(ctx, flow) && isEmail(typed)) {
      const cause = { request_url: flow.request_url }
      await queueMail(ctx, { template_type: unknownRecipient, recipient: typed, data: {}, cause })
    }
  })
}

/** A verification for an address change sends only to the new address, and only while no identity has it. */
async function targetOf(
  ctx: Context,
  flow: Flow<Kind>,
  address: string,
): Promise<ChallengeTarget | undefined> {
  const changing = addressChange.read(flow)
  if (!changing) {
    const known = await findAddress(ctx.db, flow.kind, channelOf(address), address)
    return known && { address: known.value, address_id: known.id, identity_id: known.identity_id }
  }
  const change = await findAddressChange(ctx.db, changing.id, ctx.now().toISOString())
  if (!change || change.done_at !== undefined || change.address !== address) return undefined
  if (await findOtherOwner(ctx, change)) return undefined
  return { address, identity_id: change.identity_id }
}

async function mailTarget(
  ctx: Context,
  flow: Flow<Kind>,
  target: ChallengeTarget,
  owner: OwnersMail['owner'],
): Promise<void> {
  await owner(ctx, target)
  if (flow.kind !== 'verification' || target.address_id === undefined) return
  await markAddressSent(ctx.db, target.address_id, ctx.now().toISOString())
}

function notifiesUnknown(ctx: Context, flow: Flow<Kind>): boolean {
  return ctx.config.selfservice.flows[flow.kind].notify_unknown_recipients && !addressChange.read(flow)
}
