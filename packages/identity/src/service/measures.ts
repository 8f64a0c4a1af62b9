import { setTimeout as sleep } from 'node:timers/promises'
import { VERSION } from '../config/version.ts'
import type { Context, Log } from '../contract/contract.ts'
import type { HashWatch } from '../crypto/passwords/hash-queue.ts'
import { rootOf } from '../errors/errors.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { sessionState } from '../sessions/find.ts'
import { type DatabaseWatch, type Pool, type Statement, tableOf } from '../storage/database-watch.ts'
import { causeOf, FAILURE_CAUSES } from '../storage/driver-errors.ts'
import { countQueue } from '../storage/messages.ts'
import { isPostgresDsn } from '../storage/postgres/dsn.ts'
import { countSessionsBatch } from '../storage/sessions/ended-sessions.ts'
import { createWritePath } from '../storage/write-path.ts'
import type { Attributes, Tracing } from '../tracing/tracing.ts'
import { shareRun } from './jobs.ts'
import { createOutageLog } from './outage-log.ts'

const MOST_MESSAGES = 10_000
const MOST_SESSIONS = 100_000
/** Blocks the event loop for one to two milliseconds with SQLite. */
const BATCH = 1_000
const PAUSE_MS = 5
const FRESH_MS = 60_000
const STALE_MS = 2 * FRESH_MS

export function measureService(ctx: () => Context): void {
  const { metrics, heartbeat } = ctx()
  const countSessions = sessionCount(ctx)
  const queue = shareRun(() => readQueue(ctx()))
  metrics.set('identity_build_info', { version: VERSION }, 1)
  metrics.measure('identity_sessions_live', async () => [{ value: await countSessions() }])
  metrics.measure('identity_messages_waiting', async () => [{ value: (await queue()).waiting }])
  metrics.measure('identity_messages_oldest_seconds', async () => [{ value: (await queue()).age }])
  metrics.measure('identity_database_writable', async () => [{ value: Number(await isWritable(heartbeat)) }])
}

async function readQueue({ db, now }: Context) {
  const { waiting, oldest } = await countQueue(db, { limit: MOST_MESSAGES, now: now().toISOString() })
  const age = oldest === undefined ? 0 : Math.max(0, now().getTime() - Date.parse(oldest)) / 1000
  return { waiting, age }
}

async function isWritable(heartbeat: Context['heartbeat']): Promise<boolean> {
  return await heartbeat.assertWritable().then(
    () => true,
    () => false,
  )
}

/** At most one count a minute. Waits only for the first, and for one after a pause. */
function sessionCount(ctx: () => Context): () => Promise<number> {
  let lastCount: { readonly count: number; readonly at: number } | undefined
  const recount = shareRun(async () => {
    lastCount = { count: await countLiveSessions(ctx()), at: ctx().now().getTime() }
    return lastCount.count
  })
  return async () => {
    if (!lastCount) return await recount()
    const age = Math.abs(ctx().now().getTime() - lastCount.at)
    if (age >= STALE_MS) return await recount()
    // A failure keeps the last count: `identity_database_writable` and the log report it.
    if (age > FRESH_MS) recount().catch(() => {})
    return lastCount.count
  }
}

async function countLiveSessions(ctx: Context): Promise<number> {
  const state = sessionState(ctx, 'live')
  let total = 0
  for (
    let after: string | undefined = ctx.now().toISOString();
    after !== undefined && total < MOST_SESSIONS;
  ) {
    const { count, next } = await countSessionsBatch(ctx.db, state, after, BATCH)
    total += count
    after = next
    if (after !== undefined) await sleep(PAUSE_MS, undefined, { ref: false })
  }
  return total
}

interface Observers {
  readonly metrics: Metrics
  readonly tracing?: Tracing | undefined
}

const LONGEST_HIDDEN_MS = 1

const STATES = ['used', 'idle', 'waiting'] as const

const OUTAGE = { begin: 'no connection to the database', end: 'connected to the database again' }

export function databaseWatch(
  { log, metrics, tracing }: Observers & { readonly log: Log },
  dsn: string,
): DatabaseWatch {
  const system = isPostgresDsn(dsn) ? 'postgresql' : 'sqlite'
  const pools: (() => Pool)[] = []
  const writePath = createWritePath()
  /** From the first answer on: before, the start fails with the reason. */
  let outage: ReturnType<typeof createOutageLog> | undefined
  const lost = (error: unknown) => outage?.failed({ cause: rootOf(error) })
  const count = (error: unknown) => {
    const cause = causeOf(error)
    if (cause) metrics.add('identity_database_failures_total', { cause })
    if (cause === 'connection') lost(error)
  }
  // Without them, Prometheus would see no increase at the first failure.
  for (const cause of FAILURE_CAUSES) metrics.add('identity_database_failures_total', { cause }, 0)
  return {
    refused(error) {
      count(error)
      lost(error)
    },
    assertWorks: writePath.assertWorks,
    ran(operation, milliseconds, statement) {
      if (statement.error !== undefined) {
        count(statement.error)
        writePath.failed(operation, statement)
      } else if (system === 'postgresql') {
        outage ??= createOutageLog(log, OUTAGE)
        outage.answered()
      }
      metrics.observe('identity_database_statement_duration_seconds', { operation }, milliseconds / 1000)
      if (tracing)
        traceStatement(
          tracing,
          milliseconds,
          { 'db.system.name': system, 'db.operation.name': operation },
          statement,
        )
    },
    waited(milliseconds) {
      metrics.observe('identity_database_wait_seconds', {}, milliseconds / 1000)
      if (milliseconds >= LONGEST_HIDDEN_MS) tracing?.ran('database.wait', milliseconds, {})
    },
    pool(read) {
      pools.push(read)
      metrics.measure('identity_database_connections', () =>
        STATES.map((state) => ({
          labels: { state },
          value: pools.reduce((sum, read) => sum + read()[state], 0),
        })),
      )
    },
  }
}

function traceStatement(
  tracing: Tracing,
  milliseconds: number,
  attributes: Attributes,
  { query, error }: Statement,
): void {
  const operation = attributes['db.operation.name']
  const table = query && tableOf(query)
  tracing.ran(table === undefined ? `${operation}` : `${operation} ${table}`, milliseconds, {
    ...attributes,
    ...(table === undefined ? {} : { 'db.collection.name': table }),
    ...(error === undefined ? {} : { 'error.type': error instanceof Error ? error.name : 'unknown' }),
  })
}

export function hashWatch({ metrics, tracing }: Observers): HashWatch {
  return {
    waited(milliseconds) {
      metrics.observe('identity_hash_wait_seconds', {}, milliseconds / 1000)
      if (milliseconds >= LONGEST_HIDDEN_MS) tracing?.ran('hash.wait', milliseconds, {})
    },
    ran(milliseconds) {
      metrics.observe('identity_hash_duration_seconds', {}, milliseconds / 1000)
      tracing?.ran('hash', milliseconds, {})
    },
    refused: () => metrics.add('identity_hash_refusals_total', {}),
    queue: (waiting) => metrics.measure('identity_hash_queue_waiting', () => [{ value: waiting() }]),
  }
}
