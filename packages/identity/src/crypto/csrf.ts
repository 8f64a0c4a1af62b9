import { randomBytes } from 'node:crypto'
import { isEqual } from './secrets.ts'

const BYTES = 32

export function newCsrfSecret(): string {
  return randomBytes(BYTES).toString('base64')
}

export function isCsrfSecret(value: string): boolean {
  return strictBase64(value)?.length === BYTES
}

/** The token for forms: a random pad, then the secret XOR the pad. A new pad per response prevents BREACH. */
export function maskCsrf(secret: string): string {
  const pad = randomBytes(BYTES)
  return Buffer.concat([pad, xor(Buffer.from(secret, 'base64'), pad)]).toString('base64')
}

export function csrfTokenMatches(token: string, secret: string): boolean {
  const bytes = strictBase64(token)
  if (!bytes) return false
  const bare = bytes.length === 2 * BYTES ? xor(bytes.subarray(BYTES), bytes.subarray(0, BYTES)) : bytes
  const secretBytes = Buffer.from(secret, 'base64')
  return bare.length === BYTES && isEqual(bare, secretBytes)
}

function xor(bytes: Buffer, pad: Buffer): Buffer {
  return Buffer.from(bytes.map((byte, index) => byte ^ (pad[index] ?? 0)))
}

// Buffer.from ignores invalid characters. The masked token is the longest form.
function strictBase64(text: string): Buffer | undefined {
  if (text.length > 88) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}
