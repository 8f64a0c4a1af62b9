import type { Evidence } from '../contract/completion.ts'
import type { Context } from '../contract/contract.ts'
import { newId } from '../crypto/random.ts'
import { FormError } from '../errors/errors.ts'
import { normaliseAddress } from '../input/identifier.ts'
import type { Credential, NewCredential, StoreResult } from '../storage/identities/credentials.ts'
import { insertCredentials } from '../storage/identities/credentials.ts'
import { type Address, insertIdentity, type StoredIdentity } from '../storage/identities/identities.ts'
import { messages } from '../ui/messages.ts'
import type { JsonObject } from '../wire/identity.ts'
import { availableAal } from './factors.ts'
import type { IdentitySchema } from './schema/schema.ts'
import { deriveFromTraits, type TraitAddress } from './schema/traits.ts'

/** Traits must be validated. */
export interface IdentityDraft
  extends Partial<
    Pick<StoredIdentity, 'state' | 'external_id' | 'organization_id' | `metadata_${'public' | 'admin'}`>
  > {
  readonly schema: IdentitySchema
  readonly traits: JsonObject
  readonly credentials: readonly NewCredential[]
  readonly verified?: readonly Pick<Address, 'value' | 'verified_at'>[]
}

/**
 * Call inside `transact`, and roll back if it throws `FormError` 4000007: an identifier or an
 * address is taken.
 */
export async function createIdentity(ctx: Context, draft: IdentityDraft, id = newId()) {
  const { identity, credentials } = newIdentity(ctx, draft, id)
  assertStored(await insertIdentity(ctx.db, identity))
  assertStored(await insertCredentials(ctx.db, credentials))
  return identity
}

export function newIdentity(ctx: Context, draft: IdentityDraft, id: string) {
  const now = ctx.now().toISOString()
  const codeCredential = missingCodeCredential(draft.schema, draft.traits, draft.credentials)
  const credentials = [...draft.credentials, ...codeCredential].map((credential) =>
    newCredential(credential, id, now),
  )
  const identity: StoredIdentity = {
    id,
    schema_id: draft.schema.id,
    traits: draft.traits,
    metadata_public: draft.metadata_public ?? null,
    metadata_admin: draft.metadata_admin ?? null,
    state: draft.state ?? 'active',
    state_changed_at: now,
    ...(draft.external_id !== undefined && { external_id: draft.external_id }),
    ...(draft.organization_id !== undefined && { organization_id: draft.organization_id }),
    available_aal: availableAal(ctx, credentials),
    created_at: now,
    updated_at: now,
    addresses: newAddresses(draft, now),
  }
  return { identity, credentials }
}

/** The credential that it registered with. */
export function evidenceOfNew({ created_at }: StoredIdentity, method: string): Evidence {
  const credential = { type: method, version: 0, created_at, sign_in_epoch: 0 }
  return { kind: 'credential', credential, refusal: messages.generic(CHANGED) }
}

const CHANGED = 'Your account was created, but has been changed since. Please log in.'

/** Whether it follows from the traits and holds no secret. */
export function isDerived({ type }: { readonly type: string }): boolean {
  return type === 'code'
}

/** The `code` credential follows from the traits even if the method is disabled. */
export function missingCodeCredential(
  schema: IdentitySchema,
  traits: JsonObject,
  credentials: readonly { readonly type: string }[],
): readonly NewCredential[] {
  const identifiers = deriveFromTraits(schema, traits).identifiers.code
  if (identifiers.length === 0 || credentials.some(({ type }) => type === 'code')) return []
  return [{ type: 'code', identifiers, config: {} }]
}

/** Throws `FormError` 4000007. */
export function assertStored(result: StoreResult): void {
  if (result === 'duplicate') throw new FormError(messages.duplicateIdentifier)
}

export function newCredential(credential: NewCredential, identity_id: string, now: string): Credential {
  return { identity_id, version: 0, created_at: now, updated_at: now, ...credential }
}

function newAddresses(draft: IdentityDraft, now: string): Address[] {
  const since = new Map(
    draft.verified?.map(({ value, verified_at = now }) => [normaliseAddress(value), verified_at]),
  )
  return addressesOf(draft.schema, draft.traits, now).map((address) => {
    const verified_at = address.purpose === 'verification' ? since.get(address.value) : undefined
    return verified_at === undefined ? address : { ...address, status: 'completed', verified_at }
  })
}

export function addressesOf(schema: IdentitySchema, traits: JsonObject, now: string): Address[] {
  const { verifiable, recovery } = deriveFromTraits(schema, traits)
  const unproven =
    (purpose: Address['purpose']) =>
    ({ via, value }: TraitAddress): Address => ({
      id: newId(),
      purpose,
      via,
      value,
      status: 'pending',
      created_at: now,
      updated_at: now,
    })
  return [...verifiable.map(unproven('verification')), ...recovery.map(unproven('recovery'))]
}
