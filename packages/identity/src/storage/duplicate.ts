/** PostgreSQL's unique_violation. */
const UNIQUE_VIOLATION = '23505'

/**
 * A unique constraint was violated by a concurrent transaction. On SQLite writers are serialised and check first, so
 * the driver of PostgreSQL is not loaded for it.
 */
export function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION
}
