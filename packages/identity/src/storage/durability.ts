import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/**
 * A power cut may undo this statement, so its commit skips the fsync. For statements that a
 * repetition repairs: opened forms, counted attempts, last uses of sessions and, on SQLite, claimed
 * messages and clean-up. They survive a killed process. A transaction with a marked statement is
 * still durable.
 */
export function withoutFsync<Query extends CompiledQuery>(query: Query): Query {
  return { ...query, needsNoFsync: true }
}

/**
 * On PostgreSQL, for a statement that ends with its `returning` clause, if it has one. Takes effect
 * at the commit of this statement, so it must run outside a transaction.
 */
export function withoutWaiting<Query extends CompiledQuery>(query: Query): Query {
  const asynchronous = "set_config('synchronous_commit', 'off', true)"
  const clause = / returning /.test(query.sql) ? `, ${asynchronous}` : ` returning ${asynchronous}`
  return { ...query, sql: query.sql + clause }
}

export async function executeWithoutFsync(db: Kysely<Tables>, statement: Compilable): Promise<number> {
  return await countChanged(db, withoutFsync(statement.compile()))
}

export async function countChanged(
  db: Kysely<Tables>,
  statement: Compilable | CompiledQuery,
): Promise<number> {
  const { numAffectedRows } = await db.executeQuery(statement)
  return Number(numAffectedRows ?? 0)
}

export function isUndoable(query: CompiledQuery): boolean {
  return 'needsNoFsync' in query
}
