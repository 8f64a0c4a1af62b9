import type { RequestListener, Server } from 'node:http'
import { join } from 'node:path'
import type { Identity } from '@ostiary/identity'
import { checkMailServer } from '@ostiary/identity/operating'
import { withTraceIds } from '@ostiary/identity/serving'
import { closePorts, openPort, openTracing, type UploadTimes } from '@ostiary/identity-server'
import type { Log, Primary } from '@ostiary/identity-server/process'
import { Hono } from 'hono'
import { ADMIN_PAGE, adminPage } from '../admin/page.ts'
import { limitBodies, uploadTimes } from '../http/body-limits.ts'
import { createProductListener, type EdgeParts, refuseUnparsable } from '../http/edge.ts'
import { StartError } from '../http/errors.ts'
import { createHeaderSets, type HeaderSets } from '../http/header-sets.ts'
import { createProductMetrics, type ProductMetrics } from '../http/metrics.ts'
import { createSpa, type Pages } from '../pages/spa.ts'
import { loadAdminFiles, loadSpaFiles } from '../pages/spa-files.ts'
import { scriptsOf } from '../product/policy.ts'
import type { Product } from '../product/product.ts'
import { repositoryRoot } from '../repository.ts'
import { ADMIN_PORT, PUBLIC_PORT, type Settings } from '../settings/env.ts'
import { createProductServer, hasPanel, openDemo, pageSettings } from './compose.ts'
import { assertDataFolder, findBackupTime, tightenDataFolder } from './data-folder.ts'
import { isFirst, openIdentity, openOwnDatabase } from './open-identity.ts'

export interface StartOptions {
  readonly log: Log
  readonly dev: boolean
  readonly primary: Primary | undefined
}

export async function startProduct(product: Product, settings: Settings, options: StartOptions) {
  const { log: plainLog, dev, primary } = options
  const tracing = await openTracing(settings.tracing, plainLog)
  const log = withTraceIds(plainLog, tracing)
  assertDataFolder(settings)
  tightenDataFolder(settings, log)
  const { hsts } = settings
  const headerSets = createHeaderSets(new URL(settings.public_url), { hsts, policy: settings.policy })
  const front = await openWebFrontend(product, settings, headerSets, dev)
  const realNow = () => new Date()
  const demo = await openDemo(product, settings, { ask: primary?.ask, now: realNow })
  const metrics = openMetrics(product, settings, primary)
  const identity = await openIdentity(settings, {
    ...{ product, log, metrics, tracing, demo, primary },
  })
  const now = identity?.now ?? realNow
  const ownDatabase = await openOwnDatabase(settings, { product, log, primary })
  const forDeveloper = !settings.production && process.stdout.isTTY
  const { pages } = front
  const { parts, jobs, listener, ...assembled } = createProductServer({
    ...{ settings, product, identity, ownDatabase, demo, headerSets, pages, now },
    ...{ log, metrics, tracing, forDeveloper },
  })
  const stop = async (servers: readonly Server[]) => {
    const stopped = assembled.stop(servers, { drain: settings.drain_ms, grace: GRACE_MS })
    // Otherwise the web sockets of Vite would last for the grace period.
    await Promise.all([stopped, front.close()])
  }
  try {
    const shared = !isFirst(primary)
    const uploads = uploadTimes(product.bodyLimits)
    const servers = await openPorts(settings, front.wrap(listener), { ...parts, front, shared, uploads })
    for (const server of servers) front.attach?.(server)
    identity?.start()
    const startLeaderJobs = () => {
      jobs.start()
      void checkMail(settings, log)
    }
    if (!primary) startLeaderJobs()
    return {
      database: identity?.database,
      becomeLeader() {
        identity?.becomeLeader()
        startLeaderJobs()
      },
      snapshot: metrics.snapshot,
      stop: () => stop(servers),
    }
  } catch (error) {
    await stop([])
    throw error
  }
}

const GRACE_MS = 7_000

/** The server runs without it, and emails wait. */
async function checkMail({ smtp_url }: Settings, log: Log): Promise<void> {
  const reason = smtp_url && (await checkMailServer(smtp_url).catch(() => undefined))
  if (reason)
    log.warn({ reason }, 'the mail server does not work; emails wait. Start it, or correct SMTP_URL')
}

function openMetrics(product: Product, settings: Settings, primary: Primary | undefined): ProductMetrics {
  const metrics = createProductMetrics(product.metrics, primary)
  metrics.measure('backup_created_timestamp_seconds', () => {
    const value = findBackupTime(settings)
    return value === undefined ? [] : [{ value }]
  })
  return metrics
}

interface WebFrontend {
  readonly pages: Pages
  readonly adminPage: Hono | undefined
  wrap(listener: RequestListener): RequestListener
  attach?(server: Server): void
  close(): Promise<void>
}

async function openWebFrontend(
  product: Product,
  settings: Settings,
  headerSets: HeaderSets,
  dev: boolean,
): Promise<WebFrontend> {
  const values = pageSettings(product, settings)
  if (dev) {
    const { createDev } = await import('./dev.ts').catch((cause: unknown) => {
      throw new StartError('--dev needs the sources and development packages: use npm run dev there.', {
        cause,
      })
    })
    const { adminPage, ...front } = await createDev(values, settings.policy)
    return { ...front, adminPage: settings.admin_ui ? adminPage : undefined }
  }
  const dist = join(repositoryRoot, 'app/web/dist')
  const files = loadSpaFiles(dist, values, {
    origin: settings.public_url,
    hasPanel: hasPanel(settings),
    scripts: scriptsOf(settings.policy),
  })
  // The dot keeps it off the public port.
  const loadAdmin = () => loadAdminFiles(join(dist, '.admin'), ADMIN_PAGE, { product: values.product })
  return {
    pages: createSpa(files, headerSets, settings.demo),
    adminPage: settings.admin_ui ? adminPage(loadAdmin(), headerSets, settings.admin_host) : undefined,
    wrap: (listener) => listener,
    close: async () => {},
  }
}

interface PortParts extends Omit<EdgeParts, 'port' | 'fetch' | 'respond'> {
  readonly front: WebFrontend
  readonly identity: Identity | undefined
  readonly shared: boolean
  readonly uploads: UploadTimes
}

async function openPorts(settings: Settings, listener: RequestListener, parts: PortParts): Promise<Server[]> {
  const { headers, identity, log, shared, uploads } = parts
  const { connections: limits } = settings
  const bounds = {
    shared,
    limits,
    onRefusal: (address: string) =>
      log.warn({ address, ...limits }, 'too many connections: see MAX_CONNECTIONS_PER_ADDRESS'),
    onClientError: refuseUnparsable(headers),
  }
  const { port, listen_hosts: hosts, admin_port, admin_host } = settings
  const servers = await openPort(listener, { hosts, port, settings: PUBLIC_PORT, uploads, ...bounds })
  if (!identity) return servers
  try {
    const admin = { hosts: [admin_host], port: admin_port, settings: ADMIN_PORT }
    return [...servers, ...(await openPort(adminListener(identity, parts), { ...admin, ...bounds }))]
  } catch (error) {
    await closePorts(servers, { drain: 0, grace: 0 })
    throw error
  }
}

function adminListener(identity: Identity, parts: PortParts): RequestListener {
  const app = new Hono()
  limitBodies(app, 5 * 2 ** 20)
  const { adminPage, wrap } = parts.front
  if (adminPage) app.route('/', adminPage)
  // Not `route`, which would skip the app's own reading of paths.
  app.mount('/', identity.adminApp.fetch, { replaceRequest: false })
  const edge = createProductListener({ ...parts, port: 'admin', fetch: app.fetch })
  return adminPage ? wrap(edge) : edge
}
