import type { HashWatch } from '../crypto/passwords/hash-queue.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { DatabaseWatch, Pool, Statement } from '../storage/database-watch.ts'
import { tableOf } from '../storage/database-watch.ts'
import { isPostgresDsn } from '../storage/postgres/dsn.ts'
import type { Attributes, Tracing } from '../tracing/tracing.ts'

interface Observers {
  readonly metrics: Metrics
  readonly tracing?: Tracing | undefined
}

const LONGEST_HIDDEN_MS = 1

const STATES = ['used', 'idle', 'waiting'] as const

export function databaseWatch({ metrics, tracing }: Observers, dsn: string): DatabaseWatch {
  const system = isPostgresDsn(dsn) ? 'postgresql' : 'sqlite'
  const pools: (() => Pool)[] = []
  return {
    ran(operation, milliseconds, statement) {
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
