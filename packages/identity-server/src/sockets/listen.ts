import { chmod, unlink } from 'node:fs/promises'
import type { Server as HttpServer, RequestListener } from 'node:http'
import { type AddressInfo, connect, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { boundedServer, type Timeouts, type UploadTimes } from './bounded-server.ts'
import { type ConnectionLimits, connectionLimit } from './connection-limit.ts'

export interface Port {
  /** Undefined: every address. `unix:` and a path. `::1` is optional, because a machine may lack IPv6. */
  readonly hosts: readonly (string | undefined)[]
  /** 0: any free port. */
  readonly port: number
  /** Names of the settings, for errors. */
  readonly settings: { readonly port: string; readonly host: string }
  /** Another worker already listens there. */
  readonly shared?: boolean
  /** Permissions of a `unix:` socket. */
  readonly mode?: number
  readonly timeouts?: Partial<Timeouts>
  readonly uploads?: UploadTimes
  readonly limits?: ConnectionLimits
  /** Called at most once a minute. */
  readonly onRefusal?: (address: string) => void
  /** Responds to a request that Node cannot parse. */
  readonly onClientError?: (error: NodeJS.ErrnoException, socket: Duplex) => void
}

/** The message names the problem and the fix. */
export class PortError extends Error {}

export async function openPort(listener: RequestListener, port: Port): Promise<HttpServer[]> {
  const { limits, onRefusal = () => {}, timeouts, uploads, onClientError, hosts } = port
  const limit = limits && connectionLimit(limits, onRefusal)
  const create = () => {
    const server = boundedServer(listener, { timeouts, uploads, limit })
    return onClientError ? server.on('clientError', onClientError) : server
  }
  const servers: HttpServer[] = []
  for (const host of hosts) {
    try {
      const path = socketPath(host)
      if (path === undefined)
        servers.push(...(await listenWithAll(create, { host, port: port.port, shared: port.shared })))
      else servers.push(await listenOnSocket(create, path, port.mode))
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (host === '::1' && hosts.length > 1 && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(code)) continue
      for (const server of servers) server.close()
      throw new PortError(problem(code, port, host), { cause: error })
    }
  }
  return servers
}

export function socketPath(host: string | undefined): string | undefined {
  return host?.startsWith('unix:') ? host.slice('unix:'.length) : undefined
}

function problem(code: string, { port, settings }: Port, host: string | undefined): string {
  const path = socketPath(host)
  if (path !== undefined && code === 'EADDRINUSE')
    return `The socket ${path} is used by another process. Stop it, or change ${settings.host}. Workers cannot share a socket.`
  if (path !== undefined) return `The socket ${path} could not be opened (${code}). Change ${settings.host}.`
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} is used by another program. Stop that program, or set ${settings.port} to a free port.`
    case 'EACCES':
      return `Port ${port} requires permissions that this user does not have. Set ${settings.port} to a port above 1024.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}. Change ${settings.host}.`
    default:
      return `Port ${port} could not be opened (${code}).`
  }
}

export function portOf([server]: readonly Server[]): number {
  return (server?.address() as AddressInfo | undefined)?.port ?? 0
}

/**
 * Serves for `drain` milliseconds, stops listening, and after `grace` milliseconds closes the
 * remaining connections.
 */
export async function closePorts(
  servers: readonly HttpServer[],
  { drain, grace }: { readonly drain: number; readonly grace: number },
): Promise<void> {
  // Load balancers must see 503 from the readiness check first.
  if (servers.length > 0) await delay(drain)
  const cut = setTimeout(() => {
    for (const server of servers) server.closeAllConnections()
  }, grace)
  // Clients keep connections open after their last request.
  const sweep = setInterval(() => {
    for (const server of servers) server.closeIdleConnections()
  }, 50)
  await Promise.all(servers.map(close))
  clearTimeout(cut)
  clearInterval(sweep)
}

/**
 * Listening sockets per address. libuv accepts one connection per socket and turn: with turns of 10
 * ms under load, 100 a second. Linux distributes connections over sockets that share a port.
 */
const ACCEPTORS = process.platform === 'linux' ? 8 : 1

/** With any other error, the system cannot share ports. */
const REASONS = ['EADDRINUSE', 'EACCES', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENOTFOUND']

interface Address {
  readonly host?: string
  readonly port: number
  readonly shared?: boolean
}

async function listenWithAll<S extends Server>(
  create: () => S,
  { host, port, shared = false }: Address,
): Promise<[S, ...S[]]> {
  const reusePort = ACCEPTORS > 1
  const at = (port: number) => ({ port, reusePort, backlog: 4096, host })
  // Listening alone detects another program. `exclusive`, because a worker would ask its primary.
  const alone = { ...at(port), reusePort: false, exclusive: true }
  if (reusePort && port !== 0 && !shared) await close(await start(create(), alone))
  const firstServer = await start(create(), at(port)).catch((error: NodeJS.ErrnoException) => {
    if (reusePort && !REASONS.includes(error.code ?? '')) return undefined
    throw error
  })
  if (!firstServer) return [await start(create(), { ...at(port), reusePort: false })]
  const { port: actualPort } = firstServer.address() as AddressInfo
  const otherServers = Array.from({ length: ACCEPTORS - 1 }, create)
  try {
    await Promise.all(otherServers.map((server) => start(server, at(actualPort))))
  } catch (error) {
    // Open servers would keep the process alive.
    for (const server of [firstServer, ...otherServers]) server.close()
    throw error
  }
  return [firstServer, ...otherServers]
}

async function listenOnSocket<S extends Server>(create: () => S, path: string, mode = 0o755): Promise<S> {
  const server = await start(create(), { path }).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE' || (await answers(path))) throw error
    // A killed process leaves its file.
    await unlink(path)
    return await start(create(), { path })
  })
  await chmod(path, mode)
  return server
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => resolve(true)).on('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

function start<S extends Server>(server: S, options: Parameters<Server['listen']>[0]): Promise<S> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(options, () => {
      server.off('error', reject)
      resolve(server)
    })
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
