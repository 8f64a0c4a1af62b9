import type { BinaryLike, ScryptOptions } from 'node:crypto'
import { createCipheriv, createHash, createHmac, pbkdf2, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { isEqual } from '../secrets.ts'
import { md5Crypt, shaCrypt } from './unix-crypt.ts'

interface Format {
  readonly pattern: RegExp
  /** Whether every sign-in can afford the cost. */
  readonly fits?: (parts: readonly string[]) => boolean
  /** Undefined for argon2. */
  readonly matches?: (password: Buffer, parts: readonly string[]) => boolean | Promise<boolean>
}

export function isImportableHash(hash: string): boolean {
  return read(hash) !== undefined
}

export function importedVerifier(hash: string): ((password: string) => Promise<boolean>) | undefined {
  const { format, parts } = read(hash) ?? {}
  const matches = format?.matches
  if (!matches || !parts) return undefined
  return async (password) => await matches(Buffer.from(password), parts)
}

function read(hash: string): { readonly format: Format; readonly parts: readonly string[] } | undefined {
  for (const format of FORMATS) {
    const parts = format.pattern.exec(hash)
    if (parts) return (format.fits?.(parts) ?? true) ? { format, parts } : undefined
  }
  return undefined
}

const pbkdf2Async = promisify(pbkdf2)
const scryptAsync = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)

/** bcrypt ignores everything after this many bytes. */
export const BCRYPT_BYTES = 72

/** crypt(3) has no limit. PAM takes no longer passwords. */
const CRYPT_BYTES = 512

/** KiB times passes: libsodium's `SENSITIVE`. */
const MOST_ARGON2_WORK = 4 * 1_048_576

const FORMATS: readonly Format[] = [
  {
    pattern:
      /^\$argon2id?\$v=19\$m=([1-9]\d*),t=([1-9]\d*),p=([1-9]\d*)\$([A-Za-z0-9+/]{11,})\$([A-Za-z0-9+/]{6,})$/,
    fits: ([, m, t, p, ...encoded]) =>
      within(m, 1_048_576) &&
      within(t, 10) &&
      Number(m) * Number(t) <= MOST_ARGON2_WORK &&
      within(p, 16) &&
      Number(m) >= 8 * Number(p) &&
      encoded.every(isCanonical),
  },
  {
    pattern: /^\$2[abyz]?\$(\d\d)\$([./A-Za-z0-9]{53})$/,
    fits: ([, cost]) => within(cost, 15),
    matches: async (password, [, cost, rest]) =>
      // Compared first, so that a long password takes as long.
      (await verifyBcrypt(password, `$2b$${cost}$${rest}`)) && password.length <= BCRYPT_BYTES,
  },
  {
    pattern: /^\$pbkdf2-(sha(?:1|224|256|384|512))\$i=(\d+),l=(\d+)\$([\w+/]*)={0,2}\$([\w+/]+)={0,2}$/,
    // Each block of the digest's size takes all iterations.
    fits: ([, digest = '', iterations, length]) =>
      within(length, 512) &&
      within(iterations, 10_000_000 / Math.ceil(Number(length) / (DIGEST_BYTES[digest] ?? 20))),
    async matches(password, [, digest = '', iterations, length, salt, hash]) {
      const name = PBKDF2_DIGESTS[digest] ?? digest
      return same(await pbkdf2Async(password, bytes(salt), Number(iterations), Number(length), name), hash)
    },
  },
  {
    pattern: /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]*={0,2})\$([\w+/]+={0,2})$/,
    fits: ([, n, r, p]) => isPowerOfTwo(Number(n)) && within(n, 131_072) && within(r, 8) && within(p, 10),
    async matches(password, [, n, r, p, salt, hash]) {
      return same(await stretch(password, bytes(salt), bytes(hash).length, [n, r, p]), hash)
    },
  },
  {
    pattern:
      /^\$firescrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]*={0,2})\$([\w+/]+={0,2})\$([\w+/]*={0,2})\$([\w+/]+={0,2})$/,
    fits: ([, ln, r, p]) => within(ln, 17) && within(r, 8) && within(p, 10),
    async matches(password, [, ln, r, p, salt, hash, separator, signer]) {
      const salted = Buffer.concat([bytes(salt), bytes(separator)])
      const key = await stretch(password, salted, 32, [String(2 ** Number(ln)), r, p])
      return same(createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(bytes(signer)), hash)
    },
  },
  {
    pattern: /^\{SSHA(256|512)?\}([\w+/]+={0,2})$/,
    matches(password, [, size = '1', hash]) {
      const stored = bytes(hash)
      const length = { '1': 20, '256': 32 }[size] ?? 64
      const salted = Buffer.concat([password, stored.subarray(length)])
      return isEqual(digestOf(`sha${size}`, salted), stored.subarray(0, length))
    },
  },
  {
    pattern: /^\$(sha1|sha256|sha512|md5)\$pf=([\w+/]+={0,2})\$([\w+/]*={0,2})\$([\w+/]+={0,2})$/,
    matches: (password, [, name = '', template, salt, hash]) =>
      same(digestOf(name, filled(bytes(template).toString(), bytes(salt), password)), hash),
  },
  {
    pattern: /^\$(sha1|sha256|sha512|md5)\$([\w+/]+={0,2})$/,
    matches: (password, [, name = '', hash]) => same(digestOf(name, password), hash),
  },
  {
    pattern: /^\$(sha256|sha512)-crypt\$(?:rounds=(\d+)\$)?([^$]{0,64})\$([./A-Za-z0-9]{43,86})$/,
    fits: ([, , rounds = '5000']) => Number(rounds) >= 1000 && within(rounds, 1_000_000),
    async matches(password, [, name, rounds = '5000', salt = '', hash = '']) {
      // Every round hashes the whole password, whose length the caller chooses.
      if (password.length > CRYPT_BYTES) return false
      const digest = name === 'sha256' ? name : 'sha512'
      const computed = await shaCrypt(digest, password, Buffer.from(salt), Number(rounds))
      return isEqual(Buffer.from(computed), Buffer.from(hash))
    },
  },
  {
    pattern: /^\$md5-crypt\$([^$]{0,64})\$([./A-Za-z0-9]{22})$/,
    async matches(password, [, salt = '', hash = '']) {
      return isEqual(Buffer.from(await md5Crypt(password, Buffer.from(salt))), Buffer.from(hash))
    },
  },
  {
    pattern: /^\$hmac-(md5|sha1|sha224|sha256|sha384|sha512)\$([\w+/]+={0,2})\$([\w+/]*={0,2})$/,
    matches: (password, [, name = '', hash, key]) =>
      same(Buffer.from(createHmac(name, bytes(key)).update(password).digest('hex')), hash),
  },
]

const DIGEST_BYTES: Readonly<Record<string, number>> = { sha224: 28, sha256: 32, sha384: 48, sha512: 64 }

/** Kratos compatibility: these mean SHA-3. */
const PBKDF2_DIGESTS: Readonly<Record<string, string>> = { sha224: 'sha3-224', sha384: 'sha3-384' }

/** Only imported passwords need the native module. */
async function verifyBcrypt(password: Buffer, hash: string): Promise<boolean> {
  return await (await import('@node-rs/bcrypt')).verify(password, hash)
}

function stretch(
  password: Buffer,
  salt: Buffer,
  length: number,
  cost: readonly (string | undefined)[],
): Promise<Buffer> {
  const [N = 0, r = 0, p = 0] = cost.map(Number)
  return scryptAsync(password, salt, length, { N, r, p, maxmem: 256 * N * r + 1024 * r * p })
}

function filled(template: string, salt: Buffer, password: Buffer): Buffer {
  const parts = template.split(/(\{SALT\}|\{PASSWORD\})/)
  return Buffer.concat(
    parts.map((part) => {
      if (part === '{SALT}') return salt
      return part === '{PASSWORD}' ? password : Buffer.from(part)
    }),
  )
}

function digestOf(name: string, data: Buffer): Buffer {
  return createHash(name).update(data).digest()
}

function within(text: string | undefined, most: number): boolean {
  const value = Number(text)
  return value >= 1 && value <= most
}

/** The library throws on stray bits. */
function isCanonical(base64: string): boolean {
  return bytes(base64).toString('base64').replace(/=+$/, '') === base64
}

function isPowerOfTwo(n: number): boolean {
  return n > 1 && Number.isInteger(Math.log2(n))
}

function bytes(base64: string | undefined): Buffer {
  return Buffer.from(base64 ?? '', 'base64')
}

function same(computed: Buffer, base64: string | undefined): boolean {
  return isEqual(computed, bytes(base64))
}
