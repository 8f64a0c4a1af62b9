import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProtocolError } from '../errors/errors.ts'

// https://www.postgresql.org/docs/current/errcodes-appendix.html. Copied, so that SQLite
// deployments start without the PostgreSQL driver.
const UNIQUE_VIOLATION = '23505'
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const UNDEFINED_TABLE = '42P01'

export function unavailable(cause?: unknown): ProtocolError {
  return new ProtocolError({
    status: 503,
    retryAfter: 1,
    reason: 'The database is unavailable. Please try again.',
    cause,
  })
}

/** Whether a concurrent transaction caused a unique violation. */
export function isDuplicate(error: unknown): boolean {
  return code(error) === UNIQUE_VIOLATION
}

/** Whether PostgreSQL rolled back because of a concurrent transaction. */
function isConflict(error: unknown): boolean {
  const causeCode = error instanceof ProtocolError ? code(error.cause) : undefined
  return causeCode === SERIALIZATION_FAILURE || causeCode === DEADLOCK_DETECTED
}

const TRIES = 5

/** For a transaction, or for a statement outside one. */
export async function repeatConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isConflict(error) || tries === TRIES) throw error
      await sleep(randomInt(10 * 2 ** tries))
    }
  }
}

/** SQLite has no specific code for a missing table. */
export function isMissingTable(error: unknown): boolean {
  const cause = driverError(error)
  return code(cause) === UNDEFINED_TABLE || (cause instanceof Error && /^no such table/.test(cause.message))
}

export const FAILURE_CAUSES = [
  'conflict',
  'connection',
  'damaged',
  'disk_full',
  'io',
  'lock',
  'other',
  'read_only',
  'timeout',
] as const

export type FailureCause = (typeof FAILURE_CAUSES)[number]

/** The first prefix that matches decides. Null: caused by the values, not by the database. */
const POSTGRES_CAUSES: readonly (readonly [prefix: string, cause: FailureCause | null])[] = [
  ['22', null], // data exception
  ['23', null], // constraint
  ['25006', 'read_only'],
  ['25P03', 'timeout'], // idle in a transaction
  ['40', 'conflict'],
  ['53100', 'disk_full'],
  ['54', null], // too large
  ['55P03', 'lock'],
  ['57014', 'timeout'], // statement
  ['08', 'connection'],
  ['53', 'connection'], // too many connections, out of memory
  ['57', 'connection'], // shutdown
  ['58', 'io'],
  ['XX001', 'damaged'],
  ['XX002', 'damaged'],
  ['', 'other'],
]

/** By the primary code: https://sqlite.org/rescode.html. */
const SQLITE_CAUSES: Readonly<Record<number, FailureCause | null>> = {
  5: 'lock', // busy
  6: 'lock',
  8: 'read_only',
  10: 'io',
  11: 'damaged',
  13: 'disk_full',
  18: null, // too large
  19: null, // constraint
  26: 'damaged', // no database
}

/** Undefined if the statement's values caused it. */
export function causeOf(error: unknown): FailureCause | undefined {
  const cause = driverError(error)
  // A wait for the connection or for other writers that was too long.
  if (cause === undefined) return 'timeout'
  const number = primaryCode(cause)
  if (number !== undefined) return sqliteCause(number)
  const text = code(cause)
  if (typeof text === 'string' && /^[0-9A-Z]{5}$/.test(text)) return postgresCause(text)
  return cause instanceof Error && /timeout/.test(cause.message) ? 'timeout' : 'connection'
}

export function postgresCause(code: string): FailureCause | undefined {
  return POSTGRES_CAUSES.find(([prefix]) => code.startsWith(prefix))?.[1] ?? undefined
}

export function sqliteCause(code: number): FailureCause | undefined {
  const cause = SQLITE_CAUSES[code]
  return cause === null ? undefined : (cause ?? 'other')
}

/** Whether the statement may succeed later. */
export function isPassing(cause: FailureCause | undefined): boolean {
  return cause !== undefined && cause !== 'damaged' && cause !== 'other'
}

function driverError(error: unknown): unknown {
  return error instanceof ProtocolError ? error.cause : error
}

function code(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** Of SQLite. */
export function primaryCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
}
