import type { Caller } from '../../contract/caller.ts'
import type { Completion } from '../../contract/completion.ts'
import type { Context } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { waitsForProof } from '../../identities/addresses/address-change.ts'
import { releaseAddresses } from '../../identities/addresses/address-owner.ts'
import type { AccountUpdate } from '../../identities/update.ts'
import type { Flow, FlowBound } from '../../storage/flows/flows.ts'
import type { AddressChange } from '../../storage/identities/address-changes.ts'
import {
  deletePendingChanges,
  findPendingChange,
  replacePendingChange,
} from '../../storage/identities/address-changes.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import { type ParkedChange, parkNewAddress, verifyWaiting } from '../ownership/park-address.ts'
import { type StartedVerification, startVerification } from '../ownership/verify-address.ts'

/** Call inside `transact`, with the identity read after `lockIdentity`. */
export async function parkChange(
  ctx: Context,
  identity: StoredIdentity,
  change: AccountUpdate,
  { change: requestedChange, pending_address }: Completion['settings'],
): Promise<ParkedChange> {
  // Web hooks' changes take effect immediately.
  if ((!requestedChange.traits && !pending_address) || !waitsForProof(ctx)) return { change }
  if (pending_address) return await settlePending(ctx, identity.id, change, pending_address)
  const vouched = (change.proofs ?? []).filter(({ verified }) => verified).map(({ value }) => value)
  await releaseAddresses(ctx, change.traits ? vouched : [], (id) => id === identity.id)
  const parked = parkNewAddress(ctx, identity, change, vouched)
  if (parked.waiting) await replacePendingChange(ctx.db, parked.waiting)
  return parked
}

async function settlePending(
  ctx: Context,
  identityId: string,
  change: AccountUpdate,
  action: 'cancel' | 'resend',
): Promise<ParkedChange> {
  const waiting = await findPendingChange(ctx.db, identityId, ctx.now().toISOString())
  if (!waiting) throw new FormError(ownMessages.noPendingAddress)
  if (action === 'resend') return { change, waiting }
  await deletePendingChanges(ctx.db, identityId)
  return { change }
}

interface Changed extends SessionAndIdentity {
  readonly previousIdentity: StoredIdentity
  readonly flow: Flow<'settings'>
  readonly caller: Caller
  readonly bound: FlowBound
}

/** Sends a code to the pending address, or to the first without one. Call inside `transact`. */
export async function verifyChanged(
  ctx: Context,
  { flow, caller, bound, previousIdentity, identity }: Changed,
  waiting: AddressChange | undefined,
): Promise<StartedVerification | undefined> {
  if (!ctx.config.selfservice.flows.verification.enabled) return undefined
  const cause = { flow, identity, caller, bound }
  const mailCause = { ...cause, sender: identity.id }
  if (waiting) return await verifyWaiting(ctx, mailCause, waiting)
  const address = identity.addresses.find(
    ({ purpose, status }) => purpose === 'verification' && status === 'pending',
  )
  if (!address) return undefined
  // An earlier address's limit must not fail another change.
  const isNew = previousIdentity.addresses.every(({ value }) => value !== address.value)
  return await startVerification(ctx, isNew ? mailCause : cause, address)
}
