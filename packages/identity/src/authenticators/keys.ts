import type { AttestedKey } from '../crypto/webauthn.ts'
import type { Credential } from '../storage/identities/credentials.ts'
import type { JsonObject } from '../wire/identity.ts'

export interface Key extends Pick<AttestedKey, 'id' | 'public_key' | 'attestation_type'> {
  readonly display_name: string
  readonly added_at: string
  /** Such as "Chrome on Linux". Unknown for imported keys. */
  readonly added_in?: string
  /** Otherwise a second factor. */
  readonly is_passwordless: boolean
  readonly user_handle?: string
  readonly last_used_at?: string
  readonly authenticator: { readonly aaguid: string; readonly sign_count: number }
}

/** The protocol's name for a key without one. */
export const UNNAMED = 'unnamed'

/** In order of addition. */
export function keysOf(credential: Pick<Credential, 'config'> | undefined): readonly Key[] {
  const keys = credential?.config.credentials
  return Array.isArray(keys) ? (keys as unknown as Key[]) : []
}

export function configOf(keys: readonly Key[]): JsonObject {
  return { credentials: keys as unknown as JsonObject[] }
}

export function newKey(
  { sign_count, aaguid, ...attested }: AttestedKey,
  rest: Omit<Key, keyof AttestedKey | 'authenticator'>,
): Key {
  return { ...attested, ...rest, authenticator: { aaguid, sign_count } }
}

export function removalId({ id }: Pick<Key, 'id'>): string {
  return Buffer.from(id, 'base64url').toString('hex')
}

/** Kratos compatibility: bytes are in base64. */
export function adminConfigOf(_ctx: unknown, credential: Credential): JsonObject {
  const keys = keysOf(credential).map((key) => ({
    ...key,
    id: base64(key.id),
    public_key: base64(key.public_key),
    ...(key.user_handle !== undefined && { user_handle: base64(key.user_handle) }),
    authenticator: {
      ...key.authenticator,
      aaguid: base64(key.authenticator.aaguid.replaceAll('-', ''), 'hex'),
    },
  }))
  const { user_handle } = keys.find((key) => key.user_handle !== undefined) ?? {}
  return { credentials: keys, ...(user_handle !== undefined && { user_handle }) }
}

function base64(text: string, encoding: 'base64url' | 'hex' = 'base64url'): string {
  return Buffer.from(text, encoding).toString('base64')
}
