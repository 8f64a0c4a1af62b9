import type { ChallengeTarget, Context } from '../contract.ts'
import { transact } from '../contract.ts'
import { queueMail } from '../courier/queue.ts'
import { findOtherOwner } from '../identities/address-change.ts'
import { channelOf, isEmail } from '../identities/formats.ts'
import { normaliseIdentifier } from '../identities/traits.ts'
import { count } from '../limits/limits.ts'
import { findAddressChange } from '../storage/address-changes.ts'
import { deleteCodes } from '../storage/codes.ts'
import type { Flow } from '../storage/flows.ts'
import { findAddress, markAddressSent } from '../storage/identities.ts'
import { inSameTime } from './in-same-time.ts'

type Kind = 'recovery' | 'verification'

export interface OwnersMail {
  /** What the owner gets, at the address as it is stored, never as it was typed (SEC-07). */
  owner(ctx: Context, target: ChallengeTarget): Promise<void>
  /** What somebody gets who has no account, where the configuration wants that. */
  readonly stranger: `${Kind}_invalid` | `${Kind}_code_invalid`
}

/**
 * Mails a code or a link to the owner of an address. Nothing that the caller sees tells whether there is one (SEC-13),
 * not even the time that it takes (SEC-14). Throws `LimitReached` where too many went to the address (SEC-03).
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
  { owner, stranger }: OwnersMail,
): Promise<void> {
  const address = normaliseIdentifier('code', typed)
  const target = await targetOf(ctx, flow, address)
  await count(ctx, { kind: 'mail', account: address, identity_id: target?.identity_id })
  await transact(ctx, async (ctx) => {
    // What went elsewhere is dead from now on: the form speaks of another address (SEC-02).
    if (flow.memo.code?.address !== typed) await deleteCodes(ctx.db, flow.id)
    if (target) return await mailTarget(ctx, flow, target, owner)
    if (notifiesUnknown(ctx, flow) && isEmail(typed)) {
      const cause = { request_url: flow.request_url }
      await queueMail(ctx, { template_type: stranger, recipient: typed, data: {}, cause })
    }
  })
}

/** A verification that carries a change out sends to the new address only, and only while it belongs to no identity. */
async function targetOf(
  ctx: Context,
  flow: Flow<Kind>,
  address: string,
): Promise<ChallengeTarget | undefined> {
  const { address_change } = flow.memo
  if (!address_change) {
    const known = await findAddress(ctx.db, flow.kind, channelOf(address), address)
    return known && { address: known.value, address_id: known.id, identity_id: known.identity_id }
  }
  const change = await findAddressChange(ctx.db, address_change.id, ctx.now().toISOString())
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

function notifiesUnknown(ctx: Context, { kind, memo }: Flow<Kind>): boolean {
  return ctx.config.selfservice.flows[kind].notify_unknown_recipients && !memo.address_change
}
