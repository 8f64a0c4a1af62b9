import { z } from 'zod'
import { configOf, keysOf } from '../authenticators/keys.ts'
import type { Context } from '../contract/contract.ts'
import { isImportableHash } from '../crypto/passwords/password-import.ts'
import { messageOf } from '../errors/errors.ts'
import { missingCodeCredential, newCredential } from '../identities/create.ts'
import { availableAal } from '../identities/factors.ts'
import { withProviders } from '../identities/provider-accounts.ts'
import { normaliseAddress, normaliseIdentifier } from '../input/identifier.ts'
import type { Credential, NewCredential } from '../storage/identities/credentials.ts'
import type { Address, StoredIdentity } from '../storage/identities/identities.ts'
import type { KratosPage } from '../storage/kratos-database.ts'
import type { StoredSession } from '../storage/sessions/sessions.ts'
import { present } from '../storage/tables.ts'
import type { Json, JsonObject } from '../wire/identity.ts'
import { configs, type Drop, type Parsed, parseRows, reasonOf } from './kratos-rows.ts'
import { importSecondFactors, type Owner, secondFactors } from './second-factors.ts'

export interface KratosAccount {
  readonly identity: StoredIdentity
  readonly credentials: readonly Credential[]
  readonly sessions: readonly { readonly session: StoredSession; readonly token: string }[]
}

/** Undefined if the account cannot be kept. */
export async function toAccount(
  ctx: Context,
  page: KratosPage,
  drop: Drop,
): Promise<KratosAccount | undefined> {
  const [row] = parseRows('identities', page.identities, drop)
  if (!row) return undefined
  const schema = ctx.schemas.find(row.schema_id)
  if (!schema) {
    drop('identities', row.id, `its schema is missing. Add "${row.schema_id}" to identity.schemas`)
    return undefined
  }
  const importedCredentials = await toCredentials(ctx, page, drop)
  const derived = missingCodeCredential(schema, row.traits, importedCredentials)
  const credentials = [
    ...importedCredentials,
    ...derived.map((one) => newCredential(one, row.id, row.created_at)),
  ]
  return {
    identity: {
      ...present(row),
      metadata_public: row.metadata_public,
      metadata_admin: row.metadata_admin,
      available_aal: availableAal(ctx, credentials),
      addresses: toAddresses(page, drop),
    },
    credentials,
    sessions: toSessions(ctx, page, drop),
  }
}

function toAddresses(page: KratosPage, drop: Drop): Address[] {
  const verifiable = parseRows('identity_verifiable_addresses', page.identity_verifiable_addresses, drop)
  const recovery = parseRows('identity_recovery_addresses', page.identity_recovery_addresses, drop)
  const addresses = [
    ...verifiable.map(({ verified, verified_at, ...address }): Address => {
      const shared = { ...address, purpose: 'verification' } as const
      if (verified) return { ...shared, status: 'completed', verified_at: verified_at ?? address.updated_at }
      return { ...shared, status: address.status === 'sent' ? 'sent' : 'pending' }
    }),
    ...recovery.map((address): Address => ({ ...address, purpose: 'recovery', status: 'pending' })),
  ]
  return addresses.map((address) => ({ ...address, value: normaliseAddress(address.value) }))
}

async function toCredentials(ctx: Context, page: KratosPage, drop: Drop): Promise<Credential[]> {
  const identity_id = page.identities[0]?.id ?? ''
  const names = parseRows('identity_credential_identifiers', page.identity_credential_identifiers, drop)
  const credentials: Credential[] = []
  for (const row of parseRows('identity_credentials', page.identity_credentials, drop)) {
    const { id, created_at, updated_at } = row
    const ownNames = names.filter(({ identity_credential_id }) => identity_credential_id === id)
    try {
      const owner = { identity_id, identifiers: ownNames.map(({ identifier }) => identifier) }
      const credential = await toCredential(ctx, row, owner)
      if (credential) credentials.push({ identity_id, version: 0, created_at, updated_at, ...credential })
    } catch (error) {
      drop('identity_credentials', id, error instanceof z.ZodError ? reasonOf(error) : messageOf(error))
    }
  }
  return credentials
}

/** Undefined for Kratos' empty placeholders. Throws `ZodError`, or an `Error` with the reason. */
async function toCredential(ctx: Context, { type, config }: Parsed<'identity_credentials'>, owner: Owner) {
  switch (type) {
    case 'password':
      return toPassword(config, owner.identifiers)
    case 'oidc': {
      const { providers } = configs.oidc.parse(config)
      return providers.length > 0 ? withProviders(undefined, providers) : undefined
    }
    case 'totp':
    case 'lookup_secret':
    case 'webauthn':
    case 'passkey':
      return await toSecondFactor(ctx, type, config, owner)
    case 'code':
      return undefined
    default:
      throw new Error(`login with ${type} is not supported`)
  }
}

function toPassword(config: JsonObject, identifiers: readonly string[]): NewCredential | undefined {
  const { hashed_password, use_password_migration_hook } = configs.password.parse(config)
  if (!hashed_password && !use_password_migration_hook) return undefined
  if (hashed_password && !isImportableHash(hashed_password))
    throw new Error('the format of the password hash is unknown. The user can recover the account')
  return {
    type: 'password',
    identifiers: normalised('password', identifiers),
    config: hashed_password ? { hashed_password } : { use_password_migration_hook: true },
  }
}

async function toSecondFactor(
  ctx: Context,
  type: keyof typeof secondFactors,
  config: JsonObject,
  { identity_id, identifiers }: Owner,
): Promise<NewCredential | undefined> {
  const { totp_url, recovery_codes, credentials } = config
  if ([totp_url, recovery_codes, credentials].every(isEmpty)) return undefined
  const secondFactor = z.object(secondFactors).parse({ [type]: { config } })
  const names = normalised(type, identifiers)
  const [credential] = await importSecondFactors(ctx, secondFactor, { identity_id, identifiers: names })
  if (!credential || type !== 'passkey' || identifiers.length < 2) return credential
  // Among several handles, Kratos does not store which key has which.
  const keys = keysOf(credential).map(({ user_handle: _, ...key }) => key)
  const handles = identifiers.map((handle) => Buffer.from(handle).toString('base64url'))
  return { ...credential, identifiers: handles, config: configOf(keys) }
}

function isEmpty(value: Json | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

function normalised(type: string, identifiers: readonly string[]): string[] {
  return [...new Set(identifiers.map((identifier) => normaliseIdentifier(type, identifier)))]
}

function toSessions(ctx: Context, page: KratosPage, drop: Drop): KratosAccount['sessions'] {
  const devices = parseRows('session_devices', page.session_devices, drop)
  const identity_id = page.identities[0]?.id ?? ''
  return parseRows('sessions', page.sessions, drop).map(({ token, authentication_methods, ...session }) => ({
    token,
    session: {
      ...session,
      identity_id,
      methods: authentication_methods,
      devices: devices
        .filter(({ session_id }) => session_id === session.id)
        .map(({ session_id: _, ...device }) => device),
      // Kratos does not record it. Otherwise an idle timeout would end the session.
      last_active_at: ctx.now().toISOString(),
    },
  }))
}
