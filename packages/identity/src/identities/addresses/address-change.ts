import type { IdentityChange } from '../../contract/completion.ts'
import type { Context } from '../../contract/contract.ts'
import { newId } from '../../crypto/random.ts'
import { FormError } from '../../errors/errors.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import type { AddressChange } from '../../storage/identities/address-changes.ts'
import type { Credential, NewCredential } from '../../storage/identities/credentials.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import type { Method } from '../../wire/flow.ts'
import type { JsonObject, Via } from '../../wire/identity.ts'
import { isDerived } from '../create.ts'
import { providerIdentifier } from '../provider-accounts.ts'
import type { IdentitySchema } from '../schema/schema.ts'
import { traitAt, withTrait } from '../schema/trait-at.ts'
import { deriveFromTraits, withoutAddress } from '../schema/traits.ts'

export const addressChange = storedFlowField<{ readonly id: string; readonly undo?: true }>('address_change')

const PENDING_FOR_MS = 24 * 3_600_000
export const UNDO_FOR_MS = 72 * 3_600_000

/** Whether Ory's hook `verify_new_address` and verification are enabled. */
export function waitsForProof({ config }: Pick<Context, 'config'>): boolean {
  const { settings, verification } = config.selfservice.flows
  const hooks = settings.after.profile?.hooks ?? []
  return verification.enabled && hooks.some(({ hook }) => hook === 'verify_new_address')
}

export interface SeparatedTraits {
  readonly traits: JsonObject
  readonly address?: Pick<AddressChange, 'trait' | 'before' | 'after' | 'via' | 'address'>
}

/**
 * Separates a new email address from the new traits. `vouched` lists addresses that a web hook
 * declares verified. Throws `FormError` 4050002 if several are new.
 */
export function separateNewAddress(
  schema: IdentitySchema,
  previousTraits: JsonObject,
  after: JsonObject,
  vouched: readonly string[] = [],
): SeparatedTraits {
  const old = emailsIn(schema, previousTraits)
  const isNew = (value: string) => !old.includes(value) && !vouched.includes(value)
  const [address, ...others] = emailsIn(schema, after).filter(isNew)
  if (address === undefined) return { traits: after }
  if (others.length > 0) throw new FormError(messages.oneAddressAtOnce)
  const leaf = schema.leaves.find(({ steps }) => {
    const reverted = withTrait(after, steps, traitAt(previousTraits, steps))
    return !emailsIn(schema, reverted).includes(address)
  })
  const value = leaf && traitAt(after, leaf.steps)
  // An address in two traits cannot change separately.
  if (!leaf || value === undefined) throw new FormError(messages.oneAddressAtOnce)
  const reverted = withTrait(after, leaf.steps, traitAt(previousTraits, leaf.steps))
  // Traits that are invalid without the address wait too.
  const traits = schema.validate(reverted).length === 0 ? reverted : previousTraits
  const via: Via = 'email'
  return {
    traits,
    address: { trait: leaf.steps, before: traitAt(previousTraits, leaf.steps), after: value, via, address },
  }
}

export function newAddressChange(
  ctx: Context,
  identity_id: string,
  address: NonNullable<SeparatedTraits['address']>,
): AddressChange {
  const now = ctx.now()
  return {
    id: newId(),
    identity_id,
    ...address,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + PENDING_FOR_MS).toISOString(),
  }
}

/** Undefined if the trait or the schema has changed. */
export function traitsAfter(schema: IdentitySchema, { traits }: StoredIdentity, change: AddressChange) {
  const present = traitAt(traits, change.trait)
  if (JSON.stringify(present) !== JSON.stringify(change.before)) return undefined
  return ifValid(schema, withTrait(traits, change.trait, change.after))
}

/**
 * Undoes a change. Undefined if the schema has changed. Also removes addresses as new as suspect credentials,
 * unless `proven`: an attacker may have added them for a recovery (SEC-86).
 */
export function traitsBefore(
  schema: IdentitySchema,
  { traits, addresses, created_at }: StoredIdentity,
  change: AddressChange,
  proven: readonly string[],
): JsonObject | undefined {
  const restoredTraits = ifValid(schema, withTrait(traits, change.trait, change.before))
  const since = suspectSince(change)
  return addresses
    .filter((one) => one.created_at >= since && one.created_at > created_at && !proven.includes(one.value))
    .reduce(
      (rest, { value }) => rest && (ifValid(schema, withoutAddress(schema, rest, value)) ?? rest),
      restoredTraits,
    )
}

/** Unknown traits would remove the account's identifiers (SEC-79). */
function ifValid(schema: IdentitySchema, traits: JsonObject): JsonObject | undefined {
  return schema.validate(traits).length === 0 ? traits : undefined
}

/** An attacker may add a credential first and change the address later. */
const SUSPECT_BEFORE_MS = 72 * 3_600_000

function suspectSince({ created_at }: Pick<AddressChange, 'created_at'>): string {
  return new Date(Date.parse(created_at) - SUSPECT_BEFORE_MS).toISOString()
}

/** Removes the password, and newer credentials, backup codes, keys and accounts. */
export function withoutSuspects(
  credentials: readonly Credential[],
  change: Pick<AddressChange, 'created_at'>,
): Pick<IdentityChange, 'remove' | 'put'> {
  const since = suspectSince(change)
  const isSuspect = ({ type, created_at, updated_at }: Credential) =>
    type === 'password' || created_at >= since || (type === 'lookup_secret' && updated_at >= since)
  const changes = credentials
    .filter((one) => !isDerived(one))
    .map((before) => ({ before, after: isSuspect(before) ? undefined : withoutNewer(before, since) }))
  return {
    remove: changes.filter(({ after }) => !after).map(({ before }) => before.type as Method),
    put: changes.flatMap(({ before, after }) => (after && after !== before ? [after as NewCredential] : [])),
  }
}

/** Lists in credentials, and the date member of their entries. */
const LISTS = [
  ['credentials', 'added_at'],
  ['providers', 'connected_at'],
] as const

/** Undefined if all of it is newer. */
function withoutNewer<C extends Credential>(credential: C, since: string): C | undefined {
  const { config } = credential
  for (const [list, added] of LISTS) {
    const entries = Array.isArray(config[list]) ? (config[list] as JsonObject[]) : []
    const keptEntries = entries.filter(
      (entry) => !(typeof entry[added] === 'string' && entry[added] >= since),
    )
    if (keptEntries.length === entries.length) continue
    if (keptEntries.length === 0) return undefined
    const identifiers = list === 'providers' ? keptEntries.map(providerIdentifier) : credential.identifiers
    return { ...credential, identifiers, config: { ...config, [list]: keptEntries } }
  }
  return credential
}

/** A recovery-only address opens the account, too. */
function emailsIn(schema: IdentitySchema, traits: JsonObject): string[] {
  const { verifiable, recovery } = deriveFromTraits(schema, traits)
  const emails = [...verifiable, ...recovery].filter(({ via }) => via === 'email')
  return [...new Set(emails.map(({ value }) => value))]
}
