import type { RequestListener, Server } from 'node:http'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { oneAtATime } from './one-at-a-time.ts'

export interface Timeouts {
  readonly headersTimeout: number
  readonly requestTimeout: number
  readonly connectionsCheckingInterval: number
  /** How long a client may read nothing of its response. */
  readonly timeout: number
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
}

/** Node's server with bounds for what one client can hold: time, memory, connections. */
export function boundedServer(listener: RequestListener, { timeouts, limit }: ServerBounds = {}): Server {
  const { timeout, ...periods } = { ...defaultTimeouts, ...timeouts }
  const options = {
    ...periods,
    // Longer than the usual minute of a proxy: the side that closes first occasionally loses a request.
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16_384,
    // A missing Host is refused later, where the response gets the headers of all others.
    requireHostHeader: false,
  }
  const server = createServer(options, oneAtATime(listener))
  server.setTimeout(timeout)
  if (limit) server.prependListener('connection', limit)
  return server
}
