import type { CompiledQuery, DatabaseConnection, Driver } from 'kysely'
import { CompiledQuery as Query, RawNode, SelectQueryNode } from 'kysely'
import { type DatabaseWatch, timed } from '../database-watch.ts'
import { PATIENCE_MS, retryWhileLocked } from './retry.ts'
import { createWriters, type SqliteDatabase, type SqliteWriter, type Writers } from './writers.ts'

/** In-memory databases exist per connection, so one serves both roles. */
export interface SqliteConnections {
  readonly writer: SqliteWriter
  readonly reader: SqliteDatabase
}

export interface SqliteDriver extends Driver {
  writeDelay(): number
}

/** Another process's lock delays only writers and does not block the event loop (FLT-04). */
export function sqliteDriver(
  open: () => SqliteConnections,
  watch: DatabaseWatch,
  patience = PATIENCE_MS,
): SqliteDriver {
  let connections: SqliteConnections | undefined
  const idle: SqliteConnection[] = []
  const writers = createWriters(() => (connections as SqliteConnections).writer, watch.waited, patience)
  return {
    writeDelay: writers.delay,
    async init() {
      connections = open()
    },
    async acquireConnection() {
      return idle.pop() ?? createConnection(connections as SqliteConnections, { writers, watch, patience })
    },
    async releaseConnection(connection) {
      idle.push(connection as SqliteConnection)
    },
    beginTransaction: (connection) => timed(() => (connection as SqliteConnection).begin(), watch, 'begin'),
    commitTransaction: (connection) =>
      timed(() => (connection as SqliteConnection).end('commit'), watch, 'commit'),
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

function createConnection(
  { writer, reader }: SqliteConnections,
  { writers, watch, patience }: { writers: Writers; watch: DatabaseWatch; patience: number },
): SqliteConnection {
  let inTransaction = false
  const execute = <R>(query: CompiledQuery) => {
    if (!inTransaction && (reader === writer || !isRead(query))) return writers.run<R>(query)
    const database = inTransaction ? writer : reader
    return retryWhileLocked(() => database.run<R>(query), performance.now(), patience)
  }
  return {
    executeQuery: <R>(query: CompiledQuery) => timed(() => execute<R>(query), watch, query),
    // biome-ignore lint/correctness/useYield: nothing here streams, and Kysely requires the function
    async *streamQuery() {
      throw new Error('Streaming is not supported with SQLite')
    },
    async begin() {
      const since = await writers.acquire()
      try {
        // Immediate, because a deferred transaction cannot be retried when it upgrades.
        await retryWhileLocked(() => writer.run(Query.raw('begin immediate')), since, patience)
        inTransaction = true
      } catch (error) {
        writers.release()
        throw error
      }
    },
    async end(how) {
      try {
        await retryWhileLocked(() => writer.run(Query.raw(how)), performance.now(), patience)
      } catch (error) {
        // SQLite has already rolled back after a full disk.
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
