import type { Server } from 'node:http'
import { createIdentity, type Identity, type IdentityConfigInput } from '@ostiary/identity'
import { createMetrics, LostSecrets, METRICS } from '@ostiary/identity/operating'
import type { Config, Log, Tracing, WorkerSlot } from '@ostiary/identity/serving'
import { ConfigError, messageOf, parseConfig, withTraceIds } from '@ostiary/identity/serving'
import {
  closePorts,
  createClientReader,
  createListener,
  openPort,
  openTracing,
  portOf,
  socketPath,
} from '@ostiary/identity-server'
import type { Primary, TracingSettings } from '@ostiary/identity-server/process'
import { connectionLimits } from '@ostiary/identity-server/process'
import type { loadConfig } from '../configuration/load-config.ts'
import { watchFiles } from '../configuration/watch-files.ts'
import { kratos } from '../kratos.ts'
import { openLog, warner } from './configured-log.ts'

/** Time for running requests once the ports are closed. */
const GRACE_MS = 8000

/** Load balancers with checks every second send requests for this long. */
const DRAIN_MS = 1000

export type ReadConfig = (beforeReading?: Parameters<typeof loadConfig>[2]) => Promise<IdentityConfigInput>

export interface ServiceOptions {
  readonly read: ReadConfig
  readonly tracing: TracingSettings | undefined
  readonly primary: Primary | undefined
}

/** Sent by the first worker to the others. */
export interface Announcement {
  readonly ports: Ports
  readonly text: string
}

/** Throws `ConfigError`. */
export async function startService({ read, tracing: settings, primary }: ServiceOptions) {
  const watcher = watchFiles()
  const input = await read(watcher.add)
  const { config } = parseConfig(input)
  const slot = primary?.slot
  const plainLog = openLog(config, { shared: slot !== undefined })
  const tracing = await openTracing(settings, plainLog)
  const log = withTraceIds(plainLog, tracing)
  const identity = await createIdentity(input, {
    defaults: 'kratos',
    kratos,
    log,
    // The first worker logs the warnings, which concern all.
    warn: (slot?.number ?? 1) === 1 ? warner(config) : () => {},
    metrics: createMetrics(METRICS, primary?.snapshots),
    tracing,
    slot,
  }).catch(withAdvice)
  const service: Service = { identity, tracing, servers: [], stopping: false }
  const ports = await openPorts(service, config, log, slot).catch(async (error: unknown) => {
    await stop(service, 0)
    throw error
  })
  identity.start()
  const worker = slot ? { worker: slot.number } : {}
  watcher
    .run(() => reload(() => read(watcher.add), identity, { log, worker }))
    .catch((error: unknown) => {
      log.error({ ...worker, err: error }, 'configuration files are no longer watched')
    })
  return {
    announcement: { ports, text: announcement(identity, ports) } satisfies Announcement,
    becomeLeader: identity.becomeLeader,
    snapshot: identity.metrics.snapshot,
    /** Finishes running requests and background work. */
    stop: () => stop(service, identity.config.dev ? 0 : DRAIN_MS),
  }
}

/** Keeps the current configuration if the new one is invalid. */
async function reload(
  read: () => Promise<IdentityConfigInput>,
  identity: Identity,
  { log, worker }: { readonly log: Log; readonly worker: object },
): Promise<void> {
  try {
    await identity.reconfigure(await read())
    log.info(worker, 'configuration reloaded')
  } catch (error) {
    log.warn(worker, `configuration rejected: ${messageOf(error)}`)
  }
}

function withAdvice(error: unknown): never {
  if (!(error instanceof LostSecrets)) throw error
  const message = `${error.message}. If it is lost for good, run this once with --forget-secrets`
  throw new ConfigError([{ path: '', message }], { cause: error })
}

function announcement({ config: { serve }, database }: Identity, { open, admin }: Ports): string {
  const { token, tokens } = serve.admin
  const callers = token === undefined && tokens.length === 0 ? 'every caller' : 'callers with the token'
  return [
    `Public port: ${addressOf(serve.public.host, open)}, known as ${serve.public.base_url}`,
    `Admin port:  ${addressOf(serve.admin.host, admin)} (full access for ${callers})`,
    `Data:        ${database}`,
    '',
  ].join('\n')
}

function addressOf(host: string, port: number): string {
  return socketPath(host) === undefined ? `${host}:${port}` : host
}

async function stop(service: Service, drain: number): Promise<void> {
  const { servers, identity, tracing } = service
  service.stopping = true
  await closePorts(servers, { drain, grace: GRACE_MS })
  await identity.stop()
  await tracing?.stop()
}

interface Service {
  readonly identity: Identity
  readonly tracing: Tracing | undefined
  readonly servers: Server[]
  /** Still answers, but is not ready. */
  stopping: boolean
}

interface Ports {
  readonly open: number
  readonly admin: number
}

/** Adds each server to `service` at once, so that it closes if the second port is taken. */
async function openPorts(service: Service, { serve }: Config, log: Log, slot: WorkerSlot | undefined) {
  // Another worker already listens there.
  const shared = (slot?.announcement as Announcement | undefined)?.ports
  const { identity, tracing, servers } = service
  const { trusted_proxies = 0, base_url, max_connections, max_connections_per_address } = serve.public
  const limits = connectionLimits({
    total: max_connections,
    perAddress: max_connections_per_address,
    behindProxies: trusted_proxies !== 0,
    workers: slot?.of ?? 1,
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
