import type { Context } from '../../contract/contract.ts'
import { recordEvent } from '../../events/record.ts'
import { normaliseAddress } from '../../input/identifier.ts'
import type { AddressChange } from '../../storage/identities/address-changes.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import {
  findAddress,
  findIdentity,
  lockAddresses,
  lockIdentity,
} from '../../storage/identities/identities.ts'
import { findSignUp } from '../../storage/identities/sign-ups.ts'
import type { JsonObject } from '../../wire/identity.ts'
import { deleteAccount } from '../delete.ts'
import { type IdentitySchema, schemaOfIdentity } from '../schema/schema.ts'
import { withoutTexts } from '../schema/trait-at.ts'
import { deriveFromTraits } from '../schema/traits.ts'
import { updateLocked } from '../update.ts'
import { waitsForProof } from './address-change.ts'
import { hasProof } from './proof.ts'

// A registered but unproven address must not keep its owner from using it (SEC-76): where new
// addresses wait for verification, the holder loses it to a user who verifies it. Operator-made
// accounts keep theirs; their owners verify by a recovery.

/** Finds another identity that has the address and keeps it. */
export async function findOtherOwner(
  ctx: Context,
  { identity_id, address }: Pick<AddressChange, 'identity_id' | 'address'>,
): Promise<string | undefined> {
  const holder = await findHolder(ctx, address)
  if (!holder || holder.id === identity_id || (await lossOf(ctx, holder, address))) return undefined
  return holder.id
}

/**
 * Takes verified addresses from accounts that never verified them, and deletes those left without one. Call
 * inside `transact`, before storing the addresses.
 */
export async function releaseAddresses(
  ctx: Context,
  proven: readonly string[],
  keepsAddress: (identityId: string) => boolean | Promise<boolean>,
): Promise<void> {
  for (const address of proven) {
    const holder = await findHolder(ctx, address)
    if (holder && !(await keepsAddress(holder.id))) await releaseAddress(ctx, holder.id, address)
  }
}

async function releaseAddress(ctx: Context, identity_id: string, address: string): Promise<void> {
  await lockIdentity(ctx.db, identity_id)
  // The holder may be verifying it now.
  await lockAddresses(ctx.db, identity_id)
  const holder = await findIdentity(ctx.db, identity_id)
  const loss = holder && (await lossOf(ctx, holder, address))
  if (!holder || !loss) return
  const detail = loss.traits ? 'address_removed' : 'account_deleted'
  await recordEvent(ctx, { event: 'address_claimed', outcome: 'ok', identity_id, detail })
  if (loss.traits) await updateLocked(ctx, holder, { traits: loss.traits })
  else await deleteAccount(ctx, holder)
}

async function findHolder(ctx: Context, address: string): Promise<StoredIdentity | undefined> {
  const knownOwner =
    (await findAddress(ctx.db, 'verification', 'email', address)) ??
    (await findAddress(ctx.db, 'recovery', 'email', address))
  return knownOwner && (await findIdentity(ctx.db, knownOwner.identity_id))
}

/** The account, or an address in its traits. Undefined if the holder keeps both. */
async function lossOf(ctx: Context, holder: StoredIdentity, address: string) {
  // Deleting a deactivated account would let its user register an active one.
  if (!waitsForProof(ctx) || holder.state !== 'active') return undefined
  const signUp = await findSignUp(ctx.db, holder.id)
  // The owner of an account of another service recovers it, with its data.
  if (!signUp || signUp.imported) return undefined
  // An operator may have unverified or replaced the proven address (SEC-83).
  if (!hasProof(holder)) return signUp.proven ? undefined : {}
  if (holder.addresses.some(({ value, verified_at }) => value === address && verified_at)) return undefined
  const traits = traitsWithout(schemaOfIdentity(ctx.schemas, holder), holder.traits, address)
  return traits && { traits }
}

/** Undefined if they would be invalid, or lose another address or identifier. */
function traitsWithout(schema: IdentitySchema, traits: JsonObject, address: string): JsonObject | undefined {
  const isAddress = (text: string) => normaliseAddress(text) === address
  const left = schema.markedTraits.reduce((left, { steps }) => withoutTexts(left, steps, isAddress), traits)
  const [before, after] = [traits, left].map((one) => {
    const { identifiers, verifiable, recovery } = deriveFromTraits(schema, one)
    const addresses = [...verifiable, ...recovery].map(({ value }) => value)
    return [...Object.values(identifiers).flat(), ...addresses].filter((value) => value !== address)
  })
  const losesOthers = JSON.stringify(before) !== JSON.stringify(after)
  return losesOthers || schema.validate(left).length > 0 ? undefined : left
}
