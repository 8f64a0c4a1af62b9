import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Attributes, type Metrics, type Tracing, templateOf } from '@ostiary/identity/serving'

interface BegunRequest {
  readonly port: 'public' | 'admin'
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly request_id: string
  /** A trusted proxy's trace continues. Clients must not choose what is recorded. */
  readonly isTrusted: () => boolean
  readonly client_address: string | undefined
  readonly server_address: string
}

/** Probes would be most of the spans. */
const PROBE = /^(\/\.ory|\/admin)?\/(health|metrics)\//

/** The span ends with the response. */
export function withSpan(tracing: Tracing | undefined, begun: BegunRequest, serve: () => void): void {
  const { request, response, request_id } = begun
  const [path = ''] = (request.url ?? '').split('?', 1)
  if (!tracing || PROBE.test(`${path}/`)) {
    serve()
    return
  }
  const method = methodOf(request) ?? '_OTHER'
  const attributes = attributesOf(begun, method, path)
  const from = begun.isTrusted() ? request.headers : undefined
  const span = tracing.begin({ name: method, request_id, attributes, from })
  response.once('close', () => {
    const route = templateOf(request)
    span.end(`${method} ${route}`, { 'http.route': route, ...resultOf(response) })
  })
  span.run(serve)
}

function attributesOf(begun: BegunRequest, method: string, path: string): Attributes {
  const { port, request_id, client_address, server_address } = begun
  return {
    'http.request.method': method,
    'url.path': path,
    'server.address': server_address,
    'identity.port': port,
    'identity.request_id': request_id,
    ...(client_address === undefined ? {} : { 'client.address': client_address }),
  }
}

function resultOf({ writableFinished, statusCode }: ServerResponse): Attributes {
  if (!writableFinished) return { 'error.type': 'aborted' }
  const status = { 'http.response.status_code': statusCode }
  return statusCode >= 500 ? { ...status, 'error.type': String(statusCode) } : status
}

interface EndedRequest {
  readonly port: 'public' | 'admin'
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly seconds: number
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Undefined for other methods, so that clients cannot create series. */
function methodOf({ method = '' }: IncomingMessage): string | undefined {
  return METHODS.has(method) ? method : undefined
}

export function observeRequest(metrics: Metrics, { port, request, response, seconds }: EndedRequest) {
  const labels = {
    port,
    method: methodOf(request) ?? 'other',
    route: templateOf(request),
    // The client disconnected early.
    status: response.writableFinished ? String(response.statusCode) : 'aborted',
  }
  metrics.observe('http_request_duration_seconds', labels, seconds)
}
