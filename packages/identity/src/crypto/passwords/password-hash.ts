import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import type { Config } from '../../config/config.ts'
import { normalise } from '../../input/normalise.ts'
import type { HashQueue, HashRequest, HashWatch } from './hash-queue.ts'
import { createHashQueue } from './hash-queue.ts'
import { importedVerifier } from './password-import.ts'

type Options = Config['hashers']

/** All methods throw `queueFull`. */
export interface PasswordHasher extends Pick<HashQueue, 'isFull' | 'expectForm' | 'expectHash'> {
  /** A PHC string. Throws `RangeError` above `MAX_CODE_POINTS`, which the policy checks first. */
  hash(password: string, request?: HashRequest): Promise<string>
  /** With the salt and cost of another hash, so that one computation compares with many. */
  hashLike(password: string, hash: string, request?: HashRequest): Promise<string>
  /** Returns false for an unknown format, at the usual cost. */
  verify(password: string, hash: string, request?: HashRequest): Promise<boolean>
  /** Takes as long as `verify`, for accounts without a password (SEC-14). */
  verifyDummy(password: string, request?: HashRequest): Promise<false>
  needsRehash(hash: string): boolean
}

export interface HasherParts {
  readonly watch: HashWatch
  readonly cores: number
  /** libuv's pool, shared with DNS and files. */
  readonly threads: number
  readonly queueLength: number
  readonly argon2: { readonly hash: typeof argon2Hash; readonly verify: typeof argon2Verify }
}

/** Counted in NFKC. Longer passwords are rejected without a hash (SEC-15). */
export const MAX_CODE_POINTS = 1024

export function createPasswordHasher(options: Options, parts: Partial<HasherParts> = {}): PasswordHasher {
  const argon2 = parts.argon2 ?? { hash: argon2Hash, verify: argon2Verify }
  const atOnce = hashesAtOnce(parts)
  const queue = createHashQueue(atOnce, parts.queueLength ?? queueLengthFor(options, atOnce), parts.watch)
  const dummy = dummyHash(options)
  const verify = async (password: string, hash: string, request: HashRequest = {}) => {
    const normalized = normalisePassword(password)
    if (normalized === undefined) {
      await request.begin?.()
      return false
    }
    return await queue.run(request, () => verifierFor(hash, argon2, dummy)(normalized, password))
  }
  return {
    verify,
    async verifyDummy(password, request) {
      await verify(password, dummy, request)
      return false
    },
    async hash(password, request = {}) {
      const normalized = normalisePassword(password)
      if (normalized === undefined)
        throw new RangeError(`a password has at most ${MAX_CODE_POINTS} characters`)
      const { memory, iterations, parallelism, key_length, salt_length } = options.argon2
      const cost = { memoryCost: memory / 1024, timeCost: iterations, parallelism, outputLen: key_length }
      return await queue.run(request, () =>
        argon2.hash(normalized, { ...cost, salt: randomBytes(salt_length) }),
      )
    },
    async hashLike(password, hash, request = {}) {
      const normalized = normalisePassword(password)
      const match = ARGON2ID.exec(hash)
      if (normalized === undefined || !match)
        throw new RangeError('not an argon2id hash, or the text is too long')
      const [memoryCost = 0, timeCost = 0, parallelism = 0] = match.slice(1, 4).map(Number)
      const [salt, digest] = match.slice(4).map((part) => Buffer.from(part, 'base64'))
      const cost = { memoryCost, timeCost, parallelism, outputLen: digest?.length ?? 32 }
      return await queue.run(request, () => argon2.hash(normalized, { ...cost, ...(salt && { salt }) }))
    },
    needsRehash: (hash) => !isAsConfigured(hash, options),
    isFull: queue.isFull,
    expectForm: queue.expectForm,
    expectHash: queue.expectHash,
  }
}

const ARGON2ID = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** NFKC, so that another keyboard's password matches. */
function normalisePassword(password: string): string | undefined {
  // NFKC cannot shrink a text eightfold.
  const normalized = normalise('NFKC', password, 8 * MAX_CODE_POINTS)
  if (normalized === undefined || normalized.length <= MAX_CODE_POINTS) return normalized
  return [...normalized].length <= MAX_CODE_POINTS ? normalized : undefined
}

/**
 * Imported formats also cost a dummy hash, so that timing reveals no imported passwords (SEC-14).
 * They were made without NFKC.
 */
function verifierFor(hash: string, argon2: HasherParts['argon2'], dummy: string) {
  if (/^\$argon2(id|i|d)\$/.test(hash)) return (password: string) => argon2.verify(hash, password)
  const imported = importedVerifier(hash)
  return async (normalized: string, typed: string) => {
    await argon2.verify(dummy, normalized)
    return (await imported?.(typed)) ?? false
  }
}

/** A hash of the usual cost that no password matches. */
function dummyHash({ argon2 }: Options): string {
  const part = (length: number) => randomBytes(length).toString('base64').replaceAll('=', '')
  const cost = `m=${argon2.memory / 1024},t=${argon2.iterations},p=${argon2.parallelism}`
  return `$argon2id$v=19$${cost}$${part(argon2.salt_length)}$${part(argon2.key_length)}`
}

function isAsConfigured(hash: string, { argon2 }: Options): boolean {
  const match = ARGON2ID.exec(hash)
  if (!match) return false
  const [memory = 0, iterations = 0, parallelism = 0] = match.slice(1, 4).map(Number)
  return (
    memory * 1024 >= argon2.memory && iterations >= argon2.iterations && parallelism >= argon2.parallelism
  )
}

/** One per core, but two threads stay free for DNS and files (FLT-20). */
function hashesAtOnce({
  cores = availableParallelism(),
  threads = threadPoolSize(),
}: Partial<HasherParts>): number {
  return Math.max(1, Math.min(cores, threads - 2))
}

function threadPoolSize(): number {
  return Number(process.env.UV_THREADPOOL_SIZE) || 4
}

/** A second of work: 45 hashes per core of 19 MiB and two passes. */
function queueLengthFor({ argon2 }: Options, atOnce: number): number {
  const secondOfWork = 45 * 2 * 19 * 1024 * 1024
  const perCore = Math.min(45, Math.round(secondOfWork / (argon2.memory * argon2.iterations)))
  return Math.max(8, perCore * atOnce)
}
