import type { RequestListener, Server } from 'node:http'
import { createServer, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { OneAtATime } from './one-at-a-time.ts'
import { oneAtATime } from './one-at-a-time.ts'

export interface Timeouts {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
  /** How long a client may read nothing of its response; Node begins anew once if the system has taken a part of it. */
  readonly timeout: number
  /** How long a response may take as a whole, for a client that reads a little from time to time (FLT-17). */
  readonly responseTimeout: number
}

export interface ServerBounds {
  readonly timeouts?: Partial<Timeouts>
  /** Of `connectionLimit`. */
  readonly limit?: (socket: Socket) => void
}

// Node's defaults (60 s, 300 s, 30 s) let a slow-loris hold a connection for a minute and a half.
const defaultTimeouts: Timeouts = {
  headersTimeout: 5_000,
  requestTimeout: 10_000,
  connectionsCheckingInterval: 1_000,
  timeout: 30_000,
  responseTimeout: 60_000,
}

/** Node's server with bounds for what one client can hold: time, memory, connections. */
export function boundedServer(listener: RequestListener, { timeouts, limit }: ServerBounds = {}): Server {
  const { timeout, responseTimeout, ...periods } = { ...defaultTimeouts, ...timeouts }
  const options = {
    ...periods,
    IncomingMessage: BoundedRequest,
    // Longer than the usual minute of a proxy: the side that closes first occasionally loses a request.
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16_384,
    // A missing Host is refused later, where the response gets the headers of all others.
    requireHostHeader: false,
  }
  const requests = oneAtATime((request, response) => {
    // Of two Node takes the first, and a proxy may take the last (RFC 9112 section 3.2).
    if (hostsOf(request) > 1) delete request.headers.host
    // HTTP/1.0 has no Host: health checks of HAProxy come like that.
    else if (request.httpVersion === '1.0') request.headers.host ??= 'localhost'
    listener(request, response)
  })
  const server = createServer(options, requests.listener)
  // Node itself would refuse other expectations than 100-continue, without the headers of all other responses.
  server.on('checkExpectation', requests.listener)
  server.setTimeout(timeout)
  server.on('connection', ignoreAfterClose)
  closeSlowReaders(server, requests.running, responseTimeout, periods.connectionsCheckingInterval)
  if (limit) server.prependListener('connection', limit)
  return server
}

/** Pieces of a body that may be small, and the bytes that each has on average beyond them. */
const SMALL_PIECES = 512
const LEAST_BYTES = 64

/**
 * Closes the connection of a body that comes in crumbs: a chunk of one byte costs as much as one of many kilobytes, and
 * a socket read holds 11,000 of them (FLT-15).
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

/** A loop without a function for each header, because every session look-up passes here. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts
}

/** What Node parses the requests of a connection with. */
interface Parser {
  onIncoming?: ((...request: unknown[]) => number) | null
}

/**
 * Node parses a packet to its end, also after its connection was closed, and keeps every request and response until the
 * next turn of the event loop: 64 KB of them take 7 MB. It has no public way to stop.
 */
function ignoreAfterClose(socket: Socket): void {
  const { parser } = socket as Socket & { readonly parser?: Parser }
  const take = parser?.onIncoming
  if (parser && take) parser.onIncoming = (...request) => (socket.destroyed ? 0 : take(...request))
}

/** One timer for all responses: one each would cost every session look-up. */
function closeSlowReaders(
  server: Server,
  running: OneAtATime['running'],
  limit: number,
  interval: number,
): void {
  const timer = setInterval(() => {
    const now = performance.now()
    for (const [response, since] of running) {
      if (now - since < limit) break
      response.destroy()
    }
  }, interval)
  timer.unref()
  server.once('close', () => clearInterval(timer))
}
