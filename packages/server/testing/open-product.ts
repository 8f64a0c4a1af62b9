import type { Server } from 'node:http'
import type { Identity } from '@ostiary/identity'
import type { ProductDatabase } from '@ostiary/identity/operating'
import { withTraceIds } from '@ostiary/identity/serving'
import { openPort, openTracing, type Port, portOf } from '@ostiary/identity-server'
import type { Log } from '@ostiary/identity-server/process'
import { uploadTimes } from '../src/http/body-limits.ts'
import { refuseUnparsable } from '../src/http/edge.ts'
import { createHeaderSets, type HeaderSets } from '../src/http/header-sets.ts'
import { createProductMetrics } from '../src/http/metrics.ts'
import type { JobRunner } from '../src/jobs/runner.ts'
import type { Pages } from '../src/pages/spa.ts'
import type { OfferedProviders } from '../src/product/demo.ts'
import type { IdentityDefaults, Product } from '../src/product/product.ts'
import { readSettings, type Settings } from '../src/settings/env.ts'
import { changeDefaults } from '../src/settings/identity.config.ts'
import { createProductServer, openDemo } from '../src/start/compose.ts'
import { openIdentity, openOwnDatabase } from '../src/start/open-identity.ts'

export interface OpenedProduct extends AsyncDisposable {
  readonly base: string
  readonly port: number
  /** Throws if the settings name another. */
  readonly identity: Identity
  readonly ownDatabase: ProductDatabase | undefined
  readonly servers: readonly Server[]
  readonly jobs: Pick<JobRunner, 'run'>
  fetch(path: string, init?: RequestInit): Promise<Response>
  beginToStop(): void
}

interface Parts {
  readonly env: NodeJS.ProcessEnv
  readonly log: Log
  pages(settings: Settings, headerSets: HeaderSets): Pages
  /** Whichever the product offers. */
  readonly demoProviders?: OfferedProviders
  readonly timeouts?: Port['timeouts']
  readonly now?: () => Date
  /** A migrated database. */
  readonly image?: Uint8Array
}

/** On a free port, with the identity service in memory. */
export async function openProduct(product: Product, parts: Parts): Promise<OpenedProduct> {
  const { now: realNow = () => new Date(), timeouts = {}, image } = parts
  const settings = readSettings(product, { DATABASE_URL: 'memory:', ...parts.env })
  const headerSets = createHeaderSets(new URL(settings.public_url), { policy: settings.policy })
  const tracing = await openTracing(settings.tracing, parts.log)
  const log = withTraceIds(parts.log, tracing)
  const metrics = createProductMetrics(product.metrics)
  const providers = parts.demoProviders ?? settings.demo_providers
  const demo = await openDemo(product, settings, { providers, now: realNow })
  const now = demo?.now ?? realNow
  const cheapHashes = (defaults: IdentityDefaults) => ({
    ...changeDefaults(product, defaults, settings),
    hashers: { argon2: { memory: '64KB', iterations: 1, parallelism: 1 } },
  })
  const identity = await openIdentity(settings, {
    ...{ product: { ...product, identity: cheapHashes }, log, metrics, tracing, demo, now, image },
  })
  const ownDatabase = await openOwnDatabase(settings, { product, log })
  const { jobs, listener, beginToStop, stop } = createProductServer({
    ...{ settings, product, identity, ownDatabase, demo, headerSets, now, log, metrics, tracing },
    pages: parts.pages(settings, headerSets),
  })
  jobs.start()
  const servers = await openPort(listener, {
    port: 0,
    settings: { port: 'PORT', host: 'LISTEN_HOST' },
    hosts: ['127.0.0.1'],
    timeouts,
    uploads: uploadTimes(product.bodyLimits),
    onClientError: refuseUnparsable(headerSets.api),
  })
  const port = portOf(servers)
  const base = `http://127.0.0.1:${port}`
  return {
    base,
    port,
    get identity() {
      if (!identity) throw new Error('this product has no identity service of its own')
      return identity
    },
    ownDatabase,
    servers,
    jobs,
    fetch: (path, init) => fetch(base + path, { redirect: 'manual', ...init }),
    beginToStop,
    [Symbol.asyncDispose]: () => stop(servers, { drain: 0, grace: 0 }),
  }
}
