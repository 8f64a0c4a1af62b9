import { DatabaseError } from 'pg'
import { ProtocolError } from '../errors.ts'

// Classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html
const PASSING = [
  '08', // connection exceptions
  '25006', // a replica, which cannot be written
  '25P03', // the transaction was idle for too long
  '40', // deadlock, serialisation
  '53', // disk full, out of memory, too many connections
  '55P03', // a lock was not to be had
  '57', // the statement's time was over; the server stops or starts
  '58', // the disk cannot be read or written
]
const TOO_LARGE = ['54', '22001']

/** The driver's failure as callers shall see it; what remains is a bug. */
export function translated(error: unknown): unknown {
  const code = error instanceof DatabaseError ? (error.code ?? '') : undefined
  // Without a code it comes from the network: no server, no answer in time, or a connection that broke.
  if (code === undefined || begins(code, PASSING)) return outage(error)
  if (begins(code, TOO_LARGE)) {
    const reason = 'What was sent is too long to be stored. Please shorten it.'
    return new ProtocolError({ status: 400, reason, cause: error })
  }
  return error
}

/** Two transactions wrote what only one row may hold. On SQLite writers wait for each other and look first. */
export function isDuplicate(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '23505'
}

export function outage(cause: unknown): ProtocolError {
  return new ProtocolError({
    status: 503,
    retryAfter: 1,
    reason: 'The service cannot reach its data at the moment. Please try again.',
    cause,
  })
}

/** Whether a connection is of no use after this: it is gone, or it still waits for an answer that nobody wants. */
export function isLost(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity === 'FATAL' || error.severity === 'PANIC'
}

function begins(code: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => code.startsWith(prefix))
}
