import { createMetrics, METRICS } from '@my-app/identity'
import type { Catalogue, Metrics } from '@my-app/identity/serving'
import type { Primary } from '@my-app/identity-server/process'

export const PRODUCT_METRICS = {
  ...METRICS,
  // #region sample
  code_host_request_duration_seconds: {
    type: 'histogram',
    labels: ['status'],
    buckets: METRICS.identity_outgoing_request_duration_seconds.buckets,
    help: 'Calls of the code-hosting API',
  },
  // #endregion sample
  backup_created_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    workers: 'max',
    help: 'Time of the last `npm run backup`; no value before the first',
  },
} as const satisfies Catalogue

export type ProductMetrics = Metrics<typeof PRODUCT_METRICS>

export function createProductMetrics(primary?: Primary): ProductMetrics {
  return createMetrics(PRODUCT_METRICS, primary?.snapshots)
}
