import type { CompiledQuery, DatabaseConnection, Driver, SqliteDatabase } from 'kysely'
import { CompiledQuery as Query, RawNode, SelectQueryNode } from 'kysely'
import { retried } from './sqlite-retry.ts'
import { run } from './sqlite-run.ts'
import type { Writers } from './sqlite-writers.ts'
import { createWriters } from './sqlite-writers.ts'

/** Two connections to one file. In memory there is one database per connection, so one does both. */
export interface SqliteConnections {
  readonly writer: SqliteDatabase
  readonly reader: SqliteDatabase
}

/** With what admission asks: see `queueDelay`. */
export interface SqliteDriver extends Driver {
  /** For how many milliseconds the next writer has been waiting. */
  writeDelay(): number
}

/**
 * One statement or transaction writes at a time, and in the mode WAL reading goes on beside it: a lock that another
 * process holds delays writers only, and nothing here blocks the event loop while it waits for one (FLT-04).
 */
export function sqliteDriver(open: () => SqliteConnections): SqliteDriver {
  let connections: SqliteConnections | undefined
  const idle: SqliteConnection[] = []
  const writers = createWriters(() => (connections as SqliteConnections).writer)
  return {
    writeDelay: writers.delay,
    async init() {
      connections = open()
    },
    async acquireConnection() {
      return idle.pop() ?? createConnection(connections as SqliteConnections, writers)
    },
    async releaseConnection(connection) {
      idle.push(connection as SqliteConnection)
    },
    beginTransaction: (connection) => (connection as SqliteConnection).begin(),
    commitTransaction: (connection) => (connection as SqliteConnection).end('commit'),
    rollbackTransaction: (connection) => (connection as SqliteConnection).end('rollback'),
    async destroy() {
      if (connections && connections.reader !== connections.writer) connections.reader.close()
      connections?.writer.close()
    },
  }
}

interface SqliteConnection extends DatabaseConnection {
  begin(): Promise<void>
  end(how: 'commit' | 'rollback'): Promise<void>
}

function createConnection({ writer, reader }: SqliteConnections, writers: Writers): SqliteConnection {
  let inTransaction = false
  return {
    async executeQuery<R>(query: CompiledQuery) {
      if (inTransaction) return await retried(() => run<R>(writer, query), performance.now())
      if (reader === writer || !isRead(query)) return await writers.run<R>(query)
      return await retried(() => run<R>(reader, query), performance.now())
    },
    // biome-ignore lint/correctness/useYield: nothing here reads in a stream, and Kysely asks for the function
    async *streamQuery() {
      throw new Error('SQLite reads whole results')
    },
    async begin() {
      const since = await writers.acquire()
      try {
        // A deferred transaction that turns into a writer cannot be retried; an immediate one waits at its begin.
        await retried(() => run(writer, Query.raw('begin immediate')), since)
        inTransaction = true
      } catch (error) {
        writers.release()
        throw error
      }
    },
    async end(how) {
      try {
        await retried(() => run(writer, Query.raw(how)), performance.now())
      } catch (error) {
        // A failed commit is rolled back next. A failed rollback has nothing left to undo: a full disk ended it.
        if (how === 'commit') throw error
      }
      inTransaction = false
      writers.release()
    },
  }
}

function isRead({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || (RawNode.is(query) && /^select\b/i.test(sql))
}
