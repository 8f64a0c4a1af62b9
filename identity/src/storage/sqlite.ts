import { randomInt } from 'node:crypto'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  SqliteDatabase,
  SqliteStatement,
} from 'kysely'
import { SqliteAdapter, SqliteDriver, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { ProtocolError } from '../errors.ts'

/** How long a statement may hold the event loop while another process writes. The rest of the wait is asynchronous. */
const BUSY_TIMEOUT_MS = 20
/** After this long of waiting for another writer the caller is told to come back. */
const PATIENCE_MS = 3000
const CACHED_STATEMENTS = 200

// https://sqlite.org/rescode.html
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const FULL = 13

export function sqliteDialect(path: string): Dialect {
  return {
    createDriver: () => patient(new SqliteDriver({ database: async () => open(path) })),
    createAdapter: transactionalAdapter,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/**
 * SQLite can roll table changes back, though Kysely does not rely on it: as one transaction, of two processes that
 * start at once one migrates, and a crash leaves nothing half done (FLT-24).
 */
function transactionalAdapter(): SqliteAdapter {
  return Object.defineProperty(new SqliteAdapter(), 'supportsTransactionalDdl', { value: true })
}

function open(path: string): SqliteDatabase {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true })
  // FULL: a commit survives a power cut, not only a crash of the process. It costs a quarter of a millisecond.
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory')
  const cache = new Map<string, SqliteStatement>()
  return {
    close: () => database.close(),
    prepare(sql) {
      const cached = cache.get(sql)
      if (cached) return cached
      // A deferred transaction that turns into a writer cannot be retried; an immediate one waits at its begin.
      const statement = adapt(database.prepare(sql === 'begin' ? 'begin immediate' : sql))
      if (cache.size >= CACHED_STATEMENTS) cache.delete(cache.keys().next().value ?? '')
      cache.set(sql, statement)
      return statement
    },
  }
}

/** `node:sqlite` in the shape that Kysely expects of better-sqlite3. */
function adapt(statement: StatementSync): SqliteStatement {
  const names = statement.columns().map(({ name }) => name)
  const row = toRow(names)
  // Node makes each row an object that V8 keeps as a dictionary: slow to read, and a third of the look-up's time.
  statement.setReturnArrays(true)
  return {
    reader: names.length > 0,
    all: (parameters) => (statement.all(...checked(parameters)) as unknown as unknown[][]).map(row),
    run: (parameters) => statement.run(...checked(parameters)),
    *iterate(parameters) {
      for (const values of statement.iterate(...checked(parameters)))
        yield row(values as unknown as unknown[])
    },
  }
}

function toRow(names: readonly string[]): (values: readonly unknown[]) => Record<string, unknown> {
  return (values) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index]
    return row
  }
}

/** A Date or another object would be taken for a bag of named parameters and shift the columns silently. */
function checked(parameters: readonly unknown[]): SQLInputValue[] {
  for (const value of parameters) {
    const plain = value === null || typeof value !== 'object' || value instanceof Uint8Array
    if (!plain || value === undefined || typeof value === 'boolean') {
      throw new TypeError(`SQLite cannot bind ${typeof value === 'object' ? 'an object' : typeof value}`)
    }
  }
  return parameters as SQLInputValue[]
}

/** Waits for other writers without holding the event loop, and says "come back" where the disk cannot take a write. */
function patient(driver: SqliteDriver): Driver {
  const acquire = driver.acquireConnection.bind(driver)
  let connection: DatabaseConnection | undefined
  driver.acquireConnection = async () => {
    if (!connection) {
      const inner = await acquire()
      connection = {
        executeQuery: (query) => retried(() => inner.executeQuery(query as CompiledQuery)) as never,
        streamQuery: inner.streamQuery.bind(inner) as DatabaseConnection['streamQuery'],
      }
    }
    return connection as Awaited<ReturnType<typeof acquire>>
  }
  return driver
}

async function retried<T>(run: () => Promise<T>): Promise<T> {
  const started = performance.now()
  for (let pause = 1; ; pause = Math.min(pause * 2, 100)) {
    try {
      return await run()
    } catch (error) {
      const code = primaryCode(error)
      if ((code === BUSY || code === LOCKED) && performance.now() - started < PATIENCE_MS) {
        await sleep(pause + randomInt(pause + 1))
        continue
      }
      throw code === undefined ? error : translated(error, code)
    }
  }
}

function translated(error: unknown, code: number): unknown {
  if (![BUSY, LOCKED, READONLY, IOERR, FULL].includes(code)) return error
  return new ProtocolError({
    status: 503,
    retryAfter: 1,
    reason: 'The service cannot save anything at the moment. Please try again.',
    cause: error,
  })
}

/** SQLite's extended codes carry the primary one in their low byte. */
function primaryCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' ? code & 0xff : undefined
}
