import type {
  AlterTableNode,
  ColumnDefinitionNode,
  CreateTableNode,
  Dialect,
  PostgresPool,
  PostgresPoolClient,
  QueryCompiler,
} from 'kysely'
import {
  DataTypeNode,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  RawNode,
} from 'kysely'
import type { PoolClient, PoolConfig } from 'pg'
import { Pool, types } from 'pg'
import type { Db } from '../db.ts'
import { watchQueue } from '../queue-delay.ts'
import { withLookUps } from '../sessions/look-ups.ts'
import type { Tables } from '../tables.ts'
import { unavailable } from '../unavailable.ts'
import type { DatabaseWatch } from '../watched-driver.ts'
import { UNWATCHED, watchStatements } from '../watched-driver.ts'
import type { Circuit } from './circuit.ts'
import { createCircuit } from './circuit.ts'
import { connectionOf } from './dsn.ts'
import { isLost, isReadOnly, translated } from './errors.ts'

/** Timeouts in milliseconds: connecting, a statement, and a transaction that idles between two statements. */
const PATIENCE = { connect: 1500, statement: 1500, idle: 5000 }
/** The server cancels a slow statement itself. After this extra time the connection counts as dead. */
const SILENCE_MS = 300
/** For a migration. */
const LOCK_WAIT_MS = 2000
/** Connections of one server: `max_conns` says otherwise. */
const CONNECTIONS = 10
/** A worker with one would wait for each of its transactions. */
const LEAST_CONNECTIONS = 2
/** The share of the connections that only look-ups use. With a single one they would wait for one another. */
const FOR_LOOK_UPS = 0.25
/** Per connection. Bounded, because statements with lists of ids have unlimited variants. */
const PREPARED_STATEMENTS = 200

/**
 * For requests: short timeouts, so that an outage is reported within seconds. Look-ups of sessions have connections of
 * their own, because a flood of sign-ins occupies all others.
 */
export function openPostgres(
  dsn: string,
  watch: DatabaseWatch,
  { patience = PATIENCE, workers = 1 } = {},
): Db {
  const connection = connectionOf(dsn)
  const given = connection.max ?? CONNECTIONS
  const max = workers === 1 ? given : Math.max(LEAST_CONNECTIONS, Math.ceil(given / workers))
  const statement_timeout = connection.statement_timeout || patience.statement
  const config = {
    connectionTimeoutMillis: patience.connect,
    ...connection,
    statement_timeout,
    query_timeout: statement_timeout + SILENCE_MS,
    idle_in_transaction_session_timeout: patience.idle,
  }
  const open = (max: number) => new Kysely<Tables>({ dialect: dialect(watch, { ...config, max }) })
  if (max <= LEAST_CONNECTIONS) return open(max)
  const own = Math.ceil(max * FOR_LOOK_UPS)
  return withLookUps(open(max - own), open(own))
}

/**
 * One connection whose statements may take long, such as an index on a large table. While one waits for a lock all others
 * wait behind it, so it gives up soon and is tried again.
 */
export function migratingDialect(dsn: string): Dialect {
  return dialect(UNWATCHED, {
    ...connectionOf(dsn),
    max: 1,
    statement_timeout: 0,
    lock_timeout: LOCK_WAIT_MS,
  })
}

function dialect(watch: DatabaseWatch, config: PoolConfig): Dialect {
  const adapter = new PostgresAdapter()
  return {
    createDriver() {
      const driver = withQuietRollback(new PostgresDriver({ pool: async () => open(config, watch) }))
      return watchStatements(watchQueue(driver, adapter, watch.waited), watch)
    },
    createAdapter: () => adapter,
    createQueryCompiler: () => bytewise(new PostgresQueryCompiler()),
    createIntrospector: (db) => new PostgresIntrospector(db),
  }
}

/** After a failed rollback the connection is closed, which undoes the transaction: the error would only hide its cause. */
function withQuietRollback(driver: PostgresDriver): PostgresDriver {
  const rollback = driver.rollbackTransaction.bind(driver)
  driver.rollbackTransaction = (...parameters) => rollback(...parameters).catch(() => {})
  return driver
}

function open(config: PoolConfig, watch: DatabaseWatch): PostgresPool {
  const pool = new Pool({
    connectionTimeoutMillis: PATIENCE.connect,
    keepAlive: true,
    types: { getTypeParser },
    ...config,
  })
  // Without a listener a broken connection would end the process. Its user gets the error anyway.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  watch.pool(() => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }))
  const names = new Map<string, string>()
  const clients = new WeakMap<PoolClient, AdaptedClient>()
  const circuit = createCircuit()
  const readOnly = { since: 0 }
  // Whether `connect` will wait for another caller's connection: a long wait then says nothing about the server.
  const isTaken = () => pool.idleCount === 0 && pool.totalCount >= (pool.options.max ?? 0)
  const take = () => (isTaken() ? pool.connect() : circuit.observe(() => pool.connect()))
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      for (;;) {
        circuit.admit()
        const client = await take().catch((error: unknown) => {
          throw unavailable(error)
        })
        const known = clients.get(client) ?? adapt(client, { names, circuit, readOnly })
        clients.set(client, known)
        if (known.since >= readOnly.since) return known
        known.release(true)
      }
    },
  }
}

/** Counts are bigint, which the driver returns as text. SQLite returns numbers; no count exceeds 2⁵³. */
const getTypeParser: typeof types.getTypeParser = (id: number, format?: 'text' | 'binary') =>
  id === types.builtins.INT8 ? Number : types.getTypeParser(id, format as 'text')

interface Shared {
  readonly names: Map<string, string>
  readonly circuit: Circuit
  /** When a connection was last found to be read-only: older ones may be as well. */
  readonly readOnly: { since: number }
}

interface AdaptedClient extends PostgresPoolClient {
  readonly since: number
}

function adapt(client: PoolClient, { names, circuit, readOnly }: Shared): AdaptedClient {
  const since = performance.now()
  let lost: unknown
  // Kysely's streaming uses a second signature of this function, which nothing here calls.
  const query: unknown = async (text: string, parameters: readonly unknown[]) => {
    if (lost !== undefined) throw unavailable(lost)
    const name = nameOf(names, text)
    const values = parameters.map(storable)
    const query = name === undefined ? { text, values } : { name, text, values }
    try {
      return await circuit.observe(() => client.query(query))
    } catch (error) {
      if (isLost(error)) lost = error
      if (isReadOnly(error)) readOnly.since = performance.now()
      throw translated(error)
    }
  }
  return {
    since,
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(lost !== undefined || destroy === true),
  }
}

function nameOf(names: Map<string, string>, text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= PREPARED_STATEMENTS) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

/** PostgreSQL text cannot contain NUL: replaced by U+FFFD, as both databases replace lone surrogates. */
function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
}

/**
 * Gives text columns a bytewise collation, whatever the database's locale: SQLite compares so, and the order of times
 * and page tokens depends on it.
 */
function bytewise(compiler: PostgresQueryCompiler): QueryCompiler {
  return {
    compileQuery(node, id) {
      if (node.kind === 'CreateTableNode') return compiler.compileQuery(withBytes(node), id)
      if (node.kind === 'AlterTableNode') return compiler.compileQuery(addedWithBytes(node), id)
      return compiler.compileQuery(node, id)
    },
  }
}

function withBytes(node: CreateTableNode): CreateTableNode {
  return { ...node, columns: node.columns.map(collated) }
}

function addedWithBytes(node: AlterTableNode): AlterTableNode {
  const { columnAlterations } = node
  if (!columnAlterations) return node
  return {
    ...node,
    columnAlterations: columnAlterations.map((one) =>
      one.kind === 'AddColumnNode' ? { ...one, column: collated(one.column) } : one,
    ),
  }
}

function collated(column: ColumnDefinitionNode): ColumnDefinitionNode {
  const { dataType } = column
  if (!DataTypeNode.is(dataType) || dataType.dataType !== 'text') return column
  return { ...column, dataType: RawNode.createWithSql('text collate "C"') }
}
