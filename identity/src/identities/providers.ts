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
