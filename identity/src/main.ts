import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import { getRequestListener } from '@hono/node-server'
import { HELP, readArguments } from './arguments.ts'
import { ConfigError } from './config/config-error.ts'
import { watchFiles } from './config/watch-files.ts'
import type { Config } from './config.ts'
import { parseConfig } from './config.ts'
import { openLog, warner } from './configured-log.ts'
import type { Log } from './contract.ts'
import type { Serve } from './http/observed.ts'
import { observed } from './http/observed.ts'
import type { Identity, IdentityConfigInput, Tracing } from './index.ts'
import {
  assignRoute,
  createIdentity,
  forgetSecrets,
  LostSecrets,
  openTracing,
  withTraceIds,
} from './index.ts'
import { loadConfig } from './load-config.ts'
import { outliveReader } from './log.ts'
import type { ServerBounds } from './sockets/bounded-server.ts'
import { boundedServer } from './sockets/bounded-server.ts'
import { connectionLimit, connectionLimits } from './sockets/connection-limit.ts'
import { listenWithAll } from './sockets/listen.ts'
import { readTracing } from './tracing/settings.ts'

/** Running requests may take this long when the service stops, in milliseconds. */
const GRACE = 8000

/** A load balancer with health checks every second keeps sending requests for this long, in milliseconds. */
const DRAIN = 1000

// The files that the process creates are readable by its own user only.
process.umask(0o077)
outliveReader()
await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<void> {
  try {
    const { config: files = [], help, 'forget-secrets': forgets } = readArguments(args)
    if (help) process.stdout.write(HELP)
    else if (forgets) await forget(files)
    else await serve(files)
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    process.exitCode = 1
  }
}

async function forget(files: readonly string[]): Promise<void> {
  const { config } = parseConfig(await readFiles(files))
  await forgetSecrets(config.dsn)
  process.stdout.write(
    'The next start may have any secrets. What the earlier ones encrypted stays unreadable.\n',
  )
}

type BeforeReading = Parameters<typeof loadConfig>[2]

async function readFiles(
  files: readonly string[],
  beforeReading?: BeforeReading,
): Promise<IdentityConfigInput> {
  if (files.length === 0)
    throw new ConfigError([{ path: '', message: `Name a configuration file.\n\n${HELP}` }])
  return await loadConfig(files, process.env, beforeReading)
}

async function serve(files: readonly string[]): Promise<void> {
  const watch = watchFiles()
  const read = () => readFiles(files, watch.add)
  const input = await read()
  const { config } = parseConfig(input)
  const plainLog = openLog(config)
  const tracing = await openTracing(readTracing(process.env), plainLog)
  const log = withTraceIds(plainLog, tracing)
  const warn = warner(config)
  const identity = await createIdentity(input, { log, warn, ...(tracing ? { tracing } : {}) })
  const service: Service = { identity, tracing, servers: [], leaving: false }
  const ports = await openPorts(service, config, log).catch(async (error: unknown) => {
    await stop(service)
    throw error
  })
  identity.start()
  stopOnSignal(service)
  watch
    .run(() => reload(read, identity, log))
    .catch((error: unknown) => {
      log.error({ err: error }, 'the configuration files are no longer watched')
    })
  announce(identity, ports)
}

interface Ports {
  readonly open: Server
  readonly admin: Server
}

/** Adds to the servers of `service` what it opens, so that they close if the second port is taken. */
async function openPorts(service: Service, config: Config, log: Log): Promise<Ports> {
  const { identity, tracing, servers } = service
  const { serve } = config
  const publicApp = withLeave(() => identity.publicApp, service)
  const adminApp = withLeave(() => identity.adminApp, service)
  const { trusted_proxies: proxies = 0 } = serve.public
  const server_address = new URL(serve.public.base_url).hostname
  const observers = { metrics: identity.metrics, tracing, proxies, server_address }
  const limit = publicLimit(config, log)
  const open = await listen(observed(fast(publicApp, service), { ...observers, port: 'public' }), {
    setting: 'serve.public.port',
    address: serve.public,
    limit,
  })
  servers.push(...open)
  const admin = await listen(observed(listenerOf(adminApp), { ...observers, port: 'admin' }), {
    setting: 'serve.admin.port',
    address: serve.admin,
  })
  servers.push(...admin)
  return { open: open[0], admin: admin[0] }
}

/** An invalid new configuration is logged, and the current one stays in effect. */
async function reload(read: () => Promise<IdentityConfigInput>, identity: Identity, log: Log): Promise<void> {
  try {
    await identity.reconfigure(await read())
    log.info({}, 'the configuration was reloaded')
  } catch (error) {
    log.warn({}, `the new configuration was rejected: ${wordsOf(error)}`)
  }
}

interface Service {
  readonly identity: Identity
  readonly tracing: Tracing | undefined
  readonly servers: Server[]
  /** The service is stopping: it answers requests, and reports itself as not ready. */
  leaving: boolean
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
  readonly limit?: NonNullable<ServerBounds['limit']>
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
    assignRoute(request, found.route)
    response.writeHead(found.status, { 'X-Request-Id': request_id, ...found.headers }).end(found.body)
  }
}

async function listen(
  listener: RequestListener,
  { setting, address, limit }: Port,
): Promise<[Server, ...Server[]]> {
  try {
    return await listenWithAll(() => boundedServer(listener, limit ? { limit } : {}), address)
  } catch (error) {
    const message = refusal(error as NodeJS.ErrnoException, address.host, address.port)
    throw new ConfigError([{ path: setting, message }])
  }
}

function publicLimit({ serve }: Config, log: Log): Port['limit'] & {} {
  const { max_connections: all, max_connections_per_address: perAddress, trusted_proxies } = serve.public
  const behindProxies = trusted_proxies !== undefined && trusted_proxies !== 0
  const limits = connectionLimits({ all, perAddress, behindProxies })
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

function announce({ config: { serve }, database }: Identity, { open, admin }: Ports): void {
  const [publicPort, adminPort] = [open, admin].map((server) => (server.address() as AddressInfo).port)
  process.stdout.write(
    [
      `Public port: ${serve.public.host}:${publicPort}, known as ${serve.public.base_url}`,
      `Admin port:  ${serve.admin.host}:${adminPort} (full access for every caller)`,
      `Data:        ${database}`,
      '',
    ].join('\n'),
  )
}

function stopOnSignal(service: Service): void {
  const onSignal = (signal: NodeJS.Signals) => {
    if (service.leaving) process.exit(1)
    service.leaving = true
    // Only orchestrators have a load balancer; Ctrl-C in a terminal stops immediately.
    const drain = signal === 'SIGTERM' && !service.identity.config.dev ? DRAIN : 0
    stop(service, drain)
      .catch((error: unknown) => {
        process.stderr.write(`${sentenceOf(error)}\n`)
        process.exitCode = 1
      })
      // An export to a collector that does not answer may still be under way.
      .finally(() => process.exit())
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

/**
 * Continues for `drain` milliseconds, lets running requests finish, stops the background work and closes the database.
 */
async function stop({ servers, identity, tracing }: Service, drain = 0): Promise<void> {
  await delay(drain)
  const cut = setTimeout(() => {
    for (const server of servers) server.closeAllConnections()
  }, GRACE)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  clearTimeout(cut)
  await identity.stop()
  await tracing?.stop()
}

/** A sentence without a stack trace, for the operator. */
function sentenceOf(error: unknown): string {
  if (error instanceof LostSecrets)
    return `${error.message}. If it is lost for good, run this once with --forget-secrets`
  if (error instanceof ConfigError) return error.message
  return `The identity service could not start: ${wordsOf(error)}`
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
