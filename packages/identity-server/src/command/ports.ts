import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { getRequestListener } from '@hono/node-server'
import type { Identity } from '@my-app/identity'
import type { Config, Log, Tracing } from '@my-app/identity/serving'
import { ConfigError } from '@my-app/identity/serving'
import type { Serve } from '../http/observed.ts'
import { observed } from '../http/observed.ts'
import { sendPlain } from '../http/send-plain.ts'
import type { ServerBounds } from '../sockets/bounded-server.ts'
import { boundedServer } from '../sockets/bounded-server.ts'
import { connectionLimit, connectionLimits } from '../sockets/connection-limit.ts'
import { listenWithAll } from '../sockets/listen.ts'

export interface Service {
  readonly identity: Identity
  readonly tracing: Tracing | undefined
  readonly servers: Server[]
  /** The service is stopping: it answers requests, and reports itself as not ready. */
  leaving: boolean
}

/** The numbers of the ports. */
export interface Ports {
  readonly open: number
  readonly admin: number
}

interface Listening {
  readonly log: Log
  readonly workers: number
  /** Where another worker listens already. */
  readonly shared: Ports | undefined
}

/** Adds to the servers of `service` what it opens, so that they close if the second port is taken. */
export async function openPorts(
  service: Service,
  config: Config,
  { log, workers, shared }: Listening,
): Promise<Ports> {
  const { identity, tracing, servers } = service
  const { serve } = config
  const publicApp = withLeave(() => identity.publicApp, service)
  const adminApp = withLeave(() => identity.adminApp, service)
  const { trusted_proxies: proxies = 0 } = serve.public
  const server_address = new URL(serve.public.base_url).hostname
  const observers = { metrics: identity.metrics, tracing, proxies, server_address }
  const open = await listen(observed(fast(publicApp, service), { ...observers, port: 'public' }), {
    setting: 'serve.public.port',
    address: serve.public,
    shared: shared?.open,
    limit: limitOf(config, log, workers),
  })
  servers.push(...open)
  const admin = await listen(observed(listenerOf(adminApp), { ...observers, port: 'admin' }), {
    setting: 'serve.admin.port',
    address: serve.admin,
    shared: shared?.admin,
    limit: limitOf(config, log, workers),
  })
  servers.push(...admin)
  return { open: portOf(open[0]), admin: portOf(admin[0]) }
}

interface App {
  fetch(request: Request, bindings: HttpBindings): Response | Promise<Response>
}

/**
 * While the service stops, it is not ready and closes connections after each response. `app` returns the app of the
 * current configuration.
 */
function withLeave(app: () => App, service: Service): App {
  return {
    fetch: async (request, bindings) => {
      const answer = await app().fetch(request, bindings)
      if (!service.leaving) return answer
      const unready = new URL(request.url).pathname.endsWith('/health/ready')
      const last = unready ? Response.json({ errors: { service: 'it stops' } }, { status: 503 }) : answer
      last.headers.set('Connection', 'close')
      return last
    },
  }
}

interface Port {
  /** The configuration key, for errors. */
  readonly setting: string
  readonly address: { readonly host: string; readonly port: number }
  /** The port at which another worker listens already. */
  readonly shared?: number | undefined
  readonly limit: NonNullable<ServerBounds['limit']>
}

function listenerOf(app: App): Serve {
  const routes = getRequestListener((request, bindings) => app.fetch(request, bindings as HttpBindings))
  return (request, response, request_id) => {
    response.setHeader('X-Request-Id', request_id)
    return routes(request, response)
  }
}

/** Session look-ups, the most frequent requests, take half the time without the router. */
function fast(app: App, service: Service): Serve {
  const routes = listenerOf(app)
  return async (request, response, request_id) => {
    const { method = '', url: path = '', headers } = request
    // Only the routes know how to respond while the service stops.
    const found = service.leaving
      ? undefined
      : await service.identity.respond({ method, path, headers, request_id })
    if (!found) return routes(request, response, request_id)
    await sendPlain(request, response, found, { always: { 'X-Request-Id': request_id } })
  }
}

async function listen(
  listener: RequestListener,
  { setting, address: { host, port }, shared, limit }: Port,
): Promise<[Server, ...Server[]]> {
  const address = { host, port: shared ?? port, shared: shared !== undefined }
  try {
    return await listenWithAll(() => boundedServer(listener, { limit }), address)
  } catch (error) {
    const message = refusal(error as NodeJS.ErrnoException, host, port)
    throw new ConfigError([{ path: setting, message }])
  }
}

/** Of one port. */
function limitOf({ serve }: Config, log: Log, workers: number): Port['limit'] {
  const { max_connections: all, max_connections_per_address: perAddress, trusted_proxies } = serve.public
  const behindProxies = trusted_proxies !== undefined && trusted_proxies !== 0
  const limits = connectionLimits({ all, perAddress, behindProxies, workers })
  return connectionLimit(limits, (address) =>
    log.warn({ address, ...limits }, 'too many connections: see serve.public.max_connections_per_address'),
  )
}

function refusal(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `port ${port} is used by another program: stop it, or name another port`
  if (error.code === 'EACCES')
    return `port ${port} requires permissions that this user does not have: use one above 1024`
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return `${host} is not an address of this machine`
  return `port ${port} could not be opened (${error.code})`
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
