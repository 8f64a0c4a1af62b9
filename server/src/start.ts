import type { RequestListener, Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Identity } from '@my-app/identity'
import { createIdentity } from '@my-app/identity'
import { Hono } from 'hono'
import { announce } from './announce.ts'
import { limitBodies } from './app.ts'
import { builtPages, composeProduct, pageSettings } from './compose.ts'
import { createEdge } from './edge.ts'
import type { Settings } from './env.ts'
import type { HeaderSet } from './header-sets.ts'
import { identityConfig } from './identity.config.ts'
import { listen, stopListening } from './listen.ts'
import type { Log } from './log.ts'
import { assertDataFolder, loadSecrets } from './secrets.ts'
import { loadSpaFiles } from './spa-files.ts'

/** Stops in at most ten seconds: not ready any more, running requests end, then the database closes. */
export type Stop = () => Promise<void>

/** Throws a `StartError`, or a configuration error of the identity service, when something is in the way. */
export async function startProduct(settings: Settings, log: Log, dev: boolean): Promise<Stop> {
  const now = () => new Date()
  let stopping = false
  const isStopping = () => stopping
  assertDataFolder(settings)
  const spaFiles = dev ? undefined : loadSpaFiles(builtPages, pageSettings(settings))
  const identity = await openIdentity(settings, log, now)
  const { app, headerSets, public_url } = composeProduct({
    settings,
    identity,
    spaFiles,
    log,
    now,
    isStopping,
  })
  const headers = headerSets.api
  const edge = createEdge({ fetch: app.fetch, log, headers, public_url, isStopping })
  let servers: readonly Server[]
  try {
    servers = await openPorts(settings, dev ? await throughVite(edge, settings) : edge, headers, {
      identity,
      log,
      isStopping,
    })
  } catch (error) {
    await identity?.stop()
    throw error
  }
  identity?.start()
  announce(settings, log)
  return async () => {
    stopping = true
    // A balancer that asks for readiness each second must see 503 before the port closes.
    if (settings.production) await delay(1_000)
    await stopListening(servers, 7_000)
    await identity?.stop()
  }
}

async function openIdentity(settings: Settings, log: Log, now: () => Date): Promise<Identity | undefined> {
  if (settings.identity_url !== undefined) return undefined
  return createIdentity(identityConfig(settings, loadSecrets(settings)), { log, now })
}

async function throughVite(edge: RequestListener, settings: Settings): Promise<RequestListener> {
  const { createDevListener } = await import('./dev.ts')
  return createDevListener(edge, pageSettings(settings))
}

interface AdminParts {
  readonly identity: Identity | undefined
  readonly log: Log
  readonly isStopping: () => boolean
}

async function openPorts(
  settings: Settings,
  listener: RequestListener,
  headers: HeaderSet,
  parts: AdminParts,
): Promise<Server[]> {
  const { port, listen_hosts, admin_port, admin_host } = settings
  const servers = await listen(listener, { port, portSetting: 'PORT', hosts: listen_hosts, headers })
  if (!parts.identity) return servers
  try {
    const admin = await listen(adminListener(parts.identity, headers, parts), {
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

function adminListener(
  identity: Identity,
  headers: HeaderSet,
  { log, isStopping }: AdminParts,
): RequestListener {
  const app = new Hono()
  limitBodies(app, 5 * 2 ** 20)
  app.route('/', identity.adminApp)
  return createEdge({ fetch: app.fetch, log, headers, isStopping })
}
