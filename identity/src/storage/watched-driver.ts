import type { CompiledQuery, DatabaseConnection, Driver } from 'kysely'

/** Learns how the database is used. */
export interface DatabaseWatch {
  /** A statement ended. On SQLite its time includes the wait for other writers. */
  ran(operation: Operation, milliseconds: number): void
  /** Work got its connection (PostgreSQL) or its turn to write (SQLite). */
  waited(milliseconds: number): void
  /** Sets how to read the state of the pool; not called on SQLite, which has none. */
  pool(read: () => Pool): void
}

export interface Pool {
  readonly used: number
  readonly idle: number
  readonly waiting: number
}

export type Operation = 'select' | 'insert' | 'update' | 'delete' | 'begin' | 'commit' | 'other'

/** For commands and migrations. */
export const UNWATCHED: DatabaseWatch = { ran() {}, waited() {}, pool() {} }

/** Times the statements of `driver`. */
export function watchStatements<Watched extends Driver>(driver: Watched, watch: DatabaseWatch): Watched {
  const watched = new WeakSet<DatabaseConnection>()
  const acquire = driver.acquireConnection.bind(driver)
  const begin = driver.beginTransaction.bind(driver)
  const commit = driver.commitTransaction.bind(driver)
  driver.acquireConnection = async (...parameters) => {
    const connection = await acquire(...parameters)
    if (!watched.has(connection)) watchConnection(connection, watch)
    watched.add(connection)
    return connection
  }
  driver.beginTransaction = (...parameters) => timed('begin', () => begin(...parameters), watch)
  driver.commitTransaction = (...parameters) => timed('commit', () => commit(...parameters), watch)
  return driver
}

function watchConnection(connection: DatabaseConnection, watch: DatabaseWatch): void {
  const execute = connection.executeQuery.bind(connection)
  connection.executeQuery = (query, ...rest) =>
    timed(operationOf(query), () => execute(query, ...rest), watch)
}

async function timed<T>(operation: Operation, work: () => Promise<T>, watch: DatabaseWatch): Promise<T> {
  const started = performance.now()
  try {
    return await work()
  } finally {
    watch.ran(operation, performance.now() - started)
  }
}

const OPERATIONS: Readonly<Record<string, Operation>> = {
  SelectQueryNode: 'select',
  InsertQueryNode: 'insert',
  UpdateQueryNode: 'update',
  DeleteQueryNode: 'delete',
}

function operationOf({ query, sql }: CompiledQuery): Operation {
  const known = OPERATIONS[query.kind]
  if (known) return known
  const [, word = ''] = /^\s*(?:with\b[\s\S]*?\)\s*)?(select|insert|update|delete)\b/i.exec(sql) ?? []
  return (word.toLowerCase() || 'other') as Operation
}
