import type { Context } from '../contract/contract.ts'
import { STORED_PURPOSES } from '../crypto/secrets.ts'
import type { Credential, NewCredential } from '../storage/identities/credentials.ts'
import type { Json, JsonObject } from '../wire/identity.ts'

export function providerIdentifier({ provider, subject }: JsonObject): string {
  return `${provider}:${subject}`
}

export function providersOf(credential: Pick<Credential, 'config'> | undefined): readonly JsonObject[] {
  const list: Json | undefined = credential?.config.providers
  return Array.isArray(list) ? (list as JsonObject[]) : []
}

export function linkedProviders(credentials: readonly Pick<Credential, 'type' | 'config'>[]) {
  return providersOf(credentials.find(({ type }) => type === 'oidc')).map(({ provider }) => String(provider))
}

export function addProviders(previousCredential: Credential | undefined, added: readonly JsonObject[]) {
  const providersBefore = providersOf(previousCredential)
  const names = new Set(providersBefore.map(providerIdentifier))
  return withProviders(previousCredential, [
    ...providersBefore,
    ...added.filter((one) => !names.has(providerIdentifier(one))),
  ])
}

/** Fails if the credential changes in the meantime. */
export function withProvider(credentials: readonly Credential[], entry: JsonObject) {
  const previousCredential = credentials.find(({ type }) => type === 'oidc')
  const expects = { type: 'oidc' as const, previousCredential }
  return { expects, put: [addProviders(previousCredential, [entry])] }
}

export function withProviders(
  previousCredential: Pick<Credential, 'config'> | undefined,
  providers: readonly JsonObject[],
): NewCredential {
  const config = { ...previousCredential?.config, providers }
  return { type: 'oidc', identifiers: providers.map(providerIdentifier), config }
}

/** For display only: users can change most of them. */
const NAME_CLAIMS = ['email', 'preferred_username', 'nickname', 'name']

/** For the account's owner only. */
export function ownerNotes(claims: Readonly<Record<string, unknown>>, connected_at: string): JsonObject {
  const account = NAME_CLAIMS.map((name) => claims[name]).find(
    (value) => typeof value === 'string' && value !== '',
  )
  return { connected_at, ...(account === undefined ? {} : { account: String(account) }) }
}

export function withoutOwnerNotes({ account: _, connected_at: __, ...entry }: JsonObject): JsonObject {
  return entry
}

export interface ProviderTokens {
  readonly id_token?: string | undefined
  readonly access_token?: string | undefined
  readonly refresh_token?: string | undefined
}

const TOKEN_PURPOSE = STORED_PURPOSES.provider_token
const TOKEN_MEMBERS = ['initial_id_token', 'initial_access_token', 'initial_refresh_token'] as const

/** Tokens of the first sign-in, kept only if `ciphers.algorithm` names a cipher. */
export function sealTokens(ctx: Context, tokens: ProviderTokens): JsonObject {
  const storesTokens = ctx.config.ciphers.algorithm !== 'noop'
  const sealed = (token = '') =>
    storesTokens && token !== '' ? ctx.secrets.encrypt(TOKEN_PURPOSE, token) : ''
  return {
    initial_id_token: sealed(tokens.id_token),
    initial_access_token: sealed(tokens.access_token),
    initial_refresh_token: sealed(tokens.refresh_token),
  }
}

/** Without those that no configured secret decrypts, because an empty one means that none was kept. */
export function openTokens(ctx: Context, entry: JsonObject): JsonObject {
  const opened = TOKEN_MEMBERS.map((name) => [name, openToken(ctx, entry[name])])
  return { ...entry, ...Object.fromEntries(opened) }
}

function openToken(ctx: Context, sealed: Json | undefined): string | undefined {
  if (typeof sealed !== 'string' || sealed === '') return ''
  try {
    return ctx.secrets.decrypt(TOKEN_PURPOSE, sealed)
  } catch {
    return undefined
  }
}
