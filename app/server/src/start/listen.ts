import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ServerBounds } from '@my-app/identity-server'
import { boundedServer, connectionLimit, listenWithAll } from '@my-app/identity-server'
import type { ConnectionLimits } from '@my-app/identity-server/process'
import { StartError } from '../http/errors.ts'
import type { HeaderSet } from '../http/header-sets.ts'

export interface ListenOptions {
  readonly port: number
  /** The setting that changes the port, for the error message. */
  readonly portSetting: string
  readonly hosts: readonly (string | undefined)[]
  readonly headers: HeaderSet
  /** Another worker of this server listens there already. */
  readonly shared?: boolean
  readonly timeouts?: ServerBounds['timeouts']
  readonly connections?: ConnectionLimits
  /** Called for an address whose connection was refused, at most once a minute. */
  readonly onRefusal?: (address: string) => void
}

const unlimited: ConnectionLimits = { all: Number.POSITIVE_INFINITY, perAddress: Number.POSITIVE_INFINITY }

/** Listens on every host given; IPv6 addresses that this machine does not have are left out. */
export async function listen(listener: RequestListener, options: ListenOptions): Promise<Server[]> {
  const servers: Server[] = []
  const { connections = unlimited, onRefusal = () => {} } = options
  const limit = connectionLimit(connections, onRefusal)
  try {
    for (const host of options.hosts) {
      servers.push(...(await listenOn(() => createHttpServer(listener, options, limit), host, options)))
    }
  } catch (error) {
    for (const server of servers) server.close()
    throw error
  }
  return servers
}

export function portOf(server: NetServer): number {
  return (server.address() as AddressInfo).port
}

/** Stops listening, finishes running requests, and closes the rest after the given time. */
export async function stopListening(servers: readonly Server[], graceMs: number): Promise<void> {
  const cut = setTimeout(() => {
    for (const server of servers) server.closeAllConnections()
  }, graceMs)
  // A connection whose request has just ended is kept open by its client and has nothing to finish.
  const sweep = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, 50)
  await Promise.all(servers.map(closed))
  clearTimeout(cut)
  clearInterval(sweep)
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

function createHttpServer(
  listener: RequestListener,
  { headers, timeouts = {} }: ListenOptions,
  limit: NonNullable<ServerBounds['limit']>,
): Server {
  const server = boundedServer(listener, { timeouts, limit })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(error, socket, headers))
  return server
}

async function listenOn(
  create: () => Server,
  host: string | undefined,
  { port, portSetting, shared = false }: ListenOptions,
): Promise<Server[]> {
  try {
    return await listenWithAll(create, { port, shared, ...(host === undefined ? {} : { host }) })
  } catch (error) {
    const cause = error as NodeJS.ErrnoException
    const missingIpv6 = host === '::1' && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(cause.code ?? '')
    if (missingIpv6) return []
    throw listenError(cause, port, portSetting, host)
  }
}

function listenError(
  error: NodeJS.ErrnoException,
  port: number,
  setting: string,
  host: string | undefined,
): StartError {
  const instead = `${setting}=${port < 65_000 ? port + 10 : port - 10}`
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} is used by another program. Stop that program, or choose another port: ${instead}`,
      )
    case 'EACCES':
      return new StartError(
        `Port ${port} needs rights that this user does not have. Choose a port above 1024: ${setting}=3000`,
      )
    case 'EADDRNOTAVAIL':
      return new StartError(`This machine has no address ${host}. Change LISTEN_HOST or ADMIN_HOST.`)
    default:
      return new StartError(`Port ${port} could not be opened (${error.code}).`, { cause: error })
  }
}

/** Requests that Node cannot parse never reach the app; they get the same headers as all others. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex, headers: HeaderSet): void {
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
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
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

/** Of the path that is logged. */
const LONGEST_PATH = 512

/** For logs: without the query, and cut where a client sent an endless path (SEC-66). */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '/').split('?', 1)[0]?.slice(0, LONGEST_PATH) ?? '/'
}
