import type { PostgresPoolClient } from 'kysely'
import { Pool, type PoolClient, type PoolConfig, types } from 'pg'
import type { DatabaseWatch } from '../database-watch.ts'
import { repeatConflicts, unavailable } from '../driver-errors.ts'
import type { Connection } from './dsn.ts'
import { type Circuit, createCircuit, isLost, isReadOnly, translateError } from './failures.ts'

const PREPARED_STATEMENTS = 200

export function openPool({ isPooled, hosts, ...config }: Connection, watch: DatabaseWatch) {
  const several = hosts.length > 1 ? { verify: assertWritable } : {}
  const [connectionString] = hosts
  const pool = new Pool({
    keepAlive: true,
    types: { getTypeParser },
    ...config,
    ...several,
    connectionString,
  })
  // A pooler may run the next statement on another connection.
  const names = isPooled ? undefined : new Map<string, string>()
  const shared = { names, hosts, circuit: createCircuit(), readOnly: { since: 0 } }
  const clients = new Map<PoolClient, AdaptedClient>()
  // An unhandled error event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    clients.set(client, adaptClient(client, shared))
  })
  pool.on('remove', (client) => clients.delete(client))
  watch.pool(() => ({
    used: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: Math.max(0, pool.waitingCount - freeConnections(pool)),
  }))
  const queue = createQueue(watch.waited)
  const connect = () =>
    queue
      .measure(() => connectUsable(pool, clients, shared))
      .catch((error: unknown) => {
        watch.refused(error)
        throw error
      })
  return { pool: { options: pool.options, end: () => pool.end(), connect }, delay: queue.delay }
}

/** The driver also counts callers as waiting that get one of these in the next turn. */
function freeConnections({ idleCount, totalCount, options }: Pool): number {
  return idleCount + (options.max ?? 0) - totalCount
}

async function connectUsable(
  pool: Pool,
  clients: ReadonlyMap<PoolClient, AdaptedClient>,
  { circuit, readOnly, hosts }: Shared,
): Promise<AdaptedClient> {
  // Whether `connect` waits for another caller, which says nothing about the server.
  const isTaken = () => pool.idleCount === 0 && pool.totalCount >= (pool.options.max ?? 0)
  const takeClient = () => (isTaken() ? pool.connect() : circuit.observe(() => pool.connect()))
  for (let tries = 1; ; tries += 1) {
    circuit.admit()
    const { connectionString } = pool.options
    const client = await takeClient().catch((error: unknown) => {
      switchToNextHost(pool.options, hosts, connectionString)
      if (tries >= hosts.length) throw unavailable(error)
    })
    if (!client) continue
    const adapted = clients.get(client)
    if (adapted && adapted.since >= readOnly.since) return adapted
    client.release(true)
  }
}

function switchToNextHost(options: PoolConfig, hosts: readonly string[], failed: string | undefined): void {
  // Another caller may have moved on already.
  if (options.connectionString !== failed) return
  const next = hosts[(hosts.indexOf(failed ?? '') + 1) % hosts.length]
  if (next !== undefined) options.connectionString = next
}

function assertWritable(client: PoolClient, done: (error?: Error) => void): void {
  client
    .query<{ in_recovery: boolean }>('select pg_is_in_recovery() as in_recovery')
    .then(({ rows: [row] }) => (row?.in_recovery ? done(new Error('the host is a standby')) : done()), done)
}

/** Callers are served in order. */
function createQueue(waited: DatabaseWatch['waited']) {
  const waiting = new Set<{ readonly since: number }>()
  return {
    async measure<T>(work: () => Promise<T>): Promise<T> {
      const caller = { since: performance.now() }
      waiting.add(caller)
      try {
        return await work()
      } finally {
        waited(performance.now() - caller.since)
        waiting.delete(caller)
      }
    },
    delay(): number {
      const [oldest] = waiting
      return oldest === undefined ? 0 : performance.now() - oldest.since
    },
  }
}

const parseTime = types.getTypeParser(types.builtins.TIMESTAMPTZ)

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  // No count exceeds 2⁵³.
  [types.builtins.INT8]: Number,
  [types.builtins.TIMESTAMPTZ]: (text) => {
    const time = parseTime(text)
    // `infinity`, in a table of the product.
    return typeof time === 'number' ? text : time.toISOString()
  },
}

const getTypeParser: typeof types.getTypeParser = (id: number, format?: 'text' | 'binary') =>
  PARSERS[id] ?? types.getTypeParser(id, format as 'text')

interface Shared {
  readonly hosts: readonly string[]
  /** Of prepared statements. */
  readonly names: Map<string, string> | undefined
  readonly circuit: Circuit
  /** Older connections may be read-only too. */
  readonly readOnly: { since: number }
}

interface AdaptedClient extends PostgresPoolClient {
  readonly since: number
}

function adaptClient(client: PoolClient, { names, circuit, readOnly }: Shared): AdaptedClient {
  const since = performance.now()
  let lost: unknown
  let isTransaction = false
  const run = async (text: string, parameters: readonly unknown[]) => {
    if (lost !== undefined) throw unavailable(lost)
    const name = nameOf(names, text)
    const values = parameters.map(storable)
    const query = name === undefined ? { text, values } : { name, text, values }
    try {
      return await circuit.observe(() => client.query(query))
    } catch (error) {
      if (isLost(error)) lost = error
      if (isReadOnly(error)) readOnly.since = performance.now()
      throw translateError(error)
    }
  }
  // Kysely's streaming uses another signature.
  const query: unknown = async (text: string, parameters: readonly unknown[]) => {
    if (/^(begin|start|commit|rollback)\b/.test(text)) isTransaction = /^(begin|start)/.test(text)
    else if (!isTransaction) return await repeatConflicts(() => run(text, parameters))
    return await run(text, parameters)
  }
  return {
    since,
    query: query as PostgresPoolClient['query'],
    release: (destroy) => client.release(lost !== undefined || destroy === true),
  }
}

function nameOf(names: Map<string, string> | undefined, text: string): string | undefined {
  const preparedName = names?.get(text)
  if (!names || preparedName !== undefined || names.size >= PREPARED_STATEMENTS) return preparedName
  // The best index depends on the pattern, so each call needs a separate plan.
  if (text.includes(' like ')) return undefined
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

/** PostgreSQL text cannot contain NUL. It becomes U+FFFD, like lone surrogates. */
function storable(value: unknown): unknown {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
}
