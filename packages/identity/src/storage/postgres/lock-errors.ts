import { ProtocolError } from '../../errors/errors.ts'

// PostgreSQL: https://www.postgresql.org/docs/current/errcodes-appendix.html, SQLite: https://sqlite.org/rescode.html
const LOCK_NOT_AVAILABLE = '55P03'
const UNDEFINED_TABLE = '42P01'
const BUSY = 5
const LOCKED = 6

/** Whether a statement failed because another process held a lock for too long. */
export function waitedForLock(error: unknown): boolean {
  const cause = driverError(error)
  return code(cause) === LOCK_NOT_AVAILABLE || [BUSY, LOCKED].includes((errcode(cause) ?? 0) & 0xff)
}

/** Whether a statement names a table that does not exist. SQLite has no code of its own for it. */
export function isMissingTable(error: unknown): boolean {
  const cause = driverError(error)
  return code(cause) === UNDEFINED_TABLE || (cause instanceof Error && /^no such table/.test(cause.message))
}

function driverError(error: unknown): unknown {
  return error instanceof ProtocolError ? error.cause : error
}

function code(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function errcode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined
}
