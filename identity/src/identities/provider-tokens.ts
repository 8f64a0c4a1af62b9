import type { Context } from '../contract.ts'
import type { Json, JsonObject } from '../wire/identity.ts'

/** What a provider gave beside the claims, as its token endpoint names it. */
export interface ProviderTokens {
  readonly id_token?: string | undefined
  readonly access_token?: string | undefined
  readonly refresh_token?: string | undefined
}

const PURPOSE = 'provider token'
const MEMBERS = ['initial_id_token', 'initial_access_token', 'initial_refresh_token'] as const

/**
 * The tokens of the first sign-in as a credential keeps them. Nothing here needs them, so they are kept only where
 * `ciphers.algorithm` names a cipher: the operator wants them, and encrypted.
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

/** The same for an operator who asks for them. What no secret opens is shown as not there. */
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
