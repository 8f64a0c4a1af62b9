import type { IdentityChange } from '../contract/done.ts'
import type { Credential, NewCredential } from '../storage/identities/credentials.ts'
import type { Json, JsonObject } from '../wire/identity.ts'

/** The credential identifier of a provider account. */
export function providerIdentifier({ provider, subject }: JsonObject): string {
  return `${provider}:${subject}`
}

/** The provider accounts of a credential. */
export function providersOf(credential: Pick<Credential, 'config'> | undefined): readonly JsonObject[] {
  const list: Json | undefined = credential?.config.providers
  return Array.isArray(list) ? (list as JsonObject[]) : []
}

/** The ids of the providers at which these credentials have an account. */
export function linkedProviders(
  credentials: readonly Pick<Credential, 'type' | 'config'>[],
): readonly string[] {
  return providersOf(credentials.find(({ type }) => type === 'oidc')).map(({ provider }) => String(provider))
}

/** The credential with further provider accounts. */
export function addProviders(before: Credential | undefined, added: readonly JsonObject[]): NewCredential {
  const known = providersOf(before)
  const names = new Set(known.map(providerIdentifier))
  return withProviders(before, [...known, ...added.filter((one) => !names.has(providerIdentifier(one)))])
}

/** Adds a provider account, unless the credential changes in the meantime. */
export function withProvider(own: readonly Credential[], entry: JsonObject): IdentityChange {
  const before = own.find(({ type }) => type === 'oidc')
  const expects = { type: 'oidc' as const, version: before?.version }
  return { expects, put: [addProviders(before, [entry])] }
}

/** The credential with exactly these provider accounts. */
export function withProviders(
  before: Pick<Credential, 'config'> | undefined,
  providers: readonly JsonObject[],
): NewCredential {
  const config = { ...before?.config, providers }
  return { type: 'oidc', identifiers: providers.map(providerIdentifier), config }
}

/** Claims that help users to tell provider accounts apart. Display only: most can be changed at the provider. */
const NAMES = ['email', 'preferred_username', 'nickname', 'name']

/** Stored with a connection, shown to its owner only. */
export function ownerNotes(claims: Readonly<Record<string, unknown>>, connected_at: string): JsonObject {
  const account = NAMES.map((name) => claims[name]).find((value) => typeof value === 'string' && value !== '')
  return { connected_at, ...(account === undefined ? {} : { account: String(account) }) }
}

/** A connection as Ory Kratos shows it to operators. */
export function withoutOwnerNotes({ account: _, connected_at: __, ...entry }: JsonObject): JsonObject {
  return entry
}
