import { pageUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import { queueMail } from '../../courier/queue.ts'
import {
  addressChange,
  newAddressChange,
  separateNewAddress,
} from '../../identities/addresses/address-change.ts'
import { findOtherOwner } from '../../identities/addresses/address-owner.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import type { AccountUpdate } from '../../identities/update.ts'
import type { AddressChange } from '../../storage/identities/address-changes.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import type { StartedVerification, VerificationCause } from './verify-address.ts'
import { pretendVerification, startVerification } from './verify-address.ts'

export interface ParkedChange {
  readonly change: AccountUpdate
  readonly waiting?: AddressChange
}

/** Separates a new address, which waits for its code. `vouched` addresses do not wait. */
export function parkNewAddress(
  ctx: Context,
  identity: StoredIdentity,
  change: AccountUpdate,
  vouchedAddresses: readonly string[] = [],
): ParkedChange {
  if (!change.traits) return { change }
  const identity_schema = change.account?.schema_id ?? identity.schema_id
  const schema = flowSchema(ctx.schemas, { identity_schema })
  const { traits, address } = separateNewAddress(schema, identity.traits, change.traits, vouchedAddresses)
  if (!address) return { change }
  return { change: { ...change, traits }, waiting: newAddressChange(ctx, identity.id, address) }
}

/** Behaves alike for taken addresses, to reveal no accounts (SEC-13). */
export async function verifyWaiting(
  ctx: Context,
  cause: VerificationCause,
  waitingChange: AddressChange,
): Promise<StartedVerification> {
  const { id, address } = waitingChange
  const memo = addressChange.entry({ id })
  const owner = await findOtherOwner(ctx, waitingChange)
  if (!owner) {
    return await startVerification(ctx, { ...cause, memo }, { value: address })
  }
  return await pretendVerification(ctx, { ...cause, memo }, { value: address }, async (ctx) => {
    const data = { url: pageUrl(ctx, 'login') }
    return await queueMail(ctx, {
      template_type: 'address_taken',
      recipient: address,
      identity_id: owner,
      data,
    })
  })
}
