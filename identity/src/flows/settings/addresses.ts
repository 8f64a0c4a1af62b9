import type { Caller } from '../../caller.ts'
import { pageUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract.ts'
import { queueMail } from '../../courier/queue.ts'
import type { Done } from '../../done.ts'
import { FormError } from '../../errors.ts'
import {
  addressChange,
  findOtherOwner,
  newAddressChange,
  separateNewAddress,
  waitsForProof,
} from '../../identities/address-change.ts'
import { flowSchema } from '../../identities/schema.ts'
import type { OperatorChange } from '../../identities/update.ts'
import type { AddressChange } from '../../storage/address-changes.ts'
import {
  deletePendingChanges,
  findPendingChange,
  replacePendingChange,
} from '../../storage/address-changes.ts'
import type { Flow } from '../../storage/flows.ts'
import type { StoredIdentity } from '../../storage/identities.ts'
import type { SessionAndIdentity } from '../../storage/sessions.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import type { StartedVerification } from '../hooks/verify-address.ts'
import { pretendVerification, startVerification } from '../hooks/verify-address.ts'

/** A settings change: what takes effect now, and the address that waits for its code. */
export interface ParkedChange {
  readonly change: OperatorChange
  readonly waiting?: AddressChange
}

/**
 * Removes a new address from a change and stores it as pending. Call inside `transact`, with the identity as it was read
 * after `lockIdentity`.
 */
export async function parkNewAddress(
  ctx: Context,
  identity: StoredIdentity,
  change: OperatorChange,
  { change: asked, pending_address }: Done['settings'],
): Promise<ParkedChange> {
  // What a web hook changes beside another change takes effect as it is.
  if ((!asked.traits && !pending_address) || !waitsForProof(ctx)) return { change }
  if (pending_address) return await settlePending(ctx, identity.id, change, pending_address)
  if (!change.traits) return { change }
  const vouched = (change.proofs ?? []).filter(({ verified }) => verified).map(({ value }) => value)
  const identity_schema = change.account?.schema_id ?? identity.schema_id
  const schema = flowSchema(ctx.schemas, { identity_schema })
  const { traits, address } = separateNewAddress(schema, identity.traits, change.traits, vouched)
  if (!address) return { change }
  const waiting = newAddressChange(ctx, identity.id, withUndo(identity, address))
  await replacePendingChange(ctx.db, waiting)
  return { change: { ...change, traits }, waiting }
}

/** Only a verified address can be restored: an unverified one may belong to another user because of a typo. */
function withUndo<A extends { readonly old_address?: string }>(identity: StoredIdentity, address: A): A {
  const isProven = identity.addresses.some(
    ({ value, verified_at }) => value === address.old_address && verified_at !== undefined,
  )
  if (isProven) return address
  const { old_address: _, ...rest } = address
  return rest as A
}

async function settlePending(
  ctx: Context,
  identityId: string,
  change: OperatorChange,
  action: 'cancel' | 'resend',
): Promise<ParkedChange> {
  const waiting = await findPendingChange(ctx.db, identityId, ctx.now().toISOString())
  if (!waiting) throw new FormError(ownMessages.noPendingAddress)
  if (action === 'resend') return { change, waiting }
  await deletePendingChanges(ctx.db, identityId)
  return { change }
}

/** The input of a verification after a settings change. */
interface Changed extends SessionAndIdentity {
  readonly flow: Flow<'settings'>
  readonly caller: Caller
}

/** Sends a code to the pending address, or to the first address that none was sent to. Call inside `transact`. */
export async function verifyChanged(
  ctx: Context,
  { flow, caller, identity }: Changed,
  waiting: AddressChange | undefined,
): Promise<StartedVerification | undefined> {
  if (!ctx.config.selfservice.flows.verification.enabled) return undefined
  const cause = { flow, identity, caller }
  if (waiting) return await verifyWaiting(ctx, cause, waiting)
  const address = identity.addresses.find(
    ({ purpose, status }) => purpose === 'verification' && status === 'pending',
  )
  return address && (await startVerification(ctx, cause, address))
}

/** The response is the same for a taken address, so that settings do not reveal accounts (SEC-13). */
async function verifyWaiting(
  ctx: Context,
  cause: Parameters<typeof startVerification>[1],
  waiting: AddressChange,
): Promise<StartedVerification> {
  const { id, address } = waiting
  const memo = addressChange.entry({ id })
  if (!(await findOtherOwner(ctx, waiting))) {
    return await startVerification(ctx, { ...cause, memo }, { value: address })
  }
  return await pretendVerification(ctx, { ...cause, memo }, { value: address }, async (ctx) => {
    const data = { url: pageUrl(ctx, 'login') }
    await queueMail(ctx, { template_type: 'address_taken', recipient: address, data })
  })
}
