import type { HashWatch } from '../crypto/hash-queue.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { DatabaseWatch } from '../storage/watched-driver.ts'

/** Reports the use of the database as metrics. */
export function databaseWatch(metrics: Metrics): DatabaseWatch {
  return {
    ran: (operation, milliseconds) =>
      metrics.observe('identity_database_statement_duration_seconds', { operation }, milliseconds / 1000),
    waited: (milliseconds) => metrics.observe('identity_database_wait_seconds', {}, milliseconds / 1000),
    pool: (read) =>
      metrics.measure('identity_database_connections', () =>
        Object.entries(read()).map(([state, value]) => ({ labels: { state }, value })),
      ),
  }
}

/** Reports the use of the hash queue as metrics. */
export function hashWatch(metrics: Metrics): HashWatch {
  return {
    waited: (milliseconds) => metrics.observe('identity_hash_wait_seconds', {}, milliseconds / 1000),
    ran: (milliseconds) => metrics.observe('identity_hash_duration_seconds', {}, milliseconds / 1000),
    refused: () => metrics.add('identity_hash_refusals_total', {}),
    queue: (waiting) => metrics.measure('identity_hash_queue_waiting', () => [{ value: waiting() }]),
  }
}
