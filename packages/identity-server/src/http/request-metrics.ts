import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Metrics } from '@my-app/identity/serving'
import { templateOf } from '@my-app/identity/serving'

/** One request that has ended. */
export interface EndedRequest {
  readonly port: 'public' | 'admin'
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly seconds: number
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Undefined for a method that is made up, so that clients cannot create series. */
export function methodOf({ method = '' }: IncomingMessage): string | undefined {
  return METHODS.has(method) ? method : undefined
}

/** Counts a request. */
export function observeRequest(metrics: Metrics, { port, request, response, seconds }: EndedRequest) {
  const labels = {
    port,
    method: methodOf(request) ?? 'other',
    route: templateOf(request),
    // The client left before the response was complete.
    status: response.writableFinished ? String(response.statusCode) : 'aborted',
  }
  metrics.observe('http_request_duration_seconds', labels, seconds)
}
