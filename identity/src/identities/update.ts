import type { Context } from '../contract.ts'
import type { IdentityChange } from '../done.ts'
import { FormError, ProtocolError } from '../errors.ts'
import { recordEvent } from '../events/record.ts'
import type { Credential, NewCredential } from '../storage/credentials.ts'
import {
  deleteCredential,
  insertCredential,
  listCredentials,
  replaceCredential,
  replaceIdentifiers,
} from '../storage/credentials.ts'
import type { Address, StoredIdentity } from '../storage/identities.ts'
import {
  deleteAddresses,
  findByExternalId,
  findIdentity,
  insertAddresses,
  lockIdentity,
  markAddress,
  updateIdentityRow,
} from '../storage/identities.ts'
import { lowerSessions } from '../storage/sessions.ts'
import { messages } from '../ui/messages.ts'
import { addressesOf, assertStored, missingCodeCredential, newCredential } from './create.ts'
import { availableAal } from './factors.ts'
import { countFirstFactors } from './first-factors.ts'
import type { Derived } from './traits.ts'
import { deriveFromTraits } from './traits.ts'

/** Changes that only operators can make. */
export interface OperatorChange extends IdentityChange {
  readonly account?: Pick<StoredIdentity, 'schema_id' | 'state' | 'metadata_public' | 'metadata_admin'> & {
    readonly external_id: string | undefined
  }
  /** Addresses that an operator marks as verified or unverified. */
  readonly proofs?: readonly { readonly value: string; readonly verified: boolean }[]
}

/**
 * Changes an account and everything derived from it: identifiers, addresses, `available_aal`, and sessions above that
 * level. Traits must be validated. Call inside `transact`. Throws `FormError` 4000007 if another identity has an
 * identifier or an address; the transaction must roll back then.
 */
export async function updateIdentity(
  ctx: Context,
  id: string,
  change: OperatorChange,
): Promise<StoredIdentity> {
  const now = ctx.now().toISOString()
  await lockIdentity(ctx.db, id)
  const before = await findIdentity(ctx.db, id)
  if (!before) throw new ProtocolError({ status: 404, message: 'This account does not exist.' })
  await assertUnchanged(ctx, id, change.expects)
  await changeCredentials(ctx, id, change, now)
  const account = await accountAfter(ctx, before, change, now)
  if (change.traits) await follow(ctx, { ...before, schema_id: account.schema_id }, change.traits, now)
  const left = await listCredentials(ctx.db, id)
  if (change.lastCredentialError && countFirstFactors(ctx, left) === 0)
    throw new FormError([change.lastCredentialError])
  const available_aal = availableAal(ctx, left)
  assertStored(await updateIdentityRow(ctx.db, { ...account, available_aal }))
  // Without a second factor no session may keep `aal2`.
  if (before.available_aal === 'aal2' && available_aal === 'aal1') await lowerSessions(ctx.db, id)
  const after = (await findIdentity(ctx.db, id)) ?? before
  return change.proofs ? await prove(ctx, after, change.proofs, now) : after
}

async function changeCredentials(
  ctx: Context,
  id: string,
  change: OperatorChange,
  now: string,
): Promise<void> {
  for (const type of change.remove ?? []) await remove(ctx, id, type)
  for (const credential of change.put ?? []) {
    const detail = await put(ctx, id, credential, now)
    await recordChange(ctx, id, credential.type, detail)
  }
}

async function accountAfter(
  ctx: Context,
  before: StoredIdentity,
  { traits = before.traits, account }: OperatorChange,
  now: string,
): Promise<StoredIdentity> {
  if (!account) return { ...before, traits, updated_at: now }
  const { external_id, ...rest } = account
  const owner = external_id === undefined ? undefined : await findByExternalId(ctx.db, external_id)
  assertStored(owner === undefined || owner.id === before.id ? 'stored' : 'duplicate')
  const { external_id: _, ...kept } = before
  return {
    ...kept,
    ...rest,
    ...(external_id === undefined ? {} : { external_id }),
    ...(rest.state === before.state ? {} : { state_changed_at: now }),
    traits,
    updated_at: now,
  }
}

async function prove(
  ctx: Context,
  identity: StoredIdentity,
  proofs: NonNullable<OperatorChange['proofs']>,
  now: string,
): Promise<StoredIdentity> {
  for (const { id, purpose, value, verified_at } of identity.addresses) {
    const said = purpose === 'verification' && proofs.find((one) => one.value === value)
    if (said && said.verified !== (verified_at !== undefined))
      await markAddress(ctx.db, id, said.verified, now)
  }
  return (await findIdentity(ctx.db, identity.id)) ?? identity
}

async function assertUnchanged(ctx: Context, id: string, expects: IdentityChange['expects']): Promise<void> {
  if (!expects) return
  const found = (await listCredentials(ctx.db, id)).find(({ type }) => type === expects.type)
  if (found?.version === expects.version) return
  throw new FormError(
    messages.generic('This has just been changed elsewhere. Please check it and try again.'),
  )
}

async function put(
  ctx: Context,
  id: string,
  credential: NewCredential,
  now: string,
): Promise<'added' | 'replaced'> {
  const before = (await listCredentials(ctx.db, id)).find(({ type }) => type === credential.type)
  assertStored(
    before
      ? await replaceCredential(ctx.db, before, credential, now)
      : await insertCredential(ctx.db, newCredential(credential, id, now)),
  )
  return before ? 'replaced' : 'added'
}

async function remove(ctx: Context, id: string, type: string): Promise<void> {
  if (await deleteCredential(ctx.db, id, type)) await recordChange(ctx, id, type, 'removed')
}

async function recordChange(
  ctx: Context,
  identity_id: string,
  method: string,
  detail: 'added' | 'replaced' | 'removed',
): Promise<void> {
  await recordEvent(ctx, { event: 'credential_changed', outcome: 'ok', identity_id, method, detail })
}

/** Updates identifiers and addresses from the traits; an unchanged address keeps its verification. */
async function follow(
  ctx: Context,
  before: StoredIdentity,
  traits: StoredIdentity['traits'],
  now: string,
): Promise<void> {
  const schema = ctx.schemas.find(before.schema_id) ?? ctx.schemas.default
  const { identifiers } = deriveFromTraits(schema, traits)
  const credentials = await listCredentials(ctx.db, before.id)
  for (const added of missingCodeCredential(schema, traits, credentials))
    await put(ctx, before.id, added, now)
  for (const credential of credentials) {
    if (!standInTraits(credential, identifiers)) continue
    if (credential.type === 'code' && identifiers.code.length === 0) {
      await deleteCredential(ctx.db, before.id, 'code')
      continue
    }
    assertStored(await replaceIdentifiers(ctx.db, credential, identifiers[credential.type]))
  }
  const wanted = addressesOf(schema, traits, now)
  const gone = before.addresses.filter((address) => !wanted.some((other) => isSame(address, other)))
  const added = wanted.filter((address) => !before.addresses.some((other) => isSame(address, other)))
  await deleteAddresses(
    ctx.db,
    gone.map((address) => address.id),
  )
  assertStored(await insertAddresses(ctx.db, before.id, added))
  if (gone.length + added.length > 0)
    await recordEvent(ctx, { event: 'address_changed', outcome: 'ok', identity_id: before.id })
}

function standInTraits(
  credential: Credential,
  identifiers: Derived['identifiers'],
): credential is Credential & { readonly type: keyof Derived['identifiers'] } {
  return Object.hasOwn(identifiers, credential.type)
}

function isSame(one: Address, other: Address): boolean {
  return one.purpose === other.purpose && one.via === other.via && one.value === other.value
}
