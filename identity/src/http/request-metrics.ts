import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Metrics } from '../metrics/metrics.ts'
import { templateOf } from './route-template.ts'

/** One request that has ended. */
export interface EndedRequest {
  readonly port: 'public' | 'admin'
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly seconds: number
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Counts a request. An unknown method counts as `other`, so that clients cannot create series. */
export function observeRequest(metrics: Metrics, { port, request, response, seconds }: EndedRequest) {
  const { method = '' } = request
  const labels = {
    port,
    method: METHODS.has(method) ? method : 'other',
    route: templateOf(request),
    // The client left before the response was complete.
    status: response.writableFinished ? String(response.statusCode) : 'aborted',
  }
  metrics.observe('http_request_duration_seconds', labels, seconds)
}

/** Counts the requests of a listener. */
export function measured(
  listener: RequestListener,
  metrics: Metrics,
  port: EndedRequest['port'],
): RequestListener {
  return (request, response) => {
    const started = performance.now()
    response.once('close', () => {
      const seconds = (performance.now() - started) / 1000
      observeRequest(metrics, { port, request, response, seconds })
    })
    listener(request, response)
  }
}
