import { DatabaseError } from 'pg'
import { unavailable } from '../driver-errors.ts'

/**
 * Keeps callers from queueing for an unresponsive server. Opens after `FAILURES` failures in a row,
 * then admits one caller per period until the server responds.
 */
export interface Circuit {
  admit(): void
  observe<T>(call: () => Promise<T>): Promise<T>
}

/** One failure may be a connection dropped by a firewall. */
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

/** The driver's timeout error has no code. */
function isSilence(error: unknown): boolean {
  return error instanceof Error && !(error instanceof DatabaseError) && /timeout/.test(error.message)
}
