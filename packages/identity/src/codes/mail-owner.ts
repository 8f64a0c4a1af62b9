import type { Context } from '../contract/contract.ts'
import { transact } from '../contract/transact.ts'
import { pretendMail, queueMail } from '../courier/queue.ts'
import { NIL_ID } from '../crypto/random.ts'
import { addressChange } from '../identities/addresses/address-change.ts'
import { findOtherOwner } from '../identities/addresses/address-owner.ts'
import { isEmail } from '../identities/schema/formats.ts'
import { findTypedAddress } from '../identities/subject.ts'
import { normaliseAddress } from '../input/identifier.ts'
import { claimEffect } from '../limits/attempt.ts'
import { provenOwner } from '../limits/keys.ts'
import { countAttempt, type LimitedAction, refundOnFailure } from '../limits/limits.ts'
import { deleteCodes } from '../storage/flows/codes.ts'
import type { Flow } from '../storage/flows/flows.ts'
import { findAddressChange } from '../storage/identities/address-changes.ts'
import { markAddressSent } from '../storage/identities/identities.ts'
import type { ChallengeTarget } from './issue.ts'
import { lastRecipient } from './memo.ts'

type MailedFlowKind = 'recovery' | 'verification'

export interface OwnersMail {
  /** Sends to the stored address, never to the typed one (SEC-07). Returns the message id. */
  owner(ctx: Context, target: ChallengeTarget): Promise<string | undefined>
  /** Sent if no account has the address and the configuration enables it. */
  readonly unknownRecipient: `${MailedFlowKind}_invalid` | `${MailedFlowKind}_code_invalid`
}

/**
 * Response (SEC-13), timing (SEC-14) and load (SEC-78) do not reveal whether an account has the address.
 * Throws `LimitReached` after too many emails to it (SEC-03).
 */
export async function mailOwner<K extends MailedFlowKind>(
  ctx: Context,
  flow: Flow<K>,
  input: string,
  mails: OwnersMail,
): Promise<Flow<K>> {
  return await withMinimumDuration(ctx, async () => {
    const { target, ...limited } = await recipientOf(ctx, flow, input)
    const account = normaliseAddress(input)
    const countedAttempt = await countAttempt(ctx, { kind: 'mail', account, ...limited })
    const work = async (ctx: Context) => {
      const claimedFlow = await claimEffect(ctx, flow)
      // Revokes codes sent to the previous address (SEC-02).
      if (lastRecipient.read(flow)?.address !== input) await deleteCodes(ctx.db, flow.id)
      await mailTyped(ctx, flow, { input, target }, mails)
      return claimedFlow
    }
    return await refundOnFailure(ctx, countedAttempt, () => transact(ctx, work))
  })
}

async function mailTyped(
  ctx: Context,
  flow: Flow<MailedFlowKind>,
  { input, target }: { readonly input: string; readonly target: ChallengeTarget | undefined },
  { owner, unknownRecipient }: OwnersMail,
): Promise<void> {
  if (target) return void (await mailTarget(ctx, flow, target, owner))
  const { notify_unknown_recipients } = ctx.config.selfservice.flows[flow.kind]
  if (!notify_unknown_recipients || addressChange.read(flow) || !isEmail(input))
    return await pretendMail(ctx, (ctx) => mailTarget(ctx, flow, { address: normaliseAddress(input) }, owner))
  await queueMail(ctx, {
    template_type: unknownRecipient,
    recipient: input,
    identity_id: undefined,
    data: {},
    cause: { request_url: flow.request_url },
  })
}

type Recipient = Pick<LimitedAction, 'sender' | 'identity_id'> & {
  readonly target?: ChallengeTarget | undefined
}

async function recipientOf(ctx: Context, flow: Flow<MailedFlowKind>, input: string): Promise<Recipient> {
  const changing = addressChange.read(flow)
  if (changing) return await recipientOfChange(ctx, changing.id, normaliseAddress(input))
  const ownAddress = await findTypedAddress(ctx.db, 'verification', input)
  const recipient =
    flow.kind === 'verification' ? ownAddress : await findTypedAddress(ctx.db, flow.kind, input)
  if (!recipient) return {}
  const { id: address_id, identity_id, value } = recipient
  return { target: { address: value, address_id, identity_id }, ...provenOwner(ownAddress) }
}

/** No target once an identity has the address. The user who requested the change is the sender. */
async function recipientOfChange(ctx: Context, id: string, address: string): Promise<Recipient> {
  const change = await findAddressChange(ctx.db, id, ctx.now().toISOString())
  if (!change || change.done_at !== undefined || change.address !== address) return {}
  const { identity_id } = change
  const sender = { sender: identity_id }
  // Taken and free addresses count alike (SEC-77).
  return (await findOtherOwner(ctx, change)) ? sender : { ...sender, target: { address, identity_id } }
}

async function mailTarget(
  ctx: Context,
  flow: Flow<MailedFlowKind>,
  target: ChallengeTarget,
  owner: OwnersMail['owner'],
): Promise<string | undefined> {
  const id = await owner(ctx, target)
  if (flow.kind === 'verification') {
    await markAddressSent(ctx.db, { id: target.address_id ?? NIL_ID, now: ctx.now().toISOString() })
  }
  return id
}

/** Longer than storing and sending an email under load. */
const MINIMUM_MS = 100

/**
 * Hides by a fixed duration whether an account exists (SEC-14). Waits for all work, which could slow down the
 * next request.
 */
export async function withMinimumDuration<Result>(ctx: Context, work: () => Promise<Result>) {
  const [result] = await Promise.all([work(), ctx.sleep(MINIMUM_MS)])
  return result
}

/** `ad…@example.com`, or the ends of a phone number. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  if (at >= 0) return at < 2 ? address : `${address.slice(0, 2)}****${address.slice(at)}`
  return address.length < 6 ? address : `${address.slice(0, 3)}****${address.slice(-2)}`
}
