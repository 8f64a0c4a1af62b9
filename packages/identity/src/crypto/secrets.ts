import type { KeyObject } from 'node:crypto'
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Of texts that stay encrypted in the database. */
export const STORED_PURPOSES = {
  totp: 'totp',
  provider_token: 'provider token',
  message: 'courier',
  signing_key: 'signing-key',
  session_exchange: 'session exchange',
} as const

/** The first secret of each list encrypts and signs, all decrypt and verify. */
export interface SecretLists {
  readonly default: readonly string[]
  readonly cookie: readonly string[]
  readonly cipher: readonly string[]
  readonly pagination: readonly string[]
}

/**
 * A value of one purpose is invalid for another. `cookie…` and `pagination…` use the list of that
 * name. Others encrypt with `cipher` and sign with `default`. An empty list falls back to
 * `default`.
 */
export type Secrets = ReturnType<typeof createSecrets>

/** The message is for operators. */
export class UnreadableText extends Error {
  constructor(purpose: string) {
    super(
      `a text (${purpose}) cannot be decrypted with any of the configured secrets: append the one that was dropped or changed`,
    )
  }
}

/** For users. */
export const UNREADABLE =
  'Something that we stored for this cannot be read right now. Start again or use another method, or contact support if that does not help.'

export function createSecrets(lists: SecretLists) {
  if (lists.default.length === 0) throw new Error('secrets.default is empty')
  const keysFor = cachedKeys(lists)
  const decrypt = (purpose: string, sealed: string) =>
    decryptText(keysFor('encrypt', purpose), purpose, sealed)
  return {
    /** AES-256-GCM, base64url: key id, nonce, ciphertext, tag. */
    encrypt: (purpose: string, text: string) =>
      encryptText(currentKey(keysFor('encrypt', purpose)), purpose, text),
    /** Throws `UnreadableText` if modified, or encrypted for another purpose or with an unknown secret. */
    decrypt,
    /** The JSON in such a text. Undefined where `decrypt` throws. */
    openJson(purpose: string, sealed: string): unknown {
      try {
        return JSON.parse(decrypt(purpose, sealed))
      } catch {
        return undefined
      }
    },
    /** HMAC-SHA-256, base64url. */
    mac: (purpose: string, text: string) =>
      sign(currentKey(keysFor('mac', purpose)), text).toString('base64url'),
    verifyMac(purpose: string, text: string, mac: string): boolean {
      const givenMac = Buffer.from(mac, 'base64url')
      let matches = false
      for (const key of keysFor('mac', purpose)) if (isEqual(sign(key, text), givenMac)) matches = true
      return matches
    },
  }
}

/** Fingerprints of the secrets in each list. */
export function secretMarks(lists: SecretLists): Record<string, string[]> {
  const marks = (use: Use, purpose: string) =>
    secretsFor(lists, use, purpose).map((secret) => deriveKey(secret, 'fingerprint').id.toString('base64url'))
  return {
    sign: marks('mac', ''),
    encrypt: marks('encrypt', ''),
    cookie: marks('mac', 'cookie'),
    pagination: marks('mac', 'pagination'),
  }
}

type Use = 'encrypt' | 'mac'

interface Key {
  /** Derived from the secret. */
  readonly id: Buffer
  /** A key object per use would cost six HMACs. */
  readonly key: KeyObject
}

const ID_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16

function cachedKeys(lists: SecretLists): (use: Use, purpose: string) => readonly Key[] {
  const cache = new Map<string, readonly Key[]>()
  return (use, purpose) => {
    const name = `${use} ${purpose}`
    const cachedEntry = cache.get(name)
    if (cachedEntry) return cachedEntry
    const keys = secretsFor(lists, use, purpose).map((secret) => deriveKey(secret, name))
    cache.set(name, keys)
    return keys
  }
}

function secretsFor(lists: SecretLists, use: Use, purpose: string): readonly string[] {
  if (purpose.startsWith('cookie')) return lists.cookie.length > 0 ? lists.cookie : lists.default
  if (purpose.startsWith('pagination')) return lists.pagination.length > 0 ? lists.pagination : lists.default
  // For texts from before a cipher secret was configured.
  return use === 'encrypt' ? [...lists.cipher, ...lists.default] : lists.default
}

/** The index of the secret that encrypted the text, or -1. */
export function indexOfSecret(lists: SecretLists, purpose: string, sealed: string): number {
  const id = Buffer.from(sealed, 'base64url').subarray(0, ID_BYTES)
  const name = `encrypt ${purpose}`
  return secretsFor(lists, 'encrypt', purpose).findIndex((secret) => deriveKey(secret, name).id.equals(id))
}

function deriveKey(secret: string, name: string): Key {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', `ostiary identity ${name}`, 32 + ID_BYTES))
  return { key: createSecretKey(bytes.subarray(0, 32)), id: bytes.subarray(32) }
}

function encryptText({ id, key }: Key, purpose: string, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(purpose))
  const sealed = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([id, nonce, ...sealed, cipher.getAuthTag()]).toString('base64url')
}

function decryptText(keys: readonly Key[], purpose: string, text: string): string {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length < ID_BYTES + NONCE_BYTES + TAG_BYTES) throw new UnreadableText(purpose)
  for (const { id, key } of keys) {
    if (!id.equals(bytes.subarray(0, ID_BYTES))) continue
    try {
      return openWith(key, purpose, bytes.subarray(ID_BYTES))
    } catch {
      // Another secret may have the same id: try the next one.
    }
  }
  throw new UnreadableText(purpose)
}

function openWith(key: KeyObject, purpose: string, bytes: Buffer): string {
  const nonce = bytes.subarray(0, NONCE_BYTES)
  const sealed = bytes.subarray(NONCE_BYTES, -TAG_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(purpose))
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8')
}

function sign({ key }: Key, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function currentKey(keys: readonly Key[]): Key {
  const [key] = keys
  if (!key) throw new Error('no secret')
  return key
}

/** In constant time, except for the length. */
export function isEqual(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
