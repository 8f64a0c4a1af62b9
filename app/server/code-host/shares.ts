import { ProductError } from '@ostiary/server'

/** Calls that one user may have running or waiting, of the ten that run at once. */
const MAX_PENDING = 5
/** A user who used a call may use another while the others have this many left for each. */
const LEFT_PER_USED = 4

interface SharedCall {
  /** Undefined for calls of the product itself. */
  readonly userId: string | undefined
  /** Calls left for all users until `windowEnds`. */
  readonly left: number
  readonly windowEnds: number
  readonly now: number
}

/**
 * Divides GitHub's calls and our queue between users, so that no user can spend what all share (SEC-105). Of 50
 * calls, the first user gets ten.
 */
export function createShares() {
  let countedUntil = 0
  const usedShares = new Map<string, number>()
  const pending = new Map<string, number>()

  const admit = ({ userId, left, windowEnds, now }: SharedCall & { readonly userId: string }) => {
    if (windowEnds !== countedUntil) usedShares.clear()
    countedUntil = windowEnds
    if ((usedShares.get(userId) ?? 0) * LEFT_PER_USED >= left) throw refused((windowEnds - now) / 1000)
    if ((pending.get(userId) ?? 0) >= MAX_PENDING) throw refused(1)
    if (Number.isFinite(left)) add(usedShares, userId, 1)
  }

  return async <T>({ userId, ...limit }: SharedCall, call: () => Promise<T>): Promise<T> => {
    if (userId === undefined) return await call()
    admit({ userId, ...limit })
    add(pending, userId, 1)
    try {
      return await call()
    } finally {
      add(pending, userId, -1)
    }
  }
}

function refused(seconds: number): ProductError {
  const retryAfter = Math.max(1, Math.ceil(seconds))
  return new ProductError('rate_limited', 429, 'Too many look-ups on GitHub. Please try again later', {
    retryAfter,
  })
}

function add(counts: Map<string, number>, userId: string, difference: number): void {
  const count = (counts.get(userId) ?? 0) + difference
  if (count > 0) counts.set(userId, count)
  else counts.delete(userId)
}
