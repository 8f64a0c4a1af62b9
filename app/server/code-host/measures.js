import { METRICS } from '@ostiary/identity';
export const metrics = {
    code_host_request_duration_seconds: {
        type: 'histogram',
        labels: ['status'],
        buckets: METRICS.identity_outgoing_request_duration_seconds.buckets,
        help: 'Calls of the code-hosting API',
    },
};
