import { METRICS } from '@ostiary/identity/operating'
import type { Catalogue } from '@ostiary/identity/serving'

export const metrics = {
  code_host_request_duration_seconds: {
    type: 'histogram',
    labels: ['status'],
    buckets: METRICS.identity_outgoing_request_duration_seconds.buckets,
    help: 'Calls of the code-hosting API',
  },
} as const satisfies Catalogue
