import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import type { Config } from '../../config/config.ts'
import { normalise } from '../../input/normalise.ts'
import { createHashQueue, type HashRequest, type HashWatch } from './hash-queue.ts'
import { BCRYPT_BYTES, expectedCost, importedVerifier } from './password-import.ts'

type Options = Config['hashers']

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

export interface HasherParts {
  readonly watch: HashWatch
  readonly cores: number
  /** libuv's pool, shared with DNS and files. */
  readonly threads: number
  readonly queueLength: number
  readonly argon2: Argon2
  readonly sleep: (milliseconds: number) => Promise<unknown>
}

/** Counted in NFKC. Longer passwords are rejected without a hash (SEC-15). */
export const MAX_CODE_POINTS = 1024

/** All methods throw `queueFull`. */
export function createPasswordHasher(options: Options, parts: Partial<HasherParts> = {}) {
  const argon2 = argon2id(options, parts.argon2 ?? { hash: argon2Hash, verify: argon2Verify })
  const all = { argon2, bcrypt: bcrypt(options) }
  const primary = all[options.algorithm]
  const atOnce = hashesAtOnce(parts)
  const queueLength = parts.queueLength ?? queueLengthFor(primary, atOnce)
  const { run, ...expectations } = createHashQueue(atOnce, queueLength, parts.watch)
  const costs = createCosts(primary, options.check_duration)
  // bcrypt ignores the end of longer passwords.
  const algorithmFor = (normalized: string) =>
    Buffer.byteLength(normalized) <= BCRYPT_BYTES ? primary : argon2
  const check = async (
    password: string,
    storedHash: string | undefined,
    request: HashRequest = {},
    checkElsewhere = async () => false,
  ) => {
    const normalized = normalisePassword(password)
    if (normalized === undefined) {
      await request.begin?.()
      return false
    }
    const typed = { normalized, typed: password }
    const hash = storedHash ?? primary.dummy
    let startedAt = 0
    const compare = async () => {
      startedAt = performance.now()
      const algorithm = Object.values(all).find(({ owns }) => owns(hash))
      // So that timing reveals no imported passwords (SEC-14).
      if (algorithm !== primary) await primary.verify(primary.dummy, typed)
      return algorithm
        ? await algorithm.verify(hash, typed)
        : ((await importedVerifier(hash)?.(password)) ?? false)
    }
    const matches = await run(request, compare, costs.slotsOf(hash))
    const isRight = storedHash === undefined ? await checkElsewhere() : matches
    const rest = startedAt + costs.padding() - performance.now()
    if (rest > 0) await (parts.sleep ?? sleep)(rest)
    return isRight
  }
  return {
    /** Returns false for an unknown format, at the usual cost. Takes as long for every hash (SEC-109). */
    verify: (password: string, hash: string, request?: HashRequest) => check(password, hash, request),
    /** Takes as long as `verify`, for accounts without a password (SEC-14). `elsewhere` is called afterwards. */
    verifyDummy: (password: string, request?: HashRequest, elsewhere?: () => Promise<boolean>) =>
      check(password, undefined, request, elsewhere),
    /** Whether this is the hash of a password. If so, checks take as long as its from now on. */
    accepts: (hash: string) => costs.learn(hash) !== undefined,
    /** Throws `RangeError` above `MAX_CODE_POINTS`, which the policy checks first. */
    async hash(password: string, request: HashRequest = {}): Promise<string> {
      const normalized = normalisedOrThrow(password)
      return await run(request, () => algorithmFor(normalized).hash(normalized))
    },
    /** Argon2id, with the salt and cost of `like`, so that one computation compares with many. */
    async hashArgon2(text: string, like: string | undefined, request: HashRequest = {}): Promise<string> {
      const normalized = normalisedOrThrow(text)
      return await run(request, () =>
        like === undefined ? argon2.hash(normalized) : argon2.hashLike(normalized, like),
      )
    },
    needsRehash: (hash: string, password: string) =>
      !algorithmFor(normalisePassword(password) ?? '').isAsConfigured(hash),
    ...expectations,
  }
}

function normalisedOrThrow(password: string): string {
  const normalized = normalisePassword(password)
  if (normalized === undefined) throw new RangeError(`a password has at most ${MAX_CODE_POINTS} characters`)
  return normalized
}

/** NFKC, so that another keyboard's password matches. */
function normalisePassword(password: string): string | undefined {
  // NFKC cannot shrink a text eightfold.
  const normalized = normalise('NFKC', password, 8 * MAX_CODE_POINTS)
  if (normalized === undefined || normalized.length <= MAX_CODE_POINTS) return normalized
  return [...normalized].length <= MAX_CODE_POINTS ? normalized : undefined
}

/** One per core, but two threads stay free for DNS and files (FLT-20). */
function hashesAtOnce({
  cores = availableParallelism(),
  threads = Number(process.env.UV_THREADPOOL_SIZE) || 4,
}: Partial<HasherParts>): number {
  return Math.max(1, Math.min(cores, threads - 2))
}

/** A second of work. */
function queueLengthFor({ perSecond }: Algorithm, atOnce: number): number {
  return Math.max(8, Math.min(MOST_PER_SECOND, Math.round(perSecond)) * atOnce)
}

const MOST_PER_SECOND = 45
/** Longer checks stay visible, because padding delays every sign-in. */
const LONGEST_PADDING_MS = 2_000

/** Expected milliseconds of imported hashes. */
function createCosts(algorithm: Algorithm, shortest: number) {
  const usualMs = 1000 / algorithm.perSecond
  let slowest = usualMs
  const learn = (hash: string) => {
    const cost = expectedCost(hash)
    if (cost !== undefined) slowest = Math.max(slowest, algorithm.owns(hash) ? cost : usualMs + cost)
    return cost
  }
  return {
    learn,
    slotsOf: (hash: string) =>
      Math.max(1, ((learn(hash) ?? 0) * Math.min(MOST_PER_SECOND, algorithm.perSecond)) / 1000),
    /** Twice the slowest hash seen: other work on the machine delays it. */
    padding() {
      const isSlower = slowest > usualMs * 1.1
      return Math.max(shortest, isSlower ? Math.min(LONGEST_PADDING_MS, 2 * slowest) : 0)
    },
  }
}

interface Argon2 {
  readonly hash: typeof argon2Hash
  readonly verify: typeof argon2Verify
}

interface Password {
  readonly normalized: string
  /** Imported hashes were made without NFKC. */
  readonly typed: string
}

interface Algorithm {
  hash(normalized: string): Promise<string>
  owns(hash: string): boolean
  isAsConfigured(hash: string): boolean
  verify(hash: string, password: Password): Promise<boolean>
  /** A hash of the usual cost that no password matches. */
  readonly dummy: string
  /** Hashes that a core computes in a second. */
  readonly perSecond: number
}

interface Argon2id extends Algorithm {
  /** With the salt and cost of another hash. */
  hashLike(normalized: string, hash: string): Promise<string>
}

function argon2id({ argon2: options }: Options, argon2: Argon2): Argon2id {
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

function bcrypt({ bcrypt: { cost } }: Options): Algorithm {
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
