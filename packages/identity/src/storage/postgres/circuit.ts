import { DatabaseError } from 'pg'
import { unavailable } from '../driver-errors.ts'

/**
 * Keeps callers from waiting, one after the other, for a server that does not answer. It opens after `FAILURES` in a row;
 * while it is open one caller in each period is let through, and closes it if the server answers.
 */
export interface Circuit {
  /** Throws 503 while the circuit is open. */
  admit(): void
  /** Runs a call of the server and learns from how it ends. */
  observe<T>(call: () => Promise<T>): Promise<T>
}

/** One may be a single connection that a firewall has dropped. */
const FAILURES = 2
const PERIOD_MS = 500

export function createCircuit(): Circuit {
  let silent = 0
  let last: unknown
  let nextTry = 0
  return {
    admit() {
      if (silent < FAILURES) return
      if (performance.now() < nextTry) throw unavailable(last)
      nextTry = performance.now() + PERIOD_MS
    },
    async observe(call) {
      try {
        const result = await call()
        silent = 0
        return result
      } catch (error) {
        if (isSilence(error)) {
          silent += 1
          last = error
          nextTry = performance.now() + PERIOD_MS
        } else if (error instanceof DatabaseError) silent = 0
        throw error
      }
    },
  }
}

/** The driver gave up waiting; it has no code for that. Other errors come at once. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && !(error instanceof DatabaseError) && /timeout/.test(error.message)
}
