import type { Evidence, IdentityChange } from '../contract/completion.ts'
import type { Context } from '../contract/contract.ts'
import { FormError, ProtocolError } from '../errors/errors.ts'
import { recordEvent } from '../events/record.ts'
import { deleteOpenCodes } from '../storage/flows/codes.ts'
import type { Credential, HeldCredential, NewCredential } from '../storage/identities/credentials.ts'
import {
  deleteCredential,
  insertCredentials,
  listCredentials,
  replaceCredential,
  replaceIdentifiers,
} from '../storage/identities/credentials.ts'
import type { Address, StoredIdentity } from '../storage/identities/identities.ts'
import {
  deleteAddresses,
  findByExternalId,
  findIdentity,
  insertAddresses,
  lockIdentity,
  markAddress,
  updateIdentityRow,
} from '../storage/identities/identities.ts'
import { endPendingSignIns } from '../storage/sessions/ended-sessions.ts'
import { lowerSessions } from '../storage/sessions/sessions.ts'
import { messages } from '../ui/messages.ts'
import { addressesOf, assertStored, isDerived, missingCodeCredential, newCredential } from './create.ts'
import { availableAal, countFirstFactors, highestAal } from './factors.ts'
import { type IdentitySchema, schemaOfIdentity } from './schema/schema.ts'
import { type Derived, deriveFromTraits } from './schema/traits.ts'

export interface AccountUpdate extends IdentityChange {
  readonly account?: Pick<StoredIdentity, 'schema_id' | 'state' | 'metadata_public' | 'metadata_admin'> & {
    readonly external_id: string | undefined
    readonly organization_id?: string | undefined
  }
  /** The user changed the traits, and perhaps a web hook the account. Defaults to true without `account`. */
  readonly by_user?: boolean
  readonly proofs?: readonly { readonly value: string; readonly verified: boolean }[]
}

/**
 * Also updates everything derived from the traits and credentials: identifiers, addresses, `available_aal`,
 * sessions above that level. Traits must be validated. Call inside `transact`, and roll back if it throws
 * `FormError` 4000007: an identifier or an address is taken.
 */
export async function updateIdentity(ctx: Context, id: string, change: AccountUpdate): Promise<Updated> {
  await lockIdentity(ctx.db, id)
  const storedIdentity = await findIdentity(ctx.db, id)
  if (!storedIdentity) throw new ProtocolError({ status: 404, message: 'This account does not exist.' })
  return await updateLocked(ctx, storedIdentity, change)
}

/** For an identity that this transaction locked before it read `before`. */
export async function updateLocked(ctx: Context, previousIdentity: StoredIdentity, change: AccountUpdate) {
  const { id } = previousIdentity
  const now = ctx.now().toISOString()
  const credentials_before = await listCredentials(ctx.db, id)
  assertUnchanged(credentials_before, change.expects)
  const account = await accountAfter(ctx, previousIdentity, change, now)
  const schema = schemaOfIdentity(ctx.schemas, account)
  const { traits } = change
  const { identifiers } = deriveFromTraits(schema, account.traits)
  // A password takes long to hash, and an address may change meanwhile.
  const put = change.put?.map((one) =>
    followsTraits(one, identifiers) ? { ...one, identifiers: identifiers[one.type] } : one,
  )
  const changed = await changeCredentials(ctx, id, credentials_before, { ...change, put }, now)
  const credentials = traits ? await followInCredentials(ctx, id, changed, { schema, traits }, now) : changed
  if (change.lastCredentialError && countFirstFactors(ctx, credentials) === 0)
    throw new FormError([change.lastCredentialError])
  const available_aal = availableAal(ctx, credentials)
  const after = { ...account, available_aal }
  assertStored(await updateIdentityRow(ctx.db, after))
  // An inactive account refuses them anyway, with a different message.
  const isEnabled = previousIdentity.state === 'inactive' && after.state === 'active'
  if (isEnabled || after.schema_id !== previousIdentity.schema_id) await endPendingSignIns(ctx.db, id)
  // Without a second factor no session keeps `aal2`. Codes may be one.
  const losesLastFactor = previousIdentity.available_aal === 'aal2' && highestAal(ctx, after) === 'aal1'
  if (losesLastFactor) await lowerSessions(ctx.db, id)
  const moved = traits ? await followInAddresses(ctx, after, { schema, traits }, now) : after
  const identity = change.proofs ? await prove(ctx, moved, change.proofs, now) : moved
  if (!isSameList(emailsOf(previousIdentity), emailsOf(identity)))
    await ctx.product.emailChanged(ctx, identity, previousIdentity)
  return { identity, credentials_before, credentials }
}

function emailsOf({ addresses }: StoredIdentity): readonly string[] {
  const emails = addresses.filter(({ purpose, via }) => purpose === 'verification' && via === 'email')
  return emails.map(({ value }) => value)
}

export type Updated = Awaited<ReturnType<typeof updateLocked>>

/** For a session that continues with a credential of this change. */
export function evidenceOfChange({ credentials }: Updated, method: string): Evidence {
  const credential = credentials.find(({ type }) => type === method)
  if (!credential) throw new Error(`the change stored no credential of type ${method}`)
  return { kind: 'credential', credential, refusal: changedElsewhere }
}

async function changeCredentials(
  ctx: Context,
  id: string,
  present: readonly HeldCredential[],
  { remove = [], put = [] }: AccountUpdate,
  now: string,
): Promise<readonly HeldCredential[]> {
  for (const type of remove) {
    if (await deleteCredential(ctx.db, id, type)) await recordChange(ctx, id, type, 'removed')
  }
  for (const credential of put) {
    const previousCredential = present.find(
      ({ type }) => type === credential.type && !remove.includes(credential.type),
    )
    await storeCredential(ctx, id, previousCredential, credential, now)
    if (credential.type === 'password') await deleteOpenCodes(ctx.db, id, 'recovery')
    await recordChange(ctx, id, credential.type, changeOf(previousCredential, credential))
  }
  return remove.length + put.length === 0 ? present : await listCredentials(ctx.db, id)
}

function changeOf(previousCredential: Credential | undefined, after: NewCredential): CredentialChange {
  const growth = sizeOf(after) - (previousCredential ? sizeOf(previousCredential) : 0)
  if (growth === 0) return 'replaced'
  return growth > 0 ? 'added' : 'removed'
}

/** Accounts of providers, of which Kratos keeps an empty list, or keys. */
function sizeOf({ type, identifiers, config }: Pick<Credential, 'type' | 'identifiers' | 'config'>): number {
  if (type === 'oidc') return identifiers.length
  const { credentials: keys } = config as { readonly credentials?: unknown }
  return Array.isArray(keys) ? keys.length : 1
}

async function accountAfter(
  ctx: Context,
  previousIdentity: StoredIdentity,
  { traits, account, by_user = account === undefined }: AccountUpdate,
  now: string,
): Promise<StoredIdentity> {
  const { state_changed_at: _, ...withoutStateChange } = previousIdentity
  // Kratos compatibility: users' changes of traits leave no `state_changed_at`.
  const keptIdentity = by_user && traits ? withoutStateChange : previousIdentity
  if (!account) return { ...keptIdentity, ...(traits && { traits }), updated_at: now }
  const { external_id, ...rest } = account
  const owner = external_id === undefined ? undefined : await findByExternalId(ctx.db, external_id)
  assertStored(owner === undefined || owner.id === previousIdentity.id ? 'stored' : 'duplicate')
  return {
    ...keptIdentity,
    ...rest,
    external_id,
    ...(rest.state === previousIdentity.state ? {} : { state_changed_at: now }),
    traits: traits ?? previousIdentity.traits,
    updated_at: now,
  }
}

async function prove(
  ctx: Context,
  identity: StoredIdentity,
  proofs: NonNullable<AccountUpdate['proofs']>,
  now: string,
): Promise<StoredIdentity> {
  for (const { id, purpose, value, verified_at } of identity.addresses) {
    const proof = purpose === 'verification' && proofs.find((one) => one.value === value)
    if (proof && proof.verified !== (verified_at !== undefined))
      await markAddress(ctx.db, id, proof.verified, now)
  }
  return (await findIdentity(ctx.db, identity.id)) ?? identity
}

export const changedElsewhere = messages.generic(
  'This has just been changed elsewhere. Please check it and try again.',
)

function assertUnchanged(present: readonly Credential[], expects: IdentityChange['expects']): void {
  if (!expects) return
  const credential = present.find(({ type }) => type === expects.type)
  const { previousCredential: before } = expects
  // A removed and added credential has the same version.
  if (credential?.version === before?.version && credential?.created_at === before?.created_at) return
  throw new FormError(changedElsewhere)
}

async function storeCredential(
  ctx: Context,
  id: string,
  previousCredential: Credential | undefined,
  credential: NewCredential,
  now: string,
): Promise<void> {
  assertStored(
    previousCredential
      ? await replaceCredential(ctx.db, previousCredential, credential, now)
      : await insertCredentials(ctx.db, [newCredential(credential, id, now)]),
  )
}

type CredentialChange = 'added' | 'replaced' | 'removed'

async function recordChange(ctx: Context, identity_id: string, method: string, detail: CredentialChange) {
  await recordEvent(ctx, { event: 'credential_changed', outcome: 'ok', identity_id, method, detail })
}

interface NewTraits {
  readonly schema: IdentitySchema
  readonly traits: StoredIdentity['traits']
}

async function followInCredentials(
  ctx: Context,
  id: string,
  present: readonly HeldCredential[],
  { schema, traits }: NewTraits,
  now: string,
): Promise<readonly HeldCredential[]> {
  const { identifiers } = deriveFromTraits(schema, traits)
  const addedCredentials = missingCodeCredential(schema, traits, present)
  const stale = present
    .filter((credential) => followsTraits(credential, identifiers))
    .filter((credential) => !isSameList(credential.identifiers, identifiers[credential.type]))
  for (const credential of addedCredentials) await storeCredential(ctx, id, undefined, credential, now)
  for (const credential of stale) {
    if (isDerived(credential) && identifiers[credential.type].length === 0)
      await deleteCredential(ctx.db, id, credential.type)
    else assertStored(await replaceIdentifiers(ctx.db, credential, identifiers[credential.type]))
  }
  return addedCredentials.length + stale.length === 0 ? present : await listCredentials(ctx.db, id)
}

/** An unchanged address keeps its verification. */
async function followInAddresses(
  ctx: Context,
  previousIdentity: StoredIdentity,
  { schema, traits }: NewTraits,
  now: string,
): Promise<StoredIdentity> {
  const addresses = addressesOf(schema, traits, now)
  const gone = previousIdentity.addresses.filter(
    (address) => !addresses.some((other) => isSame(address, other)),
  )
  const added = addresses.filter(
    (address) => !previousIdentity.addresses.some((other) => isSame(address, other)),
  )
  await deleteAddresses(
    ctx.db,
    gone.map((address) => address.id),
  )
  assertStored(await insertAddresses(ctx.db, previousIdentity.id, added))
  if (gone.length + added.length === 0) return previousIdentity
  await recordEvent(ctx, { event: 'address_changed', outcome: 'ok', identity_id: previousIdentity.id })
  return (await findIdentity(ctx.db, previousIdentity.id)) ?? previousIdentity
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item) => other.includes(item))
}

/** Whether identifiers come from the traits, unlike those of passkeys and provider accounts. */
function followsTraits<C extends Pick<Credential, 'type'>>(
  credential: C,
  identifiers: Derived['identifiers'],
): credential is C & { readonly type: keyof Derived['identifiers'] } {
  return Object.hasOwn(identifiers, credential.type)
}

function isSame(one: Address, other: Address): boolean {
  return one.purpose === other.purpose && one.via === other.via && one.value === other.value
}
