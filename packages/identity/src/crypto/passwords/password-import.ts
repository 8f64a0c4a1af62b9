import type { BinaryLike, ScryptOptions } from 'node:crypto'
import { createCipheriv, createHash, createHmac, pbkdf2, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { isEqual } from '../secrets.ts'
import { unixCrypt } from './unix-crypt.ts'

interface Format {
  /** With a group `hash` for Base64, whose length the text chooses. */
  readonly pattern: RegExp
  /** Expected milliseconds on one core of a small server; `NaN` for invalid parameters. Almost 0 by default. */
  readonly cost?: (parts: readonly string[]) => number
  /** Undefined for argon2. */
  readonly matches?: (password: Buffer, parts: readonly string[]) => boolean | Promise<boolean>
}

/** The bound of every format: the largest parameters that other libraries call sensitive. */
const HIGHEST_COST_MS = 2_500

/** Bounds what a short password costs, such as by a template that repeats it. */
const LONGEST_HASH = 8 * 1024

/** A truncated hash matches many passwords, an empty one all (SEC-128). */
const SHORTEST_BYTES = 16

export function isImportableHash(hash: string): boolean {
  return expectedCost(hash) !== undefined
}

/** In milliseconds. Undefined for hashes that are unknown, never match or cost too much. */
export function expectedCost(hash: string): number | undefined {
  return parseHash(hash)?.cost
}

export function importedVerifier(hash: string): ((password: string) => Promise<boolean>) | undefined {
  const { format, parts } = parseHash(hash) ?? {}
  const matches = format?.matches
  if (!matches || !parts) return undefined
  return async (password) => await matches(Buffer.from(password), parts)
}

function parseHash(hash: string) {
  if (hash.length > LONGEST_HASH) return undefined
  for (const format of FORMATS) {
    const parts = format.pattern.exec(hash)
    if (!parts) continue
    const { hash: encoded } = parts.groups ?? {}
    if (encoded !== undefined && decode(encoded).length < SHORTEST_BYTES) return undefined
    const cost = format.cost?.(parts) ?? 0
    return cost >= 0 && cost <= HIGHEST_COST_MS ? { format, parts, cost } : undefined
  }
  return undefined
}

const pbkdf2Async = promisify(pbkdf2)
const scryptAsync = promisify<BinaryLike, BinaryLike, number, ScryptOptions, Buffer>(scrypt)

/** bcrypt ignores everything after this many bytes. */
export const BCRYPT_BYTES = 72

/** crypt(3) has no limit. PAM takes no longer passwords. */
const CRYPT_BYTES = 512

/** Also bounds the memory of a hash. */
const MOST_ARGON2_KIB = 1_048_576

const FORMATS: readonly Format[] = [
  {
    pattern:
      /^\$argon2id?\$v=19\$m=([1-9]\d*),t=([1-9]\d*),p=([1-9]\d*)\$([A-Za-z0-9+/]{11,})\$(?<hash>[A-Za-z0-9+/]+)$/,
    cost: ([, m, t, p, ...encoded]) =>
      Number(m) <= MOST_ARGON2_KIB && Number(m) >= 8 * Number(p) && encoded.every(isCanonical)
        ? Number(m) * Number(t) * 0.000_57
        : Number.NaN,
  },
  {
    pattern: /^\$2[abyz]?\$(\d\d)\$([./A-Za-z0-9]{53})$/,
    cost: ([, cost]) => (Number(cost) >= 4 ? 250 * 2 ** (Number(cost) - 12) : Number.NaN),
    matches: async (password, [, cost, rest]) =>
      // Compared first, so that a long password takes as long. Only imported passwords need the native module.
      (await (await import('@node-rs/bcrypt')).verify(password, `$2b$${cost}$${rest}`)) &&
      password.length <= BCRYPT_BYTES,
  },
  {
    pattern:
      /^\$pbkdf2-(sha(?:1|224|256|384|512))\$i=(\d+),l=(\d+)\$([\w+/]*)={0,2}\$(?<hash>[\w+/]+)={0,2}$/,
    // Each block of the digest's size takes all iterations.
    cost([, digest = '', iterations, length]) {
      const { bytes, microseconds } = PBKDF2[digest] ?? PBKDF2.sha1
      const blocks = Math.ceil(Number(length) / bytes)
      return blocks > 0 && Number(iterations) > 0
        ? (Number(iterations) * blocks * microseconds) / 1000
        : Number.NaN
    },
    async matches(password, [, digest = '', iterations, length, salt, hash]) {
      const name = PBKDF2[digest]?.name ?? digest
      return equals(await pbkdf2Async(password, decode(salt), Number(iterations), Number(length), name), hash)
    },
  },
  {
    pattern: /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]*={0,2})\$(?<hash>[\w+/]+={0,2})$/,
    cost: ([, ln, r, p]) => scryptCost(scryptN(ln), r, p),
    async matches(password, [, ln, r, p, salt, hash]) {
      const cost = [String(scryptN(ln)), r, p]
      return equals(await stretch(password, decode(salt), decode(hash).length, cost), hash)
    },
  },
  {
    pattern:
      /^\$firescrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w+/]*={0,2})\$(?<hash>[\w+/]+={0,2})\$([\w+/]*={0,2})\$([\w+/]+={0,2})$/,
    cost: ([, ln, r, p]) => scryptCost(2 ** Number(ln), r, p),
    async matches(password, [, ln, r, p, salt, hash, separator, signer]) {
      const salted = Buffer.concat([decode(salt), decode(separator)])
      const key = await stretch(password, salted, 32, [String(2 ** Number(ln)), r, p])
      return equals(createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(decode(signer)), hash)
    },
  },
  {
    pattern: /^\{SSHA(256|512)?\}(?<hash>[\w+/]+={0,2})$/,
    matches(password, [, size = '1', hash]) {
      const stored = decode(hash)
      const length = { '1': 20, '256': 32 }[size] ?? 64
      const salted = Buffer.concat([password, stored.subarray(length)])
      return isEqual(digestOf(`sha${size}`, salted), stored.subarray(0, length))
    },
  },
  {
    pattern: /^\$(sha1|sha256|sha512|md5)\$pf=([\w+/]+={0,2})\$([\w+/]*={0,2})\$(?<hash>[\w+/]+={0,2})$/,
    cost: ([, , template]) => (decode(template).includes('{PASSWORD}') ? 0 : Number.NaN),
    matches: (password, [, name = '', template, salt, hash]) =>
      equals(digestOf(name, fill(decode(template).toString(), decode(salt), password)), hash),
  },
  {
    pattern: /^\$(sha1|sha256|sha512|md5)\$(?<hash>[\w+/]+={0,2})$/,
    matches: (password, [, name = '', hash]) => equals(digestOf(name, password), hash),
  },
  {
    pattern: /^\$(sha256|sha512)-crypt\$(?:rounds=(\d+)\$)?([^$]{0,64})\$([./A-Za-z0-9]{43,86})$/,
    cost: ([, , rounds = '5000']) =>
      Number(rounds) >= 1000 ? THREAD_MS + Number(rounds) * 0.0024 : Number.NaN,
    async matches(password, [, name, rounds = '5000', salt = '', hash = '']) {
      // Every round hashes the whole password, whose length the caller chooses.
      if (password.length > CRYPT_BYTES) return false
      const digest = name === 'sha256' ? name : 'sha512'
      const computed = await unixCrypt({ digest, password, salt, rounds: Number(rounds) })
      return isEqual(Buffer.from(computed), Buffer.from(hash))
    },
  },
  {
    pattern: /^\$md5-crypt\$([^$]{0,64})\$([./A-Za-z0-9]{22})$/,
    cost: () => THREAD_MS,
    async matches(password, [, salt = '', hash = '']) {
      const computed = await unixCrypt({ digest: 'md5', password, salt, rounds: 1000 })
      return isEqual(Buffer.from(computed), Buffer.from(hash))
    },
  },
  {
    pattern: /^\$hmac-(md5|sha1|sha224|sha256|sha384|sha512)\$(?<hash>[\w+/]+={0,2})\$([\w+/]*={0,2})$/,
    matches: (password, [, name = '', hash, key]) =>
      equals(Buffer.from(createHmac(name, decode(key)).update(password).digest('hex')), hash),
  },
]

/** Starting a thread. */
const THREAD_MS = 30

interface Pbkdf2 {
  readonly bytes: number
  /** Per iteration. */
  readonly microseconds: number
  readonly name?: string
}

const PBKDF2: Readonly<Record<string, Pbkdf2>> & { readonly sha1: Pbkdf2 } = {
  sha1: { bytes: 20, microseconds: 0.25 },
  sha256: { bytes: 32, microseconds: 0.4 },
  sha512: { bytes: 64, microseconds: 0.8 },
  // Kratos compatibility: these mean SHA-3.
  sha224: { bytes: 28, microseconds: 1.2, name: 'sha3-224' },
  sha384: { bytes: 48, microseconds: 1.2, name: 'sha3-384' },
}

/** Kratos compatibility: `ln` is N itself, but small values are its logarithm, as in PHC strings. */
function scryptN(ln: string | undefined): number {
  return Number(ln) < 32 ? 2 ** Number(ln) : Number(ln)
}

function scryptCost(n: number, r: string | undefined, p: string | undefined): number {
  const blocks = n * Number(r) * Number(p)
  const isPowerOfTwo = n > 1 && Number.isInteger(Math.log2(n))
  return isPowerOfTwo && blocks > 0 ? blocks * 0.000_45 : Number.NaN
}

function stretch(password: Buffer, salt: Buffer, length: number, cost: readonly (string | undefined)[]) {
  const [N = 0, r = 0, p = 0] = cost.map(Number)
  return scryptAsync(password, salt, length, { N, r, p, maxmem: 256 * N * r + 1024 * r * p })
}

function fill(template: string, salt: Buffer, password: Buffer): Buffer {
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

/** The library throws on stray bits. */
function isCanonical(base64: string): boolean {
  return decode(base64).toString('base64').replace(/=+$/, '') === base64
}

function decode(base64: string | undefined): Buffer {
  return Buffer.from(base64 ?? '', 'base64')
}

function equals(computed: Buffer, base64: string | undefined): boolean {
  return isEqual(computed, decode(base64))
}
