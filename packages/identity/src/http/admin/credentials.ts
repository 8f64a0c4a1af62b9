import type { Context } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { badRequest } from '../../errors/errors.ts'
import { isDerived } from '../../identities/create.ts'
import { type CredentialAdmin, LAST_CREDENTIAL, noSuchCredential } from '../../identities/credential-admin.ts'
import { countFirstFactors } from '../../identities/factors.ts'
import { providerIdentifier, providersOf } from '../../identities/provider-accounts.ts'
import { schemaOfIdentity } from '../../identities/schema/schema.ts'
import { deriveFromTraits } from '../../identities/schema/traits.ts'
import { adminIdentity } from '../../identities/show.ts'
import { updateIdentity } from '../../identities/update.ts'
import { type Credential, listCredentials } from '../../storage/identities/credentials.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import type { AdminCredential, AdminIdentity } from '../../wire/identity.ts'
import { ZERO_TIME } from '../bodies.ts'
import type { Http } from '../request.ts'
import { lockMatching } from './path.ts'

const NEVER_STORED = ['saml', 'code_recovery', 'link_recovery']

export function wantedContents({ strategies }: Context, c: Http): readonly string[] {
  const includedTypes = c.req.queries('include_credential') ?? []
  const types: readonly string[] = [
    ...strategies.filter(({ admin }) => admin).map(({ id }) => id),
    ...NEVER_STORED,
  ]
  if (includedTypes.every((type) => types.includes(type))) return includedTypes
  throw badRequest(`include_credential must be one of ${types.join(', ')}.`)
}

function adminOf({ strategies }: Context, type: string): CredentialAdmin {
  return strategies.find(({ id }) => id === type)?.admin ?? {}
}

export async function withCredentials(
  ctx: Context,
  identity: StoredIdentity,
  { contents = [], isNew }: Shown = {},
): Promise<AdminIdentity> {
  const credentials = await listCredentials(ctx.db, identity.id)
  const publicCredentials = [...credentials, ...emptyCredentials(ctx, identity, credentials)].map((one) => {
    const credential = adminCredential(ctx, isNew ? inSentOrder(one) : one, contents)
    return [one.type, isNew?.(one.type) ? asNew(ctx, credential) : credential] as const
  })
  return {
    ...adminIdentity(ctx, identity),
    ...(publicCredentials.length === 0 ? {} : { credentials: Object.fromEntries(publicCredentials) }),
  }
}

interface Shown {
  readonly contents?: readonly string[]
  readonly isNew?: (type: string) => boolean
}

/** Kratos compatibility: only the answer to a change lists providers as they were added. */
function inSentOrder(credential: Credential): Credential {
  const identifiers = providersOf(credential).map(providerIdentifier)
  return identifiers.length === 0 ? credential : { ...credential, identifiers }
}

/** Kratos compatibility: times are omitted, and the version if it is empty. */
function asNew(ctx: Context, credential: AdminCredential): AdminCredential {
  const version = adminOf(ctx, credential.type).listedEmpty ? 0 : credential.version
  return { ...credential, version, created_at: ZERO_TIME, updated_at: ZERO_TIME }
}

/** Kratos compatibility: lists empty ones for types with an identifier in the schema. */
function emptyCredentials(
  ctx: Context,
  { id: identity_id, schema_id, traits, created_at, updated_at }: StoredIdentity,
  credentials: readonly Credential[],
): Credential[] {
  const schema = schemaOfIdentity(ctx.schemas, { schema_id })
  const { identifiers } = deriveFromTraits(schema, traits)
  const common = { identity_id, config: {}, version: 0, created_at, updated_at }
  return Object.entries(identifiers)
    .filter(([type, { length }]) => length > 0 && adminOf(ctx, type).listedEmpty)
    .filter(([wantedType]) => !credentials.some(({ type }) => type === wantedType))
    .map(([type, foundIdentifiers]) => ({ ...common, type, identifiers: foundIdentifiers }))
}

function adminCredential(ctx: Context, credential: Credential, types: readonly string[]): AdminCredential {
  const { type, identifiers, created_at, updated_at } = credential
  const { contents, version = 0 } = adminOf(ctx, type)
  const config = types.includes(type) && contents ? { config: contents(ctx, credential) } : {}
  return { type, identifiers, ...config, version, created_at, updated_at }
}

export async function deleteCredential(ctx: Context, c: Http): Promise<Response> {
  const type = c.req.param('type') ?? ''
  const identifier = c.req.query('identifier')
  await transact(ctx, async (ctx) => {
    const identity = await lockMatching(ctx, c)
    const credentials = await listCredentials(ctx.db, identity.id)
    if (isDerived({ type })) throw badRequest('Credentials of this type are derived from the traits.')
    const credential = credentials.find((one) => one.type === type)
    const isListed =
      credential !== undefined ||
      emptyCredentials(ctx, identity, credentials).some((one) => one.type === type)
    if (!isListed) throw noSuchCredential()
    const { remove, keepsLast } = adminOf(ctx, type)
    if (!remove) throw badRequest('Credentials of this type cannot be removed here.')
    // Kratos compatibility: comes before the identifier, and for an empty credential too.
    if (keepsLast && countFirstFactors(ctx, credentials) < 2) throw badRequest(LAST_CREDENTIAL)
    if (credential) await updateIdentity(ctx, identity.id, remove(credential, identifier))
    c.set('changes', `credentials.${type}`)
  })
  return c.body(null, 204)
}
