import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { hash as argon2Hash, verify as argon2Verify } from '@node-rs/argon2'
import type { Config } from '../../config/config.ts'
import { normalise } from '../../input/normalise.ts'
import { type Algorithm, type Argon2, argon2id, bcrypt } from './algorithms.ts'
import { createHashQueue, type HashQueue, type HashRequest, type HashWatch } from './hash-queue.ts'
import { BCRYPT_BYTES, expectedCost, importedVerifier } from './password-import.ts'

type Options = Config['hashers']

/** All methods throw `queueFull`. */
export interface PasswordHasher extends Pick<HashQueue, 'isFull' | 'expectForm' | 'expectHash'> {
  /** Throws `RangeError` above `MAX_CODE_POINTS`, which the policy checks first. */
  hash(password: string, request?: HashRequest): Promise<string>
  /** Argon2id, with the salt and cost of `like`, so that one computation compares with many. */
  hashArgon2(text: string, like: string | undefined, request?: HashRequest): Promise<string>
  /** Returns false for an unknown format, at the usual cost. Takes as long for every hash (SEC-109). */
  verify(password: string, hash: string, request?: HashRequest): Promise<boolean>
  /** Takes as long as `verify`, for accounts without a password (SEC-14). `elsewhere` is called afterwards. */
  verifyDummy(password: string, request?: HashRequest, elsewhere?: () => Promise<boolean>): Promise<boolean>
  /** Whether this is the hash of a password. If so, checks take as long as its from now on. */
  accepts(hash: string): boolean
  needsRehash(hash: string, password: string): boolean
}

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

export function createPasswordHasher(options: Options, parts: Partial<HasherParts> = {}): PasswordHasher {
  const argon2 = argon2id(options, parts.argon2 ?? { hash: argon2Hash, verify: argon2Verify })
  const all = { argon2, bcrypt: bcrypt(options) }
  const primary = all[options.algorithm]
  const atOnce = hashesAtOnce(parts)
  const queue = createHashQueue(atOnce, parts.queueLength ?? queueLengthFor(primary, atOnce), parts.watch)
  const costs = createCosts(primary, options.check_duration)
  const pause = parts.sleep ?? sleep
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
    const matches = await queue.run(request, compare, costs.slotsOf(hash))
    const isRight = storedHash === undefined ? await checkElsewhere() : matches
    const rest = startedAt + costs.padding() - performance.now()
    if (rest > 0) await pause(rest)
    return isRight
  }
  return {
    verify: (password, hash, request) => check(password, hash, request),
    verifyDummy: (password, request, elsewhere) => check(password, undefined, request, elsewhere),
    accepts: (hash) => costs.learn(hash) !== undefined,
    async hash(password, request = {}) {
      const normalized = normalisedOrThrow(password)
      return await queue.run(request, () => algorithmFor(normalized).hash(normalized))
    },
    async hashArgon2(text, like, request = {}) {
      const normalized = normalisedOrThrow(text)
      return await queue.run(request, () =>
        like === undefined ? argon2.hash(normalized) : argon2.hashLike(normalized, like),
      )
    },
    needsRehash: (hash, password) => !algorithmFor(normalisePassword(password) ?? '').isAsConfigured(hash),
    isFull: queue.isFull,
    expectForm: queue.expectForm,
    expectHash: queue.expectHash,
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
