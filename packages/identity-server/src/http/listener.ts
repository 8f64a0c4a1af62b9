import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Identity } from '@ostiary/identity'
import type { Metrics, Tracing, TrustedProxies } from '@ostiary/identity/serving'
import { clientAddress, isProxy, requestIdOf } from '@ostiary/identity/serving'
import { observeRequest, type ServedRequest, withSpan } from './observe.ts'
import { sendPlain } from './send-plain.ts'

export interface ListenerParts {
  readonly port: 'public' | 'admin'
  readonly fetch: (request: Request, env: object) => Response | Promise<Response>
  /** Takes half the time of the router. */
  readonly respond?: Identity['respond']
  /** Prefix of the paths that `respond` answers. */
  readonly prefix?: string
  /** Added to every response. A route's headers replace them. */
  readonly headers?: ResponseHeaders
  /** Answers a request that no route should see. Returns whether it did. */
  readonly respondEarly?: (
    request: IncomingMessage,
    response: ServerResponse,
    headers: ResponseHeaders,
  ) => boolean
  /** Responds to requests that Node accepts but `Request` rejects. */
  readonly onMalformed?: (error: unknown) => Response
  readonly logRequest?: (request: AnsweredRequest) => void
  readonly metrics: Metrics
  readonly tracing: Tracing | undefined
  readonly client: ClientReader
  /** The host under which users reach the server. */
  readonly server_address: string
  readonly isStopping: () => boolean
}

type ResponseHeaders = Readonly<Record<string, string>>

export interface AnsweredRequest {
  readonly method?: string
  readonly path?: string
  readonly status: number
  readonly [field: string]: unknown
}

/**
 * Gives each request an id, counts, traces and logs it. Node's own objects, because a session
 * look-up takes less time than a `Headers` object.
 */
export function createListener(parts: ListenerParts): RequestListener {
  const { tracing, port, server_address, logRequest, onMalformed } = parts
  // Operators could forge proxies' headers.
  const client = port === 'admin' ? createClientReader(0) : parts.client
  const routes = getRequestListener(parts.fetch, { errorHandler: onMalformed })
  return (request, response) => {
    const isTrusted = () => client.isTrusted(request)
    const request_id = requestIdOf(request.headers, isTrusted)
    // Read now, because a closed socket has no address.
    const client_address = tracing || logRequest ? client.address(request) : undefined
    const served = { port, request, response, request_id, client_address }
    withSpan(tracing, { ...served, isTrusted, server_address }, () => {
      observeEnd(parts, served)
      void serve(parts, served, routes)
    })
  }
}

function observeEnd({ metrics, tracing, logRequest }: ListenerParts, served: ServedRequest): void {
  const { request, response, request_id, client_address } = served
  const startedAt = performance.now()
  // Read now, because the response closes outside of the request's context.
  const ids = logRequest && tracing?.ids()
  response.once('close', () => {
    const milliseconds = performance.now() - startedAt
    observeRequest(metrics, served, milliseconds / 1000)
    logRequest?.({
      request_id,
      ...ids,
      client_address,
      method: request.method,
      path: loggedPath(request),
      status: response.statusCode,
      duration_ms: Math.round(milliseconds * 10) / 10,
      ...(response.writableFinished ? {} : { aborted: true }),
    })
  })
}

const LONGEST_LOGGED_PATH = 512

/** Without the query, which carries flow ids, codes and tokens. Paths may be endless (SEC-66). */
function loggedPath({ url = '/' }: IncomingMessage): string {
  return url.split('?', 1)[0]?.slice(0, LONGEST_LOGGED_PATH) ?? '/'
}

async function serve(
  { respond, prefix = '', respondEarly, headers: baseHeaders, isStopping }: ListenerParts,
  { request, response, request_id }: ServedRequest,
  routes: RequestListener,
): Promise<void> {
  const stopping = isStopping()
  const headers = { 'X-Request-Id': request_id, ...baseHeaders, ...(stopping ? { Connection: 'close' } : {}) }
  if (respondEarly?.(request, response, headers)) return
  const { method = '', url = '' } = request
  // Only the routes report that the server is stopping or the host is missing.
  if (respond && !stopping && url.startsWith(`${prefix}/`) && 'host' in request.headers) {
    const path = url.slice(prefix.length)
    const quickResponse = await respond({ method, path, headers: request.headers, request_id })
    if (quickResponse)
      return await sendPlain(request, response, quickResponse, { prefix, baseHeaders: headers })
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  routes(request, response)
}

export interface ClientReader {
  readonly address: (request: IncomingMessage) => string | undefined
  /** A trusted proxy's headers describe the client. */
  readonly isTrusted: (request: IncomingMessage) => boolean
}

/** Reads clients as the identity service does, so that log, limits and device list agree. */
export function createClientReader(proxies: TrustedProxies): ClientReader {
  return {
    address({ socket, headers }) {
      const header = (name: string) => headers[name]?.toString()
      return clientAddress({ address: socket.remoteAddress, header }, proxies)
    },
    isTrusted: ({ socket }) => isProxy(socket.remoteAddress, proxies),
  }
}
