import type { Context } from '../contract/contract.ts'
import type { Json, JsonObject } from '../wire/identity.ts'

/** The tokens in a provider's token response, by their names there. */
export interface ProviderTokens {
  readonly id_token?: string | undefined
  readonly access_token?: string | undefined
  readonly refresh_token?: string | undefined
}

const PURPOSE = 'provider token'
const MEMBERS = ['initial_id_token', 'initial_access_token', 'initial_refresh_token'] as const

/**
 * The tokens of the first sign-in, encrypted for storage. The service does not use them itself, so it keeps them only
 * if `ciphers.algorithm` names a cipher.
 */
export function sealTokens(ctx: Context, tokens: ProviderTokens): JsonObject {
  const wanted = ctx.config.ciphers.algorithm !== 'noop'
  const sealed = (token = '') => (wanted && token !== '' ? ctx.secrets.encrypt(PURPOSE, token) : '')
  return {
    initial_id_token: sealed(tokens.id_token),
    initial_access_token: sealed(tokens.access_token),
    initial_refresh_token: sealed(tokens.refresh_token),
  }
}

/** Decrypts the tokens for an operator. Omits those that no configured secret decrypts. */
export function openTokens(ctx: Context, entry: JsonObject): JsonObject {
  const opened = MEMBERS.map((name) => [name, open(ctx, entry[name])])
  return { ...entry, ...Object.fromEntries(opened) }
}

function open(ctx: Context, sealed: Json | undefined): string {
  if (typeof sealed !== 'string' || sealed === '') return ''
  try {
    return ctx.secrets.decrypt(PURPOSE, sealed)
  } catch {
    return ''
  }
}
