import { DatabaseError } from 'pg'
import { ProtocolError } from '../../errors/errors.ts'
import { isPassing, postgresCause, unavailable } from '../driver-errors.ts'

/** Class 54 is a limit of the server, 22001 one of the column. */
const TOO_LARGE = /^(54|22001)/

/** An untranslated error is a bug. */
export function translateError(error: unknown): unknown {
  const code = error instanceof DatabaseError ? (error.code ?? '') : undefined
  // Network errors have no code.
  if (code === undefined || isPassing(postgresCause(code))) return unavailable(error)
  if (TOO_LARGE.test(code)) {
    const reason = 'The input is too long to be stored. Please shorten it.'
    return new ProtocolError({ status: 400, reason, cause: error })
  }
  return error
}

/**
 * Whether the connection is broken, waits for an abandoned result, or is read-only. After a
 * failover, only a new connection can write.
 */
export function isLost(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true
  return error.severity === 'FATAL' || error.severity === 'PANIC' || isReadOnly(error)
}

export function isReadOnly(error: unknown): boolean {
  return error instanceof DatabaseError && postgresCause(error.code ?? '') === 'read_only'
}

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
