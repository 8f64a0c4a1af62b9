import type { CompiledQuery, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * A statement that a power cut may undo, so on SQLite its commit does not wait for the disk: an opened form is opened
 * again, a counted attempt is one of many, a claimed message is claimed again, and the clean-up deletes again. A killed
 * process loses none of them. All other statements are on the disk before their response.
 */
interface Relaxed {
  readonly needsNoFsync: true
}

/** Marks a statement. A transaction that contains it is still durable. */
export function withoutFsync<Query extends CompiledQuery>(query: Query): Query & Relaxed {
  return { ...query, needsNoFsync: true }
}

/** Runs a statement that needs no fsync; returns the number of affected rows. */
export async function executeWithoutFsync(
  db: Kysely<Tables>,
  statement: { compile(): CompiledQuery },
): Promise<number> {
  const result = await db.executeQuery(withoutFsync(statement.compile()))
  return Number(result.numAffectedRows ?? 0)
}

export function needsNoFsync(query: CompiledQuery): boolean {
  return 'needsNoFsync' in query
}
