import { ProtocolError } from './errors.ts'

/** Keeps the service from taking on more than it can answer while anyone still waits for the answer. */
export interface Admission {
  /** For work that begins something. Throws 503 with `Retry-After` while what has begun waits for too long. */
  assertRoom(): void
  stop(): void
}

const EVERY_MS = 50

/**
 * @param limit milliseconds that callers may wait for the event loop or a connection; 0: any time
 * @param queueDelay for how long the next one waits for a connection
 */
export function createAdmission(limit: number, queueDelay: () => number): Admission {
  let last = performance.now()
  let [before, latest] = [0, 0]
  // A timer that is late by so much was held up by other work, and so is every request.
  const timer = setInterval(() => {
    const now = performance.now()
    ;[before, latest] = [latest, now - last - EVERY_MS]
    last = now
  }, EVERY_MS)
  timer.unref()
  // Twice in a row: a single pause, as of the garbage collector, is over when it is seen.
  const loopDelay = () => Math.min(before, latest)
  return {
    assertRoom() {
      if (limit > 0 && Math.max(loopDelay(), queueDelay()) > limit) throw busy()
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
