import type { RequestListener, Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Identity, Tracing } from '@my-app/identity'
import {
  AnotherDatabase,
  createIdentity,
  LostSecrets,
  openTracing,
  PendingMigrations,
  withTraceIds,
} from '@my-app/identity'
import { Hono } from 'hono'
import { ADMIN_PAGE, adminPage } from './admin/page.ts'
import { limitBodies } from './app.ts'
import type { ClientReader } from './client-address.ts'
import { createClientReader } from './client-address.ts'
import { composeProduct, pageSettings } from './compose.ts'
import type { DemoProviders } from './demo/provider/providers.ts'
import { createDemoProviders } from './demo/provider/providers.ts'
import { createEdge } from './edge.ts'
import type { Settings } from './env.ts'
import { StartError } from './errors.ts'
import type { HeaderSet, HeaderSets } from './header-sets.ts'
import { createHeaderSets } from './header-sets.ts'
import { identityConfig } from './identity.config.ts'
import { beginAnew, keepInstallation, readInstallation } from './installation-file.ts'
import { listen, stopListening } from './listen.ts'
import type { Log } from './log.ts'
import type { ProductMetrics } from './metrics.ts'
import { createProductMetrics } from './metrics.ts'
import { assertDataFolder, loadSecrets, tightenDataFolder } from './secrets.ts'
import type { Pages } from './spa.ts'
import { createSpa } from './spa.ts'
import { compressAll, loadAdminFiles, loadSpaFiles } from './spa-files.ts'

export interface Started {
  /** The database for display; undefined where another process holds it. */
  readonly database: string | undefined
  /** Not ready from now on; after the drain running requests end, then the database closes. */
  readonly stop: () => Promise<void>
}

/** Throws a `StartError`, or a configuration error of the identity service, if it cannot start. */
export async function startProduct(settings: Settings, plainLog: Log, dev: boolean): Promise<Started> {
  let stopping = false
  const isStopping = () => stopping
  const tracing = await openTracing(settings.tracing, plainLog)
  const log = withTraceIds(plainLog, tracing)
  assertDataFolder(settings)
  tightenDataFolder(settings, log)
  const headerSets = createHeaderSets(new URL(settings.public_url))
  const front = await openFront(settings, headerSets, dev)
  const now = () => new Date()
  const providers = settings.demo ? createDemoProviders(settings.public_url) : undefined
  const metrics = createProductMetrics()
  const identity = await openIdentity(settings, { log, now, metrics, tracing, providers })
  const client = createClientReader(settings.trusted_proxies)
  const public_url = new URL(settings.public_url)
  const parts = { identity, providers, headerSets, log, metrics, tracing, isStopping, client, public_url }
  const app = composeProduct({ settings, ...parts, pages: front.pages, now })
  const edge = createEdge({
    fetch: app.fetch,
    ...parts,
    port: 'public',
    headers: headerSets.api,
    ...(identity ? { respond: identity.respond } : {}),
  })
  const stop = async (servers: readonly Server[]) => {
    stopping = true
    // A load balancer must see 503 from /health/ready before the port closes.
    if (servers.length > 0) await delay(settings.drain_ms)
    await stopListening(servers, 7_000)
    await identity?.stop()
    await tracing?.stop()
    await front.close()
  }
  try {
    const servers = await openPorts(settings, front.wrap(edge), { ...parts, front, headers: headerSets.api })
    identity?.start()
    if (settings.production && settings.trusted_proxies === undefined) log.warn({}, UNKNOWN_PROXIES)
    front.warmUp(log)
    return { database: identity?.database, stop: () => stop(servers) }
  } catch (error) {
    await stop([])
    throw error
  }
}

const UNKNOWN_PROXIES =
  'TRUSTED_PROXIES is not set: X-Forwarded-For is ignored, and behind a proxy all users count as one client. Set it to the number of proxies before this server, or to 0'

/** The pages: the build in memory, or Vite. */
interface Front {
  readonly pages: Pages
  /** Set where the settings ask for it. */
  readonly adminPage: Hono | undefined
  wrap(listener: RequestListener): RequestListener
  warmUp(log: Log): void
  close(): Promise<void>
}

async function openFront(settings: Settings, headerSets: HeaderSets, dev: boolean): Promise<Front> {
  if (dev) {
    const { createDev } = await import('./dev.ts')
    const { adminPage, ...front } = await createDev(pageSettings(settings))
    return { ...front, adminPage: settings.admin_ui ? adminPage : undefined, warmUp: () => {} }
  }
  const dist = join(import.meta.dirname, '../../web/dist')
  const files = loadSpaFiles(dist, pageSettings(settings))
  return {
    pages: createSpa({ files, headerSets, demo: settings.demo }),
    adminPage: settings.admin_ui ? builtAdminPage(dist, settings, headerSets) : undefined,
    wrap: (listener) => listener,
    warmUp: (log) => {
      compressAll(files).catch((error: unknown) => log.error({ err: error }, 'pages could not be compressed'))
    },
    close: async () => {},
  }
}

function builtAdminPage(dist: string, { admin_host }: Settings, headerSets: HeaderSets): Hono {
  // With a dot, so that the public port does not serve it.
  return adminPage({ files: loadAdminFiles(join(dist, '.admin'), ADMIN_PAGE), headerSets, admin_host })
}

interface IdentityParts {
  readonly log: Log
  readonly metrics: ProductMetrics
  readonly tracing: Tracing | undefined
  readonly now: () => Date
  readonly providers: DemoProviders | undefined
}

async function openIdentity(
  settings: Settings,
  { log, now, metrics, tracing, providers }: IdentityParts,
): Promise<Identity | undefined> {
  if (settings.identity_url !== undefined) return undefined
  const config = identityConfig(settings, loadSecrets(settings), providers)
  const installation = readInstallation(settings)
  const identity = await createIdentity(config, {
    log,
    now,
    migrates: settings.migrates,
    metrics,
    ...(tracing ? { tracing } : {}),
    ...(providers ? { fetch: providers.fetch } : {}),
    ...(installation === undefined ? {} : { installation }),
  }).catch((cause: unknown) => {
    throw withAdvice(cause, settings)
  })
  keepInstallation(settings, identity.installation)
  return identity
}

/** What the operator can do about a database that the identity service refuses. */
function withAdvice(cause: unknown, settings: Settings): unknown {
  if (cause instanceof AnotherDatabase)
    return new StartError(`${cause.message}. ${beginAnew(settings)}`, { cause })
  if (cause instanceof LostSecrets)
    return new StartError(
      'The database was last used with a secret that is missing here: authenticator apps, codes and queued emails could not be read. Append that secret to SECRETS, or restore DATA_DIR/secrets.json. If it is lost for good, run `npm run migrate -- --forget-secrets`.',
      { cause },
    )
  if (cause instanceof PendingMigrations)
    return new StartError(`${cause.message}. Run \`npm run migrate\` first, or remove MIGRATE=off.`, {
      cause,
    })
  return cause
}

interface PortParts {
  readonly front: Front
  readonly identity: Identity | undefined
  readonly log: Log
  readonly metrics: ProductMetrics
  readonly tracing: Tracing | undefined
  readonly isStopping: () => boolean
  readonly client: ClientReader
  readonly public_url: URL
  readonly headers: HeaderSet
}

async function openPorts(settings: Settings, listener: RequestListener, parts: PortParts): Promise<Server[]> {
  const { port, listen_hosts, admin_port, admin_host } = settings
  const { headers, identity, log } = parts
  const servers = await listen(listener, {
    port,
    portSetting: 'PORT',
    hosts: listen_hosts,
    headers,
    connections: settings.connections,
    onRefusal: (address) =>
      log.warn({ address, ...settings.connections }, 'too many connections: see MAX_CONNECTIONS_PER_ADDRESS'),
  })
  if (!identity) return servers
  try {
    const admin = await listen(adminListener(identity, parts), {
      port: admin_port,
      portSetting: 'ADMIN_PORT',
      hosts: [admin_host],
      headers,
    })
    return [...servers, ...admin]
  } catch (error) {
    await stopListening(servers, 0)
    throw error
  }
}

function adminListener(identity: Identity, parts: PortParts): RequestListener {
  const app = new Hono()
  limitBodies(app, 5 * 2 ** 20)
  const { adminPage, wrap } = parts.front
  if (adminPage) app.route('/', adminPage)
  app.route('/', identity.adminApp)
  const edge = createEdge({ ...parts, port: 'admin', fetch: app.fetch })
  return adminPage ? wrap(edge) : edge
}
