import { ProtocolError } from './errors.ts'

/** Look-ups do not wait for writers on SQLite. */
type Need = 'read' | 'write'

/** Keeps the service from taking on more than it can answer while anyone still waits for the answer. */
export interface Admission {
  /** For work that begins something. Throws 503 with `Retry-After` while what has begun waits for too long. */
  assertRoom(need: Need): void
  stop(): void
}

const EVERY_MS = 50
/** So many late turns in a row are load. Fewer are a hiccup: a machine that slept, a collection of garbage. */
const TURNS = 3

/**
 * @param limit milliseconds that callers may wait for the event loop, a connection or other writers; 0: any time
 * @param queueDelay for how long the next one waits for the database
 */
export function createAdmission(limit: number, queueDelay: (need: Need) => number): Admission {
  let last = performance.now()
  let late: number[] = []
  // A timer that is late by so much was held up by other work, and so is every request.
  const timer = setInterval(() => {
    const now = performance.now()
    late = [...late, now - last - EVERY_MS].slice(-TURNS)
    last = now
  }, EVERY_MS)
  timer.unref()
  // What was waited for in every one of the last turns: load keeps it high, whatever a single turn does.
  const loopDelay = () => (late.length < TURNS ? 0 : Math.min(...late))
  return {
    assertRoom(need) {
      if (limit > 0 && Math.max(loopDelay(), queueDelay(need)) > limit) throw busy()
    },
    stop: () => clearInterval(timer),
  }
}

function busy(): ProtocolError {
  return new ProtocolError({
    status: 503,
    reason: 'The service is busy at this moment. Please try again in a second.',
    retryAfter: 1,
  })
}
