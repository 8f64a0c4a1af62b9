import { createDecipheriv, createHash, createHmac } from 'node:crypto'
import { isEqual } from './secrets.ts'

const MAC_BYTES = 32
const NONCE_BYTES = 16

/**
 * Opens a session cookie of Ory Kratos v26.2.0, so that browsers stay signed in after a move. It is
 * base64url of `time|base64url(nonce, ciphertext)|MAC`, where the plain text is Go's gob.
 */
export function openKratosCookie(name: string, value: string, secrets: readonly string[]) {
  const bytes = Buffer.from(value, 'base64url')
  const mac = bytes.subarray(-MAC_BYTES)
  const signed = bytes.subarray(0, -MAC_BYTES - 1).toString('latin1')
  const sealed = Buffer.from(signed.split('|')[1] ?? '', 'base64url')
  const secret = secrets.find((one) =>
    isEqual(mac, createHmac('sha256', one).update(`${name}|${signed}`, 'latin1').digest()),
  )
  if (secret === undefined || sealed.length < NONCE_BYTES) return undefined
  const key = createHash('sha256').update(secret).digest()
  const text = createDecipheriv('aes-256-ctr', key, sealed.subarray(0, NONCE_BYTES))
    .update(sealed.subarray(NONCE_BYTES))
    .toString('latin1')
  const token = /ory_st_[A-Za-z0-9]{32}/.exec(text)?.[0]
  const expires = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(text)?.[0]
  return token && expires ? { token, expires: Date.parse(`${expires}Z`) / 1000 } : undefined
}
