import { DatabaseError } from 'pg'
import { ProtocolError } from '../../errors/errors.ts'
import { unavailable } from '../driver-errors.ts'

// Classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html
const READ_ONLY = '25006'
const PASSING = [
  '08', // connection exceptions
  READ_ONLY,
  '25P03', // the transaction was idle for too long
  '40', // deadlock, serialisation
  '53', // disk full, out of memory, too many connections
  '55P03', // lock not available
  '57', // statement timeout; the server stops or starts
  '58', // the disk cannot be read or written
]
const TOO_LARGE = ['54', '22001']

/** Maps a driver error to the one that callers handle; any other error is a bug. */
export function translated(error: unknown): unknown {
  const code = error instanceof DatabaseError ? (error.code ?? '') : undefined
  // Errors without a code come from the network: no server, a timeout, or a broken connection.
  if (code === undefined || begins(code, PASSING)) return unavailable(error)
  if (begins(code, TOO_LARGE)) {
    const reason = 'The input is too long to be stored. Please shorten it.'
    return new ProtocolError({ status: 400, reason, cause: error })
  }
  return error
}

/**
 * Whether the connection cannot be reused: it is broken, still waits for an abandoned result, or leads to a server that
 * is read-only. After a failover, or after `default_transaction_read_only` was lifted, only a new one can write.
 */
export function isLost(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return true
  return error.severity === 'FATAL' || error.severity === 'PANIC' || isReadOnly(error)
}

export function isReadOnly(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === READ_ONLY
}

function begins(code: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => code.startsWith(prefix))
}
