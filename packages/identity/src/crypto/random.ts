import { hash, randomBytes, randomInt, randomUUID } from 'node:crypto'

/** Because of the brand, storing a raw token is a type error. */
export type TokenHash = string & { readonly __brand: 'TokenHash' }

/** The nil UUID (RFC 9562, 5.9), which sorts before all others. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000'

export function newId(): string {
  return randomUUID()
}

/** 43 characters have 256 bits. */
export function randomToken(length = 43): string {
  let token = ''
  while (token.length < length) token += base62(randomBytes(length * 2))
  return token.slice(0, length)
}

/** May have leading zeros. */
export function randomCode(digits: number): string {
  return String(randomInt(10 ** digits)).padStart(digits, '0')
}

/** Only for random tokens: guessable values need a MAC or a password hash. */
export function hashToken(token: string): TokenHash {
  return hash('sha256', token, 'base64url') as TokenHash
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** Larger bytes would make the first characters more likely. */
const FAIR_BYTES = 256 - (256 % ALPHABET.length)

function base62(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) if (byte < FAIR_BYTES) text += ALPHABET[byte % ALPHABET.length]
  return text
}
