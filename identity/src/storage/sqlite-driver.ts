import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, SqliteDatabase } from 'kysely'
import { CompiledQuery as Query, RawNode, SelectQueryNode } from 'kysely'
import { ProtocolError } from '../errors.ts'

/** Two connections to one file. In memory there is one database per connection, so one does both. */
export interface SqliteConnections {
  readonly writer: SqliteDatabase
  readonly reader: SqliteDatabase
}

/** A caller that has waited this long for other writers is told to come back. */
const PATIENCE_MS = 3000

// https://sqlite.org/rescode.html
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const FULL = 13

/**
 * One statement or transaction writes at a time, and in the mode WAL reading goes on beside it: a lock that another
 * process holds delays writers only, and nothing here blocks the event loop while it waits (FLT-04).
 */
export function sqliteDriver(open: () => SqliteConnections): Driver {
  let connections: SqliteConnections | undefined
  const idle: SqliteConnection[] = []
  const lock = createWriteLock()
  return {
    async init() {
      connections = open()
    },
    async acquireConnection() {
      return idle.pop() ?? createConnection(connections as SqliteConnections, lock)
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

function createConnection({ writer, reader }: SqliteConnections, lock: WriteLock): SqliteConnection {
  let inTransaction = false
  const write = async <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
    const since = await lock.acquire()
    try {
      return await retried(() => run<R>(writer, query), since)
    } finally {
      lock.release()
    }
  }
  return {
    async executeQuery<R>(query: CompiledQuery) {
      if (inTransaction) return await retried(() => run<R>(writer, query), performance.now())
      if (reader === writer || !isRead(query)) return await write<R>(query)
      return await retried(() => run<R>(reader, query), performance.now())
    },
    // biome-ignore lint/correctness/useYield: nothing here reads in a stream, and Kysely asks for the function
    async *streamQuery() {
      throw new Error('SQLite reads whole results')
    },
    async begin() {
      const since = await lock.acquire()
      try {
        // A deferred transaction that turns into a writer cannot be retried; an immediate one waits at its begin.
        await retried(() => run(writer, Query.raw('begin immediate')), since)
        inTransaction = true
      } catch (error) {
        lock.release()
        throw error
      }
    },
    async end(how) {
      await retried(() => run(writer, Query.raw(how)), performance.now())
      inTransaction = false
      lock.release()
    },
  }
}

function isRead({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || (RawNode.is(query) && /^select\b/i.test(sql))
}

function run<R>(database: SqliteDatabase, { sql, parameters }: CompiledQuery): QueryResult<R> {
  const statement = database.prepare(sql)
  if (statement.reader) return { rows: statement.all(parameters) as R[] }
  const { changes } = statement.run(parameters)
  return { rows: [], numAffectedRows: BigInt(changes) }
}

interface WriteLock {
  /** Resolves to when the wait began. Throws 503 to a caller that has waited too long for those before it. */
  acquire(): Promise<number>
  release(): void
}

function createWriteLock(): WriteLock {
  const waiting: (() => void)[] = []
  let held = false
  const release = () => {
    const next = waiting.shift()
    if (next) next()
    else held = false
  }
  return {
    async acquire() {
      const since = performance.now()
      if (held) await new Promise<void>((resolve) => waiting.push(resolve))
      held = true
      if (performance.now() - since < PATIENCE_MS) return since
      release()
      throw unavailable()
    },
    release,
  }
}

/** Waits for other processes without blocking the event loop. */
async function retried<T>(work: () => T, since: number): Promise<T> {
  for (let pause = 1; ; pause = Math.min(pause * 2, 100)) {
    try {
      return work()
    } catch (error) {
      const code = primaryCode(error)
      if ((code === BUSY || code === LOCKED) && performance.now() - since < PATIENCE_MS) {
        await sleep(pause + randomInt(pause + 1))
        continue
      }
      throw code === undefined ? error : translated(error, code)
    }
  }
}

function translated(error: unknown, code: number): unknown {
  return [BUSY, LOCKED, READONLY, IOERR, FULL].includes(code) ? unavailable(error) : error
}

function unavailable(cause?: unknown): ProtocolError {
  return new ProtocolError({
    status: 503,
    retryAfter: 1,
    reason: 'The service cannot save anything at the moment. Please try again.',
    ...(cause === undefined ? {} : { cause }),
  })
}

/** SQLite's extended codes carry the primary one in their low byte. */
function primaryCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' ? code & 0xff : undefined
}
