import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import type { CompiledQuery, Dialect, QueryResult } from 'kysely'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { Database } from '../database.ts'
import { type DatabaseWatch, UNWATCHED } from '../database-watch.ts'
import { type SqliteDriver, sqliteDriver } from './driver.ts'
import { assertIntact, CHECKPOINT_PAGES, createPrivateFile, inspectFile, isDiskFull } from './file.ts'
import type { SqliteDatabase, SqliteWriter } from './writers.ts'

/** Only for opening; later waits do not block the event loop. */
const OPEN_TIMEOUT_MS = 5000
const CACHED_STATEMENTS = 200

interface Opening {
  readonly image?: Uint8Array
  readonly inUse?: boolean
  /** Milliseconds to wait for a lock. */
  readonly patience?: number | undefined
}

/** @param path a file, or `:memory:` */
export function openSqlite(path: string, watch: DatabaseWatch, how: Opening = {}): Database {
  return databaseOf(sqliteDriver(() => openConnections(path, how), watch, how.patience))
}

export function openForReading(path: string): Database {
  const open = () => {
    const both = { ...cached(new DatabaseSync(path, { readOnly: true })), setDurable() {} }
    return { reader: both, writer: both }
  }
  return databaseOf(sqliteDriver(open, UNWATCHED))
}

export function databaseOf(driver: SqliteDriver): Database {
  const dialect: Dialect = {
    createDriver: () => driver,
    createAdapter: () => new SerializedWritersAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
  return new Database({ dialect }, { queueDelay: (need) => (need === 'write' ? driver.writeDelay() : 0) })
}

/**
 * Our driver serialises writers. Migrations run as one transaction, so only one process migrates
 * and a crash leaves nothing half done (FLT-24).
 */
class SerializedWritersAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

function openConnections(path: string, { image, inUse = false }: Opening) {
  if (path === ':memory:') {
    const memory = openFile(path)
    if (image) memory.deserialize(image)
    const both = { ...cached(memory), setDurable() {} }
    return { writer: both, reader: both }
  }
  // A running worker also has a WAL and a file size unlike the header's.
  const unclean = !inUse && inspectFile(path).unclean
  createPrivateFile(path)
  try {
    const writer = openFile(path)
    if (unclean) assertIntact(writer.prepare('pragma quick_check(1)').get(), path)
    return { writer: { ...cached(writer), setDurable: fsyncSwitch(writer) }, reader: cached(openFile(path)) }
  } catch (error) {
    // SQLite reports an I/O error if it cannot extend the index of its log.
    throw isDiskFull(path) ? new Error(`the disk of ${path} is full`) : error
  }
}

function openFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: OPEN_TIMEOUT_MS, enableForeignKeyConstraints: true })
  // On a file with tables it would write at each start without effect.
  if (database.prepare('pragma page_count').get()?.page_count === 0)
    database.exec('pragma auto_vacuum = incremental')
  // With synchronous = full a commit survives a power cut, for at least 0.25 ms.
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma temp_store = memory')
  database.exec(`pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
  database.exec('pragma busy_timeout = 0')
  return database
}

/**
 * In WAL mode `normal` skips the fsync. A later `full` commit also syncs earlier ones. SQLite
 * applies the pragma at compile time, so do not cache the statement.
 */
export function fsyncSwitch(database: DatabaseSync): SqliteWriter['setDurable'] {
  let isDurable: boolean | undefined
  return (durable) => {
    if (durable === isDurable) return
    database.exec(`pragma synchronous = ${durable ? 'full' : 'normal'}`)
    isDurable = durable
  }
}

function cached(database: DatabaseSync): SqliteDatabase {
  const cache = new Map<string, Execute>()
  const executeOf = (sql: string) => {
    const cachedExecute = cache.get(sql)
    if (cachedExecute) return cachedExecute
    const execute = executing(database.prepare(sql))
    if (cache.size >= CACHED_STATEMENTS) cache.delete(cache.keys().next().value ?? '')
    cache.set(sql, execute)
    return execute
  }
  return {
    run: <Row>({ sql, parameters }: CompiledQuery) => executeOf(sql)(parameters) as QueryResult<Row>,
    close: () => database.close(),
  }
}

type Execute = (parameters: readonly unknown[]) => QueryResult<unknown>

function executing(statement: StatementSync): Execute {
  const names = statement.columns().map(({ name }) => name)
  const row = toRow(names)
  // V8 stores row objects as slow dictionaries, a third of a look-up.
  statement.setReturnArrays(true)
  // The pragma moves one page per step, and `run` makes only one step.
  const reads = names.length > 0 || statement.sourceSQL.startsWith('pragma incremental_vacuum')
  return (parameters) => {
    const values = checkParameters(parameters)
    if (reads) return { rows: (statement.all(...values) as unknown as unknown[][]).map(row) }
    return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) }
  }
}

function toRow(names: readonly string[]): (values: readonly unknown[]) => Record<string, unknown> {
  return (values) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < names.length; index += 1) row[names[index] as string] = values[index]
    return row
  }
}

/** SQLite would read an object, such as a Date, as named parameters and shift the columns. */
function checkParameters(parameters: readonly unknown[]): SQLInputValue[] {
  for (const value of parameters) {
    const plain = value === null || typeof value !== 'object' || value instanceof Uint8Array
    if (!plain || value === undefined || typeof value === 'boolean') {
      throw new TypeError(`SQLite cannot bind ${typeof value === 'object' ? 'an object' : typeof value}`)
    }
  }
  return parameters as SQLInputValue[]
}
