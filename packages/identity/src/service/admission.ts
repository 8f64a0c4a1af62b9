import { ProtocolError } from '../errors/errors.ts'
import type { Need } from '../storage/database.ts'

/** Rejects new work under overload, so that accepted requests are answered in time. */
export type Admission = ReturnType<typeof createAdmission>

const EVERY_MS = 50
/** Fewer late turns are a hiccup, such as a garbage collection. */
const TURNS = 3
/** Rejections per turn. Thousands would delay database connections by a turn per statement. */
const REJECTIONS = 10
/** Bodies begun per turn. Each takes milliseconds, so a flood would delay all other requests (SEC-64). */
const BODIES = 4
/** Larger than any form with password managers and passkeys. */
const LARGE_BODY_BYTES = 16 * 1024
/** A rejection that waited this long ignores the limit per turn, because turns may be long. */
const LONGEST_WAIT_MS = 500

/**
 * @param limit milliseconds that callers may wait for the event loop, a connection or other
 * writers; 0: no limit
 * @param queueDelay how long the next caller would wait for the database
 */
export function createAdmission(
  limit: number,
  queueDelay: (need: Need) => number,
  clock = () => performance.now(),
) {
  let last = clock()
  let late: number[] = []
  // This timer is as late as every request.
  const timer = setInterval(() => {
    const now = clock()
    late = [...late, now - last - EVERY_MS].slice(-TURNS)
    last = now
  }, EVERY_MS)
  timer.unref()
  const turnToReject = createTurns(REJECTIONS, { clock, longest_wait: LONGEST_WAIT_MS })
  const turnToRead = createTurns(BODIES)
  const turnToReadLarge = createTurns(1)
  // Under load every turn is late, so the minimum is the delay.
  const loopDelay = () => (late.length < TURNS ? 0 : Math.min(...late))
  return {
    /** For work that starts something. Throws 503 with `Retry-After` while callers wait too long. */
    async assertCapacity(need: Need): Promise<void> {
      if (limit === 0 || Math.max(loopDelay(), queueDelay(need)) <= limit) return
      await turnToReject()
      throw BUSY
    },
    waitToRead: (bytes: number) => (bytes > LARGE_BODY_BYTES ? turnToReadLarge() : turnToRead()),
    stop: () => clearInterval(timer),
  }
}

interface Timeouts {
  readonly clock: () => number
  readonly longest_wait: number
}

/** Admits `atOnce` callers per turn, in order, plus those whose patience ran out. */
function createTurns(atOnce: number, patience?: Timeouts): () => Promise<void> {
  const queue: { readonly since: number; start(): void }[] = []
  const turn = () => {
    const late = patience ? patience.clock() - patience.longest_wait : 0
    const stays = queue.findIndex(({ since }, index) => index >= atOnce && since > late)
    for (const { start } of queue.splice(0, stays === -1 ? queue.length : stays)) start()
    if (queue.length > 0) setImmediate(turn)
  }
  return () =>
    new Promise((start) => {
      if (queue.push({ since: patience?.clock() ?? 1, start }) === 1) setImmediate(turn)
    })
}

/** Shared, because a stack trace costs more than the rest of the rejection. */
const BUSY = new ProtocolError({
  status: 503,
  reason: 'The service is busy at this moment. Please try again in a second.',
  retryAfter: 1,
})
