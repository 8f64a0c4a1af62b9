import { METRICS } from '@ostiary/identity/operating'
import { defineMetrics } from '@ostiary/server'

export const metrics = defineMetrics({
  code_host_request_duration_seconds: {
    type: 'histogram',
    labels: ['status'],
    buckets: METRICS.identity_outgoing_request_duration_seconds.buckets,
    help: 'Calls of the code-hosting API',
  },
})
