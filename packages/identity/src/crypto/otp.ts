import { createHmac, randomBytes } from 'node:crypto'
import { isEqual } from './secrets.ts'

// Backup codes, and TOTP (RFC 6238) as all authenticator apps support it.

const STEP_MS = 30_000
const DIGITS = 6
/** Phone clocks may be off by one step. */
const WINDOW = 1

/** 160 bits, as RFC 4226 recommends, in base32. */
export function newTotpSecret(): string {
  return base32(randomBytes(20))
}

export function totpUrl(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  const query = `algorithm=SHA1&digits=${DIGITS}&issuer=${encodeURIComponent(issuer)}&period=${STEP_MS / 1000}`
  return `otpauth://totp/${label}?${query}&secret=${secret}`
}

export function secretOfTotpUrl(url: string): string {
  return new URL(url).searchParams.get('secret') ?? ''
}

/** RFC 4226, 4: the least bytes of a secret. */
const LEAST_SECRET = 10

/** Throws for a URL of another algorithm, length or period than `checkTotp` has. */
export function assertTotpUrl(url: string): void {
  const { protocol, host, searchParams } = new URL(url)
  if (protocol !== 'otpauth:' || host !== 'totp') throw new Error('expected otpauth://totp/')
  const expected = { algorithm: 'SHA1', digits: String(DIGITS), period: String(STEP_MS / 1000) }
  for (const [name, value] of Object.entries(expected)) {
    if ((searchParams.get(name) ?? value).toUpperCase() !== value)
      throw new Error(`expected ${name} ${value}`)
  }
  const secret = searchParams.get('secret') ?? ''
  if (!/^[A-Z2-7]+=*$/i.test(secret) || fromBase32(secret).length < LEAST_SECRET)
    throw new Error(`expected a secret in base32 of at least ${LEAST_SECRET} bytes`)
}

export type TotpCheck =
  | { readonly kind: 'right'; readonly step: number }
  | { readonly kind: 'used' }
  | { readonly kind: 'wrong' }

/** Accepts only steps after `lastStep`, so that no code works twice (RFC 6238, 5.2). */
export function checkTotp(secret: string, code: string, now: Date, lastStep = -1): TotpCheck {
  const present = Math.floor(now.getTime() / STEP_MS)
  const window = Array.from({ length: 2 * WINDOW + 1 }, (_, index) => present - WINDOW + index)
  const key = fromBase32(secret)
  const typed = Buffer.from(code)
  // Compares all of them, so that timing reveals nothing.
  const matching = window.filter((step) => isEqual(Buffer.from(totpCode(key, step)), typed))
  if (matching.length === 0) return { kind: 'wrong' }
  const step = matching.find((one) => one > lastStep)
  return step === undefined ? { kind: 'used' } : { kind: 'right', step }
}

/** The code that an authenticator app shows at a time in milliseconds. */
export function oneTimeCode(secret: string, at: number): string {
  return totpCode(fromBase32(secret), Math.floor(at / STEP_MS))
}

/** RFC 4226, 5.3; `step` counts 30 seconds since 1970. */
export function totpCode(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.max(0, step)))
  const mac = createHmac('sha1', key).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fffffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

export function fromBase32(text: string): Buffer {
  const bits = [...text.toUpperCase()]
    .map((letter) => BASE32.indexOf(letter))
    .filter((value) => value >= 0)
    .map((value) => value.toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

/** Without 0, o, 1 and l, which look alike. */
const READABLE = 'abcdefghijkmnpqrstuvwxyz23456789'
const BACKUP_CODE_LENGTH = 10
const BACKUP_CODES = 12

/** 50 bits each. */
export function newBackupCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < BACKUP_CODES) {
    codes.add([...randomBytes(BACKUP_CODE_LENGTH)].map((byte) => READABLE[byte % READABLE.length]).join(''))
  }
  return [...codes]
}
