import { createMetrics, METRICS } from '@ostiary/identity/operating'
import type { Catalogue, Metrics } from '@ostiary/identity/serving'
import type { Primary } from '@ostiary/identity-server/process'

export const PRODUCT_METRICS = {
  ...METRICS,
  backup_created_timestamp_seconds: {
    type: 'gauge',
    labels: [],
    workers: 'max',
    help: 'Time of the last `npm run backup`; no value before the first',
  },
  job_duration_seconds: {
    type: 'histogram',
    labels: ['name', 'result'],
    buckets: METRICS.identity_clean_up_duration_seconds.buckets,
    help: 'Runs of the jobs of the product',
  },
  job_last_success_timestamp_seconds: {
    type: 'gauge',
    labels: ['name'],
    workers: 'max',
    help: 'Time of the last run that succeeded; before the first, of the start that added the job',
  },
  job_interval_seconds: {
    type: 'gauge',
    labels: ['name'],
    workers: 'max',
    help: 'Usual time between two runs of a job',
  },
} as const satisfies Catalogue

export type ProductMetrics = Metrics<typeof PRODUCT_METRICS>

/** @param ownCatalogue metrics of the product */
export function createProductMetrics(ownCatalogue: Catalogue = {}, primary?: Primary): ProductMetrics {
  return createMetrics<typeof PRODUCT_METRICS>({ ...ownCatalogue, ...PRODUCT_METRICS }, primary?.snapshots)
}
