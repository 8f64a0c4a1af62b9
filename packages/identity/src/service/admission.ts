import { ProtocolError } from '../errors/errors.ts'
import type { Need } from '../storage/queue-delay.ts'

/** Rejects new work while the service is overloaded, so that accepted requests are answered in time. */
export interface Admission {
  /** For work that starts something. Throws 503 with `Retry-After` while callers wait too long. */
  assertRoom(need: Need): Promise<void>
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
  const turnToReject = createTurns(REJECTIONS, clock)
  // The minimum of the last turns: under load every turn is late.
  const loopDelay = () => (late.length < TURNS ? 0 : Math.min(...late))
  return {
    async assertRoom(need) {
      if (limit === 0 || Math.max(loopDelay(), queueDelay(need)) <= limit) return
      await turnToReject()
      throw BUSY
    },
    stop: () => clearInterval(timer),
  }
}

/** Lets through so many callers in one turn of the event loop, in order, and those that have waited too long. */
function createTurns(atOnce: number, clock: () => number): () => Promise<void> {
  const waiting: { readonly since: number; start(): void }[] = []
  const turn = () => {
    const late = clock() - LONGEST_WAIT_MS
    const stays = waiting.findIndex(({ since }, index) => index >= atOnce && since > late)
    for (const { start } of waiting.splice(0, stays === -1 ? waiting.length : stays)) start()
    if (waiting.length > 0) setImmediate(turn)
  }
  return () =>
    new Promise((start) => {
      if (waiting.push({ since: clock(), start }) === 1) setImmediate(turn)
    })
}

/** One for all: a stack trace for each would cost more than the rest of the rejection. */
const BUSY = new ProtocolError({
  status: 503,
  reason: 'The service is busy at this moment. Please try again in a second.',
  retryAfter: 1,
})
