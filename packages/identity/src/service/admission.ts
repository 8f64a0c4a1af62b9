import { ProtocolError } from '../errors/errors.ts'
import type { Need } from '../storage/database.ts'

/** Rejects new work while the service is overloaded, so that accepted requests are answered in time. */
export interface Admission {
  /** For work that starts something. Throws 503 with `Retry-After` while callers wait too long. */
  assertCapacity(need: Need): Promise<void>
  /** Waits for the turn of the event loop in which a body of this size may be read. */
  waitToRead(bytes: number): Promise<void>
  stop(): void
}

const EVERY_MS = 50
/** This many late turns in a row are load. Fewer are a hiccup, such as a suspended machine or a garbage collection. */
const TURNS = 3
/**
 * Rejections in one turn of the event loop. In a flood thousands of connections are ready at once: if one turn answered
 * all of them, the database's connections would wait for the next one, with a single statement each.
 */
const REJECTIONS = 10
/**
 * Bodies begun in one turn. A hundred at once, some milliseconds each, would otherwise delay every other request until
 * all of them are processed (SEC-64).
 */
const BODIES = 4
/** Larger than any form: password managers and passkeys stay below. A turn begins one of these. */
const LARGE_BODY_BYTES = 16 * 1024
/** A rejection that waited this long is sent in the next turn, whatever the count: turns may be long. */
const LONGEST_WAIT_MS = 500

/**
 * @param limit milliseconds that callers may wait for the event loop, a connection or other writers; 0: no limit
 * @param queueDelay how long the next caller would wait for the database
 */
export function createAdmission(
  limit: number,
  queueDelay: (need: Need) => number,
  clock = () => performance.now(),
): Admission {
  let last = clock()
  let late: number[] = []
  // A timer is delayed by as much as every request.
  const timer = setInterval(() => {
    const now = clock()
    late = [...late, now - last - EVERY_MS].slice(-TURNS)
    last = now
  }, EVERY_MS)
  timer.unref()
  const turnToReject = createTurns(REJECTIONS, { clock, longest_wait: LONGEST_WAIT_MS })
  const turnToRead = createTurns(BODIES)
  const turnToReadLarge = createTurns(1)
  // The minimum of the last turns: under load every turn is late.
  const loopDelay = () => (late.length < TURNS ? 0 : Math.min(...late))
  return {
    async assertCapacity(need) {
      if (limit === 0 || Math.max(loopDelay(), queueDelay(need)) <= limit) return
      await turnToReject()
      throw BUSY
    },
    waitToRead: (bytes) => (bytes > LARGE_BODY_BYTES ? turnToReadLarge() : turnToRead()),
    stop: () => clearInterval(timer),
  }
}

interface Patience {
  readonly clock: () => number
  readonly longest_wait: number
}

/** Admits at most `atOnce` callers per turn of the event loop, in order, and those that have waited longest. */
function createTurns(atOnce: number, patience?: Patience): () => Promise<void> {
  const waiting: { readonly since: number; start(): void }[] = []
  const turn = () => {
    const late = patience ? patience.clock() - patience.longest_wait : 0
    const stays = waiting.findIndex(({ since }, index) => index >= atOnce && since > late)
    for (const { start } of waiting.splice(0, stays === -1 ? waiting.length : stays)) start()
    if (waiting.length > 0) setImmediate(turn)
  }
  return () =>
    new Promise((start) => {
      if (waiting.push({ since: patience?.clock() ?? 1, start }) === 1) setImmediate(turn)
    })
}

/** One for all: a stack trace for each would cost more than the rest of the rejection. */
const BUSY = new ProtocolError({
  status: 503,
  reason: 'The service is busy at this moment. Please try again in a second.',
  retryAfter: 1,
})
