import {
  createServer,
  IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { type OneAtATime, oneAtATime } from './one-at-a-time.ts'

/** In milliseconds. With Node's defaults, slowloris holds a connection for a minute and a half. */
const defaultTimeouts = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  /** For a client that reads nothing. Node restarts it once if the system has taken a part. */
  timeout: 30_000,
  /** For a whole response, even if the client reads a little now and then (FLT-17). */
  responseTimeout: 60_000,
}

export type Timeouts = typeof defaultTimeouts

/** Milliseconds that a large body may take in addition. */
export interface UploadTimes {
  readonly longest: number
  /** @param target path and query of a request */
  of(target: string): number
}

const NO_UPLOADS: UploadTimes = { longest: 0, of: () => 0 }

interface Bounds {
  readonly timeouts?: Partial<Timeouts> | undefined
  readonly uploads?: UploadTimes | undefined
  readonly limit?: ((socket: Socket) => void) | undefined
}

export function boundedServer(
  listener: RequestListener,
  { timeouts, limit, uploads = NO_UPLOADS }: Bounds = {},
): Server {
  const { timeout, responseTimeout, ...periods } = { ...defaultTimeouts, ...timeouts }
  const { requestTimeout, connectionsCheckingInterval: interval } = periods
  const options = {
    ...periods,
    requestTimeout: requestTimeout + uploads.longest,
    IncomingMessage: BoundedRequest,
    // Longer than a proxy's usual minute: the side that closes first may lose a request.
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16_384,
    // A missing Host is rejected later, with the usual headers.
    requireHostHeader: false,
  }
  const requests = oneAtATime((request, response) => {
    // HAProxy's health checks use HTTP/1.0.
    if (request.httpVersion === '1.0') request.headers.host ??= 'localhost'
    // Given two, Node uses the first, and a proxy may use the last (RFC 9112 §3.2).
    if (hostsOf(request) > 1 || !HOST.test(request.headers.host ?? '')) delete request.headers.host
    // `Request` rejects user info, but not before a route reads the body.
    request.url = withoutUserInfo(request.url ?? '/')
    listener(request, response)
  })
  const server = createServer(options, requests.listener)
  // Node would reject other expectations without the usual headers.
  server.on('checkExpectation', requests.listener)
  server.setTimeout(timeout)
  server.on('connection', ignoreAfterClose)
  repeat(server, interval, () => closeSlowReaders(requests.running, responseTimeout, uploads))
  if (uploads.longest > 0) repeat(server, interval, watchSenders(server, requestTimeout, uploads))
  if (limit) server.prependListener('connection', limit)
  return server
}

function withoutUserInfo(target: string): string {
  const url = target.startsWith('/') ? null : URL.parse(target)
  return url ? Object.assign(url, { username: '', password: '' }).href : target
}

const HOST = /^[\w.:[\]-]+$/

/** More pieces than this must have `LEAST_BYTES` on average. */
const SMALL_PIECES = 512
const LEAST_BYTES = 64

/**
 * Closes the connection of a body in tiny chunks: a one-byte chunk costs the same as one of many kilobytes,
 * and a single read contains 11,000 of them (FLT-15).
 */
class BoundedRequest extends IncomingMessage {
  #pieces = 0
  #bytes = 0

  override push(piece: Uint8Array | null, encoding?: BufferEncoding): boolean {
    if (piece) {
      this.#pieces += 1
      this.#bytes += piece.length
      if (this.#pieces > SMALL_PIECES && this.#bytes < this.#pieces * LEAST_BYTES) {
        this.socket.destroy()
        return false
      }
    }
    return super.push(piece, encoding)
  }
}

/** Avoids a function call per header: every session look-up runs this. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

interface Parser {
  onIncoming?: ((...request: unknown[]) => number) | null
}

/**
 * Node would parse the rest of the packet and keep every request until the next turn, 7 MB for 64
 * KB, and has no public way to stop.
 */
function ignoreAfterClose(socket: Socket): void {
  const { parser } = socket as Socket & { readonly parser?: Parser }
  const onIncoming = parser?.onIncoming
  if (parser && onIncoming)
    parser.onIncoming = (...request) => (socket.destroyed ? 0 : onIncoming(...request))
}

/** One timer for all connections: one for each would slow every session look-up. */
function repeat(server: Server, interval: number, work: () => void): void {
  const timer = setInterval(work, interval)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}

function closeSlowReaders(running: OneAtATime['running'], limit: number, uploads: UploadTimes): void {
  const now = performance.now()
  for (const [response, since] of running) {
    if (now - since < limit) break
    if (now - since >= limit + uploads.of(response.req.url ?? '')) response.destroy()
  }
}

/** Node has one limit for all paths, which is that of the largest upload. An answered request needs no more time. */
function watchSenders(server: Server, limit: number, uploads: UploadTimes): () => void {
  const sending = new Map<ServerResponse, number>()
  for (const event of ['request', 'checkExpectation'] as const)
    server.prependListener(event, (request, response) => {
      const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
      if (length === undefined && encoding === undefined) return
      sending.set(response, performance.now())
      response.once('close', () => request.complete && sending.delete(response))
    })
  const mayGoOn = ({ req, writableEnded }: ServerResponse, age: number) =>
    !writableEnded && age < limit + uploads.of(req.url ?? '')
  return () => {
    const now = performance.now()
    for (const [response, since] of sending) {
      if (now - since < limit) break
      const { complete, socket } = response.req
      if (complete || socket.destroyed) sending.delete(response)
      else if (!mayGoOn(response, now - since)) socket.destroy()
    }
  }
}
