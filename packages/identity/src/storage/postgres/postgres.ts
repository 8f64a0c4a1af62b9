import type { ColumnDefinitionNode, Dialect } from 'kysely'
import {
  DataTypeNode,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  RawNode,
} from 'kysely'
import { Database, type Need } from '../database.ts'
import { type DatabaseWatch, logTo, UNWATCHED } from '../database-watch.ts'
import { LOCK_WAIT_MS } from '../migrations/migrate.ts'
import { CONNECTIONS, type Connection, connectionOf } from './dsn.ts'
import { openPool } from './pool.ts'

/** Timeouts in milliseconds. `idle` is the time between two statements of a transaction. */
const PATIENCE = { connect: 1500, statement: 1500, idle: 5000 }
/** A share of the statement's, so that a lock shows as such. */
const LOCK_PATIENCE = 0.8
/** Extra time for the server to cancel a slow statement before the connection counts as dead. */
const SILENCE_MS = 300
const LEAST_CONNECTIONS = 2
/** A single connection would serialise look-ups. */
const FOR_LOOK_UPS = 0.25

/**
 * Short timeouts report an outage within seconds. A flood of sign-ins must not occupy the
 * connections of look-ups.
 */
export function openPostgres(
  dsn: string,
  watch: DatabaseWatch,
  { patience = PATIENCE, workers = 1 } = {},
): Database {
  const connection = connectionOf(dsn)
  const connectionCount = connection.max ?? CONNECTIONS
  const max =
    workers === 1 ? connectionCount : Math.max(LEAST_CONNECTIONS, Math.ceil(connectionCount / workers))
  const statement_timeout = connection.statement_timeout || patience.statement
  const config = {
    connectionTimeoutMillis: patience.connect,
    ...connection,
    statement_timeout,
    lock_timeout: Math.floor(statement_timeout * LOCK_PATIENCE),
    query_timeout: statement_timeout + SILENCE_MS,
    idle_in_transaction_session_timeout: patience.idle,
  }
  if (max <= LEAST_CONNECTIONS) return openPools(watch, { ...config, max })
  const lookUpConnections = Math.ceil(max * FOR_LOOK_UPS)
  return openPools(
    watch,
    { ...config, max: max - lookUpConnections },
    openPools(watch, { ...config, max: lookUpConnections }),
  )
}

/** No statement timeout, to index a large table. */
export function openForMigration(dsn: string): Database {
  const timeouts = { statement_timeout: 0, lock_timeout: LOCK_WAIT_MS }
  return openPools(UNWATCHED, { ...connectionOf(dsn), max: 1, ...timeouts })
}

/** Sent when a connection opens. A pooler refuses it. */
const NO_SERVER_TIMEOUTS = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 }

function openPools(watch: DatabaseWatch, config: Connection, lookups?: Database): Database {
  const timeouts = config.isPooled ? NO_SERVER_TIMEOUTS : {}
  const { pool, delay } = openPool(
    { connectionTimeoutMillis: PATIENCE.connect, ...config, ...timeouts },
    watch,
  )
  const dialect: Dialect = {
    createDriver: () => new QuietRollbackDriver({ pool }),
    createAdapter: () => new TransactionLockAdapter(),
    createQueryCompiler: () => new BytewiseCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
  const queueDelay = (need: Need) => (need === 'look-up' && lookups ? lookups.queueDelay(need) : delay())
  return new Database({ dialect, log: logTo(watch) }, { queueDelay, ...(lookups && { lookups }) })
}

/** Kysely would lock the session (`migrations/migrate.ts`). */
class TransactionLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/**
 * A failed rollback closes the connection, which undoes the transaction. Its error would hide the
 * original.
 */
class QuietRollbackDriver extends PostgresDriver {
  override async rollbackTransaction(
    connection: Parameters<PostgresDriver['rollbackTransaction']>[0],
  ): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {})
  }
}

/** Bytewise collation, as in SQLite: the order of times and page tokens depends on it. */
class BytewiseCompiler extends PostgresQueryCompiler {
  protected override visitColumnDefinition(column: ColumnDefinitionNode): void {
    const { dataType } = column
    const isText = DataTypeNode.is(dataType) && dataType.dataType === 'text'
    const collated = { ...column, dataType: RawNode.createWithSql('text collate "C"') }
    super.visitColumnDefinition(isText ? collated : column)
  }
}
