import type { CompiledQuery, Kysely, LogEvent, OperationNode, RootOperationNode } from 'kysely'
import { AliasNode, TableNode } from 'kysely'
import type { Tables } from './tables.ts'

export interface DatabaseWatch {
  /** On SQLite the time includes waiting for other writers. */
  ran(operation: Operation, milliseconds: number, statement: Statement): void
  /** No connection. */
  refused(error: unknown): void
  waited(milliseconds: number): void
  pool(read: () => Pool): void
  /** Throws while a statement that failed would fail again. */
  assertWorks(db: Kysely<Tables>): Promise<void>
}

export interface Statement {
  /** Absent for `begin` and `commit` on SQLite. */
  readonly query?: CompiledQuery
  readonly error?: unknown
}

export interface Pool {
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

export type Operation = 'select' | 'insert' | 'update' | 'delete' | 'begin' | 'commit' | 'other'

export const UNWATCHED: DatabaseWatch = {
  ran() {},
  refused() {},
  waited() {},
  pool() {},
  async assertWorks() {},
}

/** Costs 1.5 µs per statement, an eighth of an SQLite look-up. */
export function logTo(watch: DatabaseWatch): (event: LogEvent) => void {
  return ({ query, queryDurationMillis, ...outcome }) => {
    const failure = 'error' in outcome ? { error: outcome.error } : {}
    watch.ran(operationOf(query), queryDurationMillis, { query, ...failure })
  }
}

export async function timed<T>(
  work: () => Promise<T>,
  watch: DatabaseWatch,
  what: CompiledQuery | 'begin' | 'commit',
): Promise<T> {
  const started = performance.now()
  const [operation, about] = typeof what === 'string' ? [what, {}] : [operationOf(what), { query: what }]
  try {
    const result = await work()
    watch.ran(operation, performance.now() - started, about)
    return result
  } catch (error) {
    watch.ran(operation, performance.now() - started, { ...about, error })
    throw error
  }
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
}

function operationOf({ query, sql }: CompiledQuery): Operation {
  const operation = OPERATIONS[query.kind]
  if (operation) return operation
  const [, word = ''] =
    /^\s*(?:with\b[\s\S]*?\)\s*)?(select|insert|update|delete|begin|commit)\b/i.exec(sql) ?? []
  return (word.toLowerCase() || 'other') as Operation
}

/** The statement's first table, or undefined for raw SQL. */
export function tableOf({ query }: CompiledQuery): string | undefined {
  const node = targetOf(query)
  const table = node && AliasNode.is(node) ? node.node : node
  return table && TableNode.is(table) ? table.table.identifier.name : undefined
}

function targetOf(query: RootOperationNode): OperationNode | undefined {
  switch (query.kind) {
    case 'SelectQueryNode':
    case 'DeleteQueryNode':
      return query.from?.froms[0]
    case 'InsertQueryNode':
      return query.into
    case 'UpdateQueryNode':
      return query.table
    default:
      return undefined
  }
}
