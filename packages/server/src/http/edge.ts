import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { isLoopback } from '@ostiary/identity/serving'
import { type AnsweredRequest, createListener, type ListenerParts } from '@ostiary/identity-server'
import type { Log } from '@ostiary/identity-server/process'
import { identityPrefix } from '../identity-gateway/identity-gateway.ts'
import { errorBody, errorResponse, ProductError } from './errors.ts'
import type { HeaderSet } from './header-sets.ts'

type SharedParts = Pick<
  ListenerParts,
  'port' | 'fetch' | 'respond' | 'metrics' | 'tracing' | 'client' | 'isStopping'
>

export interface EdgeParts extends SharedParts {
  readonly log: Log
  /** Logs failures only, for a terminal. */
  readonly forDeveloper?: boolean
  readonly headers: HeaderSet
  readonly public_url: URL
}

export function createProductListener({
  log,
  forDeveloper,
  public_url,
  ...parts
}: EdgeParts): RequestListener {
  return createListener({
    ...parts,
    prefix: identityPrefix,
    server_address: public_url.hostname,
    logRequest: forDeveloper ? createFailureLog(log) : createRequestLog(log),
    respondEarly: (request, response, headers) =>
      refuseLongUrl(request, response, headers) ||
      // Browsers do not navigate to the admin port.
      (parts.port === 'public' && redirect(canonicalLocation(request, public_url), response, headers)),
    onMalformed(error) {
      log.debug({ reason: String(error) }, 'malformed request')
      const headers = { Connection: 'close' }
      return errorResponse(
        new ProductError('bad_request', 400, 'The request could not be understood', { headers }),
      )
    },
  })
}

const LONGEST_URL = 8_192

function refuseLongUrl({ url = '' }: IncomingMessage, response: ServerResponse, headers: HeaderSet): boolean {
  if (url.length <= LONGEST_URL) return false
  const error = new ProductError('url_too_long', 414, 'The address is too long')
  const ownHeaders = { 'Content-Type': 'application/json', Connection: 'close' }
  response.writeHead(error.status, { ...headers, ...ownHeaders })
  response.end(JSON.stringify(errorBody(error)))
  return true
}

function redirect(Location: string | undefined, response: ServerResponse, headers: HeaderSet): boolean {
  if (Location === undefined) return false
  response.writeHead(307, { ...headers, Location }).end()
  return true
}

/**
 * Redirects a page to the app's own host: cookies of `127.0.0.1` are not sent to `localhost`, which would
 * break a sign-in. The URL comes from the settings; Host is only compared.
 */
export function canonicalLocation(request: IncomingMessage, public_url: URL): string | undefined {
  if (request.method !== 'GET' || request.headers.host === public_url.host) return undefined
  if (!isLoopback(public_url.hostname)) return undefined
  const requestedHost = request.headers.host?.replace(/:\d+$/, '').toLowerCase()
  if (requestedHost === undefined || requestedHost === public_url.hostname || !isLoopback(requestedHost))
    return undefined
  const path = request.url ?? '/'
  if (!path.startsWith('/') || !isNavigation(request, path)) return undefined
  return public_url.origin + path
}

function isNavigation(request: IncomingMessage, path: string): boolean {
  const mode = request.headers['sec-fetch-mode']
  if (mode !== undefined) return mode === 'navigate' && request.headers['sec-fetch-dest'] !== 'iframe'
  // Older browsers accept HTML, as do some clients of the identity service.
  return /^\/(?!\.ory\/|api\/|demo\/api\/)/.test(path) && (request.headers.accept ?? '').includes('text/html')
}

const SUM_EACH_MS = 1_000

/** Probes each second would be most of the log. */
const PROBES: ReadonlySet<string | undefined> = new Set(['/health/alive', '/health/ready'])

/**
 * Only the first 503 in a second has a line, because the lines would cost an eighth of a rejection;
 * the others are counted.
 */
export function createRequestLog(log: Log): (request: AnsweredRequest) => void {
  let unloggedCount: number | undefined
  const logOthers = () => {
    if (unloggedCount) log.info({ count: unloggedCount }, 'more requests rejected with 503')
    unloggedCount = undefined
  }
  return (request) => {
    if (request.status === 503 && unloggedCount !== undefined) {
      unloggedCount += 1
      return
    }
    if (request.status === 200 && PROBES.has(request.path)) log.debug(request, 'request')
    else log.info(request, 'request')
    if (request.status !== 503) return
    unloggedCount = 0
    setTimeout(logOthers, SUM_EACH_MS).unref()
  }
}

export function createFailureLog(log: Log): (request: AnsweredRequest) => void {
  return (request) => {
    const { method, path, status } = request
    if (status >= 400) log.info({}, `${status} ${method} ${path}`)
    else log.debug(request, 'request')
  }
}

/** A reset while the client still sends would take the answer from it. */
const LINGER_MS = 1_000

/** For requests that Node cannot parse, which never reach the app. */
export function refuseUnparsable(headers: HeaderSet) {
  const refusedSockets = new WeakSet<Duplex>()
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (refusedSockets.has(socket)) return
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    const [status, message] = refusal(error.code)
    const code = Number.parseInt(status, 10)
    const body = JSON.stringify({ error: { code: 'bad_request', status: code, reason: message, message } })
    const lines = Object.entries({
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      Connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`)
    refusedSockets.add(socket)
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
    // Node keeps the other half open, with no time limit while bytes arrive.
    setTimeout(() => socket.destroy(), LINGER_MS)
  }
}

function refusal(code: string | undefined): [string, string] {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return ['431 Request Header Fields Too Large', 'The request headers are too large']
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return ['408 Request Timeout', 'The request took too long']
    default:
      return ['400 Bad Request', 'The request could not be understood']
  }
}
