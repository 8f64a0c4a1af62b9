import type { Context } from '../contract.ts'
import { FormError, ProtocolError } from '../errors.ts'
import { channelOf } from '../identities/formats.ts'
import { openTokens } from '../identities/provider-tokens.ts'
import { providerIdentifier, providersOf, withoutOwnerNotes, withProviders } from '../identities/providers.ts'
import { adminIdentity } from '../identities/show.ts'
import { deriveFromTraits } from '../identities/traits.ts'
import type { OperatorChange } from '../identities/update.ts'
import { updateIdentity } from '../identities/update.ts'
import type { Credential } from '../storage/credentials.ts'
import { listCredentials } from '../storage/credentials.ts'
import type { StoredIdentity } from '../storage/identities.ts'
import { findIdentity } from '../storage/identities.ts'
import { transact } from '../transact.ts'
import { messages } from '../ui/messages.ts'
import type { AdminCredential, AdminIdentity, JsonObject } from '../wire/identity.ts'
import { badRequest } from './admin-body.ts'
import type { Http } from './request.ts'
import { canonicalUuid } from './uuid.ts'

const TYPES = [
  'password',
  'oidc',
  'saml',
  'totp',
  'lookup_secret',
  'webauthn',
  'passkey',
  'code',
  'code_recovery',
  'link_recovery',
] as const

/** The credential types whose contents the request includes. Throws 400 for an unknown type. */
export function wantedContents(c: Http): readonly string[] {
  const wanted = c.req.queries('include_credential') ?? []
  const unknown = wanted.find((type) => !(TYPES as readonly string[]).includes(type))
  if (unknown === undefined) return wanted
  throw badRequest(`include_credential must be one of ${TYPES.join(', ')}.`)
}

/** The account with its credentials, whose contents are omitted unless included. */
export async function withCredentials(
  ctx: Context,
  identity: StoredIdentity,
  contents: readonly string[] = [],
): Promise<AdminIdentity> {
  const credentials = await listCredentials(ctx.db, identity.id)
  const shown = [...credentials, ...emptyCredentials(ctx, identity, credentials)].map(
    (one) => [one.type, adminCredential(ctx, one, contents)] as const,
  )
  return {
    ...adminIdentity(ctx, identity),
    ...(shown.length === 0 ? {} : { credentials: Object.fromEntries(shown) }),
  }
}

/** Kratos compatibility: an account lists an empty credential for each type that the schema derives an identifier for. */
function emptyCredentials(
  ctx: Context,
  { id: identity_id, schema_id, traits, created_at, updated_at }: StoredIdentity,
  own: readonly Credential[],
): Credential[] {
  const schema = ctx.schemas.find(schema_id) ?? ctx.schemas.default
  const { identifiers } = deriveFromTraits(schema, traits)
  const missing = (['password', 'webauthn'] as const).filter(
    (wanted) => identifiers[wanted].length > 0 && !own.some(({ type }) => type === wanted),
  )
  return missing.map((type) => {
    const common = { id: '', identity_id, config: {}, version: 0, created_at, updated_at }
    return { ...common, type, identifiers: identifiers[type] }
  })
}

/** The contents of second factors are encrypted or hashed and never shown. */
const SEALED: ReadonlySet<string> = new Set(['totp', 'lookup_secret'])

function adminCredential(ctx: Context, credential: Credential, contents: readonly string[]): AdminCredential {
  const { type, identifiers, created_at, updated_at } = credential
  const asked = contents.includes(type) && !SEALED.has(type)
  const config = asked ? { config: contentsOf(ctx, credential) } : {}
  const version = type === 'code' || type === 'webauthn' ? 1 : 0
  return { type, identifiers, ...config, version, created_at, updated_at }
}

function contentsOf(ctx: Context, credential: Credential): JsonObject {
  switch (credential.type) {
    case 'oidc': {
      const providers = providersOf(credential).map((one) => openTokens(ctx, withoutOwnerNotes(one)))
      return withProviders(credential, providers).config
    }
    case 'code':
      return {
        addresses: credential.identifiers.map((address) => ({ channel: channelOf(address), address })),
      }
    default:
      return credential.config
  }
}

/** Removes a credential. 204; 400 if it cannot be removed or is the last. */
export async function deleteCredential(ctx: Context, c: Http): Promise<Response> {
  const id = canonicalUuid(c.req.param('id') ?? '') ?? ''
  const type = c.req.param('type') ?? ''
  const identifier = c.req.query('identifier')
  await transact(ctx, async (ctx) => {
    const identity = await findIdentity(ctx.db, id)
    if (!identity) throw new ProtocolError({ status: 404, message: 'This identity does not exist.' })
    const own = await listCredentials(ctx.db, id)
    const credential = own.find((one) => one.type === type)
    if (type === 'code') throw badRequest('Credentials of this type are derived from the traits.')
    if (!credential) {
      if (type === 'password') throw badRequest(LAST)
      if (emptyCredentials(ctx, identity, own).some((one) => one.type === type)) return
      throw notThere()
    }
    await updateIdentity(ctx, id, removal(credential, identifier))
  }).catch((error: unknown) => {
    throw error instanceof FormError ? badRequest(LAST) : error
  })
  return c.body(null, 204)
}

const LAST = 'This is the last credential of the account. Delete the account instead.'

function removal(credential: Credential, identifier: string | undefined): OperatorChange {
  const lastCredentialError = { message: messages.generic(LAST), field: 'credentials' }
  switch (credential.type) {
    case 'totp':
    case 'lookup_secret':
      return { remove: [credential.type] }
    case 'password':
      return { remove: ['password'], lastCredentialError }
    case 'webauthn':
      return keep('webauthn', credential, 'credentials', (key) => key.is_passwordless === true)
    case 'oidc': {
      if (!identifier) throw badRequest('Set identifier=<provider>:<subject>.')
      if (!credential.identifiers.includes(identifier)) throw notThere()
      const change = keep('oidc', credential, 'providers', (one) => providerIdentifier(one) !== identifier)
      return { ...change, lastCredentialError }
    }
    default:
      throw badRequest('Credentials of this type cannot be removed here.')
  }
}

/** Keeps the matching entries of a list; deletes the credential if none remain. */
function keep(
  type: 'webauthn' | 'oidc',
  { config, identifiers }: Credential,
  member: 'credentials' | 'providers',
  stays: (entry: JsonObject) => boolean,
): OperatorChange {
  const left = entriesOf(config[member]).filter(stays)
  if (left.length === 0) return { remove: [type] }
  const by = type === 'oidc' ? left.map(providerIdentifier) : identifiers
  return { put: [{ type, identifiers: by, config: { ...config, [member]: left } }] }
}

function entriesOf(list: JsonObject[string] | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? (list as JsonObject[]) : []
}

function notThere(): ProtocolError {
  return new ProtocolError({ status: 404, reason: 'The account has no such credential.' })
}
