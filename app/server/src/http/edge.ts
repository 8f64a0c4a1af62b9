import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Identity } from '@my-app/identity'
import type { Metrics, Tracing } from '@my-app/identity/serving'
import { requestIdOf } from '@my-app/identity/serving'
import { observeRequest, sendPlain, withSpan } from '@my-app/identity-server'
import type { Log } from '@my-app/identity-server/process'
import { identityPrefix } from '../identity-gateway/identity-gateway.ts'
import { pathOf } from '../start/listen.ts'
import type { ClientReader } from './client-address.ts'
import { errorBody, errorResponse, ProductError } from './errors.ts'
import type { HeaderSet } from './header-sets.ts'
import { canonicalLocation } from './host-redirect.ts'
import { createFailureLog, createRequestLog } from './request-log.ts'

export interface EdgeParts {
  readonly fetch: (request: Request, env: object) => Response | Promise<Response>
  readonly log: Log
  readonly metrics: Metrics
  readonly tracing: Tracing | undefined
  readonly port: 'public' | 'admin'
  /** The log is a terminal in development. */
  readonly forDeveloper?: boolean
  /** The default headers of every response; a route's own headers replace them. */
  readonly headers: HeaderSet
  readonly public_url: URL
  readonly isStopping: () => boolean
  readonly client: ClientReader
  /** Set where the identity service runs in this process. */
  readonly respond?: Identity['respond']
}

const maxUrlLength = 8_192

/**
 * What every request passes, whichever part answers it: request id, headers, log line. It works on Node's
 * own objects because a session look-up takes less time than a Headers object or two.
 */
export function createEdge(parts: EdgeParts): RequestListener {
  const routes = getRequestListener(parts.fetch, {
    errorHandler: (error) => {
      parts.log.debug({ reason: String(error) }, 'malformed request')
      const headers = { Connection: 'close' }
      return errorResponse(
        new ProductError('bad_request', 400, 'The request could not be understood', { headers }),
      )
    },
  })
  const logRequest = parts.forDeveloper ? createFailureLog(parts.log) : createRequestLog(parts.log)
  const edge = { ...parts, routes, logRequest }
  return (request, response) => {
    const request_id = requestIdOf(request.headers, () => parts.client.isTrusted(request))
    // A closed socket has no address any more.
    const begun = { request, response, request_id, client_address: parts.client.address(request) }
    if (parts.tracing) trace(parts.tracing, parts, begun, () => serve(edge, begun))
    else serve(edge, begun)
  }
}

interface Edge extends EdgeParts {
  readonly routes: ReturnType<typeof getRequestListener>
  readonly logRequest: ReturnType<typeof createRequestLog>
}

interface Begun {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly request_id: string
  readonly client_address: string | undefined
}

function trace(
  tracing: Tracing,
  { client, port, public_url }: EdgeParts,
  begun: Begun,
  serve: () => void,
): void {
  const isTrusted = () => client.isTrusted(begun.request)
  withSpan(tracing, { ...begun, port, isTrusted, server_address: public_url.hostname }, serve)
}

function serve(edge: Edge, begun: Begun): void {
  const { request, response, request_id } = begun
  const headers = {
    'X-Request-Id': request_id,
    ...edge.headers,
    ...(edge.isStopping() ? { Connection: 'close' } : {}),
  }
  logWhenDone(edge, begun)
  if (answeredAtTheEdge(edge, request, response, headers)) return
  const route = () => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    void edge.routes(request, response)
  }
  if (edge.respond && request.url?.startsWith(`${identityPrefix}/`))
    void respondFast(edge.respond, request, response, { headers, request_id, route })
  else route()
}

interface Way {
  /** Of the response. */
  readonly headers: HeaderSet
  readonly request_id: string
  readonly route: () => void
}

/** Backends and proxies look up a session for each of their requests: without the router it takes half the time. */
async function respondFast(
  respond: Identity['respond'],
  request: IncomingMessage,
  response: ServerResponse,
  { headers, request_id, route }: Way,
): Promise<void> {
  const { method = '', url = '' } = request
  const path = url.slice(identityPrefix.length)
  const found = await respond({ method, path, headers: request.headers, request_id })
  if (!found) return route()
  await sendPlain(request, response, found, { prefix: identityPrefix, always: headers })
}

function answeredAtTheEdge(
  parts: EdgeParts,
  request: IncomingMessage,
  response: ServerResponse,
  headers: HeaderSet,
): boolean {
  if ((request.url ?? '').length > maxUrlLength) {
    const error = new ProductError('url_too_long', 414, 'The address is too long')
    const own = { 'Content-Type': 'application/json', Connection: 'close' }
    response.writeHead(error.status, { ...headers, ...own })
    response.end(JSON.stringify(errorBody(error)))
    return true
  }
  // Browsers do not navigate to the admin port.
  const location = parts.port === 'public' ? canonicalLocation(request, parts.public_url) : undefined
  if (location === undefined) return false
  response.writeHead(307, { ...headers, Location: location }).end()
  return true
}

/** Without the query: it carries flow ids, codes and tokens. */
function logWhenDone(
  { logRequest, metrics, tracing, port }: Edge,
  { request, response, request_id, client_address }: Begun,
): void {
  const started = performance.now()
  // Read now: the response ends outside of the request's context.
  const ids = tracing?.ids()
  response.once('close', () => {
    const milliseconds = performance.now() - started
    observeRequest(metrics, { port, request, response, seconds: milliseconds / 1000 })
    logRequest({
      request_id,
      ...ids,
      client_address,
      method: request.method,
      path: pathOf(request),
      status: response.statusCode,
      duration_ms: Math.round(milliseconds * 10) / 10,
      ...(response.writableFinished ? {} : { aborted: true }),
    })
  })
}
