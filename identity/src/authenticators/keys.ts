import type { AttestedKey } from '../crypto/webauthn.ts'
import type { Credential } from '../storage/credentials.ts'
import type { JsonObject } from '../wire/identity.ts'

/** A key of somebody's authenticator, as it stands in a credential. Ids and keys are base64url. */
export interface Key {
  readonly id: string
  /** COSE. */
  readonly public_key: string
  readonly attestation_type: string
  readonly display_name: string
  readonly added_at: string
  /** It signs somebody in by itself; else it is a second factor. */
  readonly is_passwordless: boolean
  /** What the authenticator gives back at every login, where it keeps who it belongs to. */
  readonly user_handle?: string
  /** When it last signed its owner in. */
  readonly last_used_at?: string
  readonly authenticator: { readonly aaguid: string; readonly sign_count: number }
}

/** The keys of a credential, in the order in which they were added. */
export function keysOf(credential: Pick<Credential, 'config'> | undefined): readonly Key[] {
  const keys = credential?.config.credentials
  return Array.isArray(keys) ? (keys as unknown as Key[]) : []
}

/** What a credential with these keys holds. */
export function configOf(keys: readonly Key[]): JsonObject {
  return { credentials: keys as unknown as JsonObject[] }
}

export function newKey(
  { sign_count, aaguid, ...attested }: AttestedKey,
  rest: Omit<Key, keyof AttestedKey | 'authenticator'>,
): Key {
  return { ...attested, ...rest, authenticator: { aaguid, sign_count } }
}

/** The same keys, one of them used just now. */
export function withUse(
  keys: readonly Key[],
  id: string,
  { sign_count, last_used_at }: { readonly sign_count: number; readonly last_used_at: string },
): readonly Key[] {
  return keys.map((key) =>
    key.id === id ? { ...key, last_used_at, authenticator: { ...key.authenticator, sign_count } } : key,
  )
}

/** How a button names the key that it removes. */
export function removalId({ id }: Pick<Key, 'id'>): string {
  return Buffer.from(id, 'base64url').toString('hex')
}
