import type { Credential, NewCredential } from '../storage/credentials.ts'
import type { Json, JsonObject } from '../wire/identity.ts'

/** By what somebody is found who signs in with a provider's account. */
export function providerIdentifier({ provider, subject }: JsonObject): string {
  return `${provider}:${subject}`
}

/** The accounts at providers that a credential holds. */
export function providersOf(credential: Pick<Credential, 'config'> | undefined): readonly JsonObject[] {
  const list: Json | undefined = credential?.config.providers
  return Array.isArray(list) ? (list as JsonObject[]) : []
}

/** Accounts at providers beside those that somebody has already. */
export function addProviders(before: Credential | undefined, added: readonly JsonObject[]): NewCredential {
  const known = providersOf(before)
  const names = new Set(known.map(providerIdentifier))
  return withProviders(before, [...known, ...added.filter((one) => !names.has(providerIdentifier(one)))])
}

/** The credential holding exactly these. */
export function withProviders(
  before: Pick<Credential, 'config'> | undefined,
  providers: readonly JsonObject[],
): NewCredential {
  const config = { ...before?.config, providers }
  return { type: 'oidc', identifiers: providers.map(providerIdentifier), config }
}

/** By what owners tell their accounts at a provider apart. Nothing may be decided by it: most of it can be changed there. */
const NAMES = ['email', 'preferred_username', 'nickname', 'name']

/** Kept beside a connection for its owner alone. */
export function ownerNotes(claims: Readonly<Record<string, unknown>>, connected_at: string): JsonObject {
  const account = NAMES.map((name) => claims[name]).find((value) => typeof value === 'string' && value !== '')
  return { connected_at, ...(account === undefined ? {} : { account: String(account) }) }
}

/** A connection as Ory Kratos shows it to operators. */
export function withoutOwnerNotes({ account: _, connected_at: __, ...entry }: JsonObject): JsonObject {
  return entry
}
