import { createMetrics, METRICS } from '@ostiary/identity'
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
} as const satisfies Catalogue

export type ProductMetrics = Metrics<typeof PRODUCT_METRICS>

/** @param own metrics of the product */
export function createProductMetrics(own: Catalogue = {}, primary?: Primary): ProductMetrics {
  return createMetrics<typeof PRODUCT_METRICS>({ ...own, ...PRODUCT_METRICS }, primary?.snapshots)
}
