import { defineMetrics } from '@ostiary/server'

export const metrics = defineMetrics({
  code_host_request_duration_seconds: {
    type: 'histogram',
    labels: ['status'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    help: 'Calls of the code-hosting API',
  },
})
