import type { CompiledQuery, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * A power cut may undo this statement, so its commit skips the fsync on SQLite. For statements that
 * a repetition repairs: opened forms, counted attempts, claimed messages and clean-up. They survive
 * a killed process.
 */
interface Relaxed {
  readonly needsNoFsync: true
}

/** A transaction with a marked statement is still durable. */
export function withoutFsync<Query extends CompiledQuery>(query: Query): Query & Relaxed {
  return { ...query, needsNoFsync: true }
}

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
