import type { Server } from 'node:http'
import type { Identity } from '@ostiary/identity'
import type { Config, Log, Tracing } from '@ostiary/identity/serving'
import { createClientReader, createListener, openPort, portOf } from '@ostiary/identity-server'
import { connectionLimits } from '@ostiary/identity-server/process'

export interface Service {
  readonly identity: Identity
  readonly tracing: Tracing | undefined
  readonly servers: Server[]
  /** Still answers, but is not ready. */
  stopping: boolean
}

export interface Ports {
  readonly open: number
  readonly admin: number
}

interface Listening {
  readonly log: Log
  readonly workers: number
  /** Another worker already listens there. */
  readonly shared: Ports | undefined
}

/** Adds each server to `service` at once, so that it closes if the second port is taken. */
export async function openPorts(
  service: Service,
  { serve }: Config,
  { log, workers, shared }: Listening,
): Promise<Ports> {
  const { identity, tracing, servers } = service
  const { trusted_proxies = 0, base_url, max_connections, max_connections_per_address } = serve.public
  const limits = connectionLimits({
    total: max_connections,
    perAddress: max_connections_per_address,
    behindProxies: trusted_proxies !== 0,
    workers,
  })
  const observers = {
    metrics: identity.metrics,
    tracing,
    client: createClientReader(trusted_proxies),
    server_address: new URL(base_url).hostname,
    isStopping: () => service.stopping,
  }
  const listenOn = async (port: 'public' | 'admin', takenPort: number | undefined) => {
    const respond = port === 'public' ? identity.respond : undefined
    const openedServers = await openPort(
      createListener({ ...observers, port, respond, fetch: fetchOf(service, port) }),
      {
        hosts: [serve[port].host],
        port: takenPort ?? serve[port].port,
        settings: { port: `serve.${port}.port`, host: `serve.${port}.host` },
        shared: takenPort !== undefined,
        mode: serve[port].socket.mode,
        limits,
        onRefusal: (address) =>
          log.warn(
            { address, ...limits },
            'too many connections: see serve.public.max_connections_per_address',
          ),
      },
    )
    servers.push(...openedServers)
    return portOf(openedServers)
  }
  return { open: await listenOn('public', shared?.open), admin: await listenOn('admin', shared?.admin) }
}

/** Calls the app of the current configuration. Not ready while the service stops. */
function fetchOf(service: Service, port: 'public' | 'admin') {
  return (request: Request, bindings: object): Response | Promise<Response> => {
    if (service.stopping && new URL(request.url).pathname.endsWith('/health/ready'))
      return Response.json({ errors: { service: 'it stops' } }, { status: 503 })
    const { publicApp, adminApp } = service.identity
    return (port === 'public' ? publicApp : adminApp).fetch(request, bindings)
  }
}
