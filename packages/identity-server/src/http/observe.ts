import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Attributes, Metrics, Tracing } from '@my-app/identity/serving'
import { templateOf } from '@my-app/identity/serving'

/** A request that a server has just received. */
interface BegunRequest {
  readonly port: 'public' | 'admin'
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly request_id: string
  /** Whether a trusted proxy sent it, whose trace is continued. A client must not choose what is recorded. */
  readonly isTrusted: () => boolean
  readonly client_address: string | undefined
  /** The host under which users know the server. */
  readonly server_address: string
}

/** Probes would be most of what is recorded. */
const PROBE = /^(\/\.ory|\/admin)?\/(health|metrics)\//

/** Serves a request within its span, which ends with the response. */
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

/** One request that has ended. */
interface EndedRequest {
  readonly port: 'public' | 'admin'
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly seconds: number
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Undefined for a method that is made up, so that clients cannot create series. */
function methodOf({ method = '' }: IncomingMessage): string | undefined {
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
