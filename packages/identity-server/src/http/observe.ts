import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Attributes, type Metrics, type Tracing, templateOf } from '@ostiary/identity/serving'

export interface ServedRequest {
  readonly port: 'public' | 'admin'
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly request_id: string
  readonly client_address: string | undefined
}

interface TracedRequest extends ServedRequest {
  /** A trusted proxy's trace continues. Clients must not choose what is recorded. */
  readonly isTrusted: () => boolean
  readonly server_address: string
}

/** Probes would be most of the spans. */
const PROBE = /^(\/\.ory|\/admin)?\/(health|metrics)\//

/** The span ends with the response. */
export function withSpan(tracing: Tracing | undefined, traced: TracedRequest, serve: () => void): void {
  const { request, response, request_id } = traced
  const [path = ''] = (request.url ?? '').split('?', 1)
  if (!tracing || PROBE.test(`${path}/`)) {
    serve()
    return
  }
  const method = methodOf(request) ?? '_OTHER'
  const attributes = {
    'http.request.method': method,
    'url.path': path,
    'server.address': traced.server_address,
    'identity.port': traced.port,
    'identity.request_id': request_id,
    ...(traced.client_address !== undefined && { 'client.address': traced.client_address }),
  }
  const from = traced.isTrusted() ? request.headers : undefined
  const span = tracing.begin({ name: method, request_id, attributes, from })
  response.once('close', () => {
    const route = templateOf(request)
    span.end(`${method} ${route}`, { 'http.route': route, ...resultOf(response) })
  })
  span.run(serve)
}

function resultOf({ writableFinished, statusCode }: ServerResponse): Attributes {
  if (!writableFinished) return { 'error.type': 'aborted' }
  const status = { 'http.response.status_code': statusCode }
  return statusCode >= 500 ? { ...status, 'error.type': String(statusCode) } : status
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Undefined for other methods, so that clients cannot create series. */
function methodOf({ method = '' }: IncomingMessage): string | undefined {
  return METHODS.has(method) ? method : undefined
}

export function observeRequest(
  metrics: Metrics,
  { port, request, response }: ServedRequest,
  seconds: number,
): void {
  const labels = {
    port,
    method: methodOf(request) ?? 'other',
    route: templateOf(request),
    // The client disconnected early.
    status: response.writableFinished ? String(response.statusCode) : 'aborted',
  }
  metrics.observe('http_request_duration_seconds', labels, seconds)
}
