import { randomBytes } from 'node:crypto'
import type { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import type { Config } from '../../config/config.ts'
import { importedVerifier } from './password-import.ts'

type Options = Config['hashers']

export interface Argon2 {
  readonly hash: typeof argon2Hash
  readonly verify: typeof argon2Verify
}

interface Password {
  readonly normalized: string
  /** Imported hashes were made without NFKC. */
  readonly typed: string
}

export interface Algorithm {
  hash(normalized: string): Promise<string>
  owns(hash: string): boolean
  isAsConfigured(hash: string): boolean
  verify(hash: string, password: Password): Promise<boolean>
  /** A hash of the usual cost that no password matches. */
  readonly dummy: string
  /** Hashes that a core computes in a second. */
  readonly perSecond: number
}

export interface Argon2id extends Algorithm {
  /** With the salt and cost of another hash. */
  hashLike(normalized: string, hash: string): Promise<string>
}

export function argon2id({ argon2: options }: Options, argon2: Argon2): Argon2id {
  const { memory, iterations, parallelism, salt_length, key_length } = options
  const part = (length: number) => randomBytes(length).toString('base64').replaceAll('=', '')
  const cost = { memoryCost: memory / 1024, timeCost: iterations, parallelism, outputLen: key_length }
  // 45 hashes of 19 MiB in two passes.
  const secondOfWork = 45 * 2 * 19 * 1024 * 1024
  return {
    hash: (normalized) => argon2.hash(normalized, { ...cost, salt: randomBytes(salt_length) }),
    hashLike(normalized, hash) {
      const match = ARGON2ID.exec(hash)
      if (!match) throw new RangeError('not an argon2id hash')
      const [memoryCost = 0, timeCost = 0, parallelism = 0] = match.slice(1, 4).map(Number)
      const [salt, digest] = match.slice(4).map((part) => Buffer.from(part, 'base64'))
      const like = { memoryCost, timeCost, parallelism, outputLen: digest?.length ?? 32 }
      return argon2.hash(normalized, { ...like, ...(salt && { salt }) })
    },
    owns: (hash) => /^\$argon2(id|i|d)\$/.test(hash),
    isAsConfigured(hash) {
      const [m = 0, t = 0, p = 0] = (ARGON2ID.exec(hash) ?? []).slice(1, 4).map(Number)
      return m * 1024 >= memory && t >= iterations && p >= parallelism
    },
    verify: (hash, { normalized }) => argon2.verify(hash, normalized),
    dummy: `$argon2id$v=19$m=${memory / 1024},t=${iterations},p=${parallelism}$${part(salt_length)}$${part(key_length)}`,
    perSecond: secondOfWork / (memory * iterations),
  }
}

const ARGON2ID = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

export function bcrypt({ bcrypt: { cost } }: Options): Algorithm {
  return {
    hash: async (normalized) => await (await import('@node-rs/bcrypt')).hash(normalized, cost),
    owns: (hash) => BCRYPT.test(hash),
    isAsConfigured: (hash) => Number(BCRYPT.exec(hash)?.[1]) >= cost,
    async verify(hash, { normalized, typed }) {
      const matches = importedVerifier(hash)
      if (!matches) return false
      return (await matches(normalized)) || (typed !== normalized && (await matches(typed)))
    },
    dummy: `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`,
    perSecond: 4 * 2 ** (12 - cost),
  }
}

const BCRYPT = /^\$2[abyz]?\$(\d\d)\$/
