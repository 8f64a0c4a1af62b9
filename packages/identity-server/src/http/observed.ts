import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Metrics, Tracing, TrustedProxies } from '@my-app/identity/serving'
import { clientAddress, isProxy, requestIdOf } from '@my-app/identity/serving'
import { observeRequest } from './request-metrics.ts'
import { withSpan } from './request-span.ts'

export interface Observers {
  readonly port: 'public' | 'admin'
  readonly metrics: Metrics
  readonly tracing: Tracing | undefined
  readonly proxies: TrustedProxies
  readonly server_address: string
}

/** Answers a request whose id is known. */
export type Serve = (request: IncomingMessage, response: ServerResponse, request_id: string) => unknown

/** A listener that gives each request an id, counts it, and traces it. */
export function observed(
  serve: Serve,
  { port, metrics, tracing, proxies, server_address }: Observers,
): RequestListener {
  return (request, response) => {
    const started = performance.now()
    const isTrusted = () => isProxy(request.socket.remoteAddress, proxies)
    const request_id = requestIdOf(request.headers, isTrusted)
    response.once('close', () => {
      const seconds = (performance.now() - started) / 1000
      observeRequest(metrics, { port, request, response, seconds })
    })
    if (!tracing) {
      serve(request, response, request_id)
      return
    }
    const header = (name: string) => request.headers[name]?.toString()
    const client_address = clientAddress({ address: request.socket.remoteAddress, header }, proxies)
    const begun = { port, request, response, request_id, isTrusted, client_address, server_address }
    withSpan(tracing, begun, () => serve(request, response, request_id))
  }
}
