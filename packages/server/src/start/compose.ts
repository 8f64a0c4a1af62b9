import type { Server } from 'node:http'
import type { Identity } from '@ostiary/identity'
import { DELETION_DAYS, type ProductDatabase } from '@ostiary/identity/operating'
import { type Tracing, tracedCall } from '@ostiary/identity/serving'
import { type ClientReader, closePorts, createClientReader } from '@ostiary/identity-server'
import { type Log, trustedProxies } from '@ostiary/identity-server/process'
import type { Hono } from 'hono'
import { createApp } from '../app.ts'
import { createProductListener } from '../http/edge.ts'
import { returnedBy } from '../http/errors.ts'
import type { HeaderSets } from '../http/header-sets.ts'
import type { ProductMetrics } from '../http/metrics.ts'
import { embeddedGateway, type IdentityGateway } from '../identity-gateway/identity-gateway.ts'
import { remoteGateway } from '../identity-gateway/remote-gateway.ts'
import { createJobRunner } from '../jobs/runner.ts'
import type { Pages } from '../pages/spa.ts'
import type { PageSettings } from '../pages/spa-files.ts'
import type { Demo, DemoOptions } from '../product/demo.ts'
import type { ApiTools, Product } from '../product/product.ts'
import type { OwnMetrics, PublicValues } from '../product/register.ts'
import { createSessionCheck, type SessionCheck } from '../session/session.ts'
import { createUserJwtVerifier, loadUserJwtKeys } from '../session/user-jwt.ts'
import type { Settings } from '../settings/env.ts'
import { providerNames } from '../settings/providers.ts'
import { productTools } from './open-identity.ts'

interface ProductParts {
  readonly settings: Settings
  readonly identity: Identity | undefined
  readonly product: Product
  readonly ownDatabase: ProductDatabase | undefined
  readonly demo: Demo | undefined
  readonly pages: Pages
  readonly log: Log
  readonly metrics: ProductMetrics
  readonly tracing: Tracing | undefined
  readonly now: () => Date
  readonly isStopping: () => boolean
  readonly client: ClientReader
}

interface AssembledParts extends Omit<ProductParts, 'isStopping' | 'client'> {
  readonly headerSets: HeaderSets
  readonly forDeveloper?: boolean
}

/** Joins the parts to what the public port answers, the jobs, and the order in which they stop. */
export function createProductServer(assembled: AssembledParts) {
  const { settings, identity, ownDatabase, tracing, demo, headerSets } = assembled
  let stopping = false
  const parts = {
    ...assembled,
    isStopping: () => stopping,
    client: createClientReader(trustedProxies.parse(settings.trusted_proxies ?? 0)),
    public_url: new URL(settings.public_url),
    headers: headerSets.api,
  }
  const { fetch } = createProductApp(parts)
  const { product, log, metrics, now } = assembled
  const tools = { ...productTools(parts, now), ...ownTools(parts) }
  const jobs = createJobRunner({ jobs: product.jobs ?? {}, tools, log, metrics })
  const respond = identity && (demo?.respond(identity.respond) ?? identity.respond)
  const beginToStop = () => {
    stopping = true
  }
  return {
    parts,
    jobs,
    listener: createProductListener({ ...parts, port: 'public', fetch, respond }),
    beginToStop,
    async stop(servers: readonly Server[], patience: Parameters<typeof closePorts>[1]): Promise<void> {
      beginToStop()
      demo?.stop()
      await Promise.all([closePorts(servers, patience), jobs.stop()])
      for (const part of [identity, ownDatabase, tracing]) await part?.stop()
    },
  }
}

function createProductApp(parts: ProductParts): Hono {
  const { product, identity, demo } = parts
  const gateway = createGateway(parts)
  const session = productSession(parts, gateway)
  return createApp({
    ...parts,
    config: product.config,
    bodyLimits: product.bodyLimits,
    identity: gateway,
    session,
    ownApi:
      product.api && returnedBy('api', product.api(apiTools(parts, session)), 'a Hono app with the routes'),
    embeddedIdentity: identity,
    mountDemo:
      demo &&
      identity &&
      ((app) => demo.mountOn(app, { identity, emails: product.emails ?? [], account: product.config })),
  })
}

/** Embedded in every page, so that one build runs anywhere. */
export function pageSettings(product: Product, settings: Settings): PageSettings {
  const { name, roles, traits, demoProviders, afterLogin } = product.config
  return {
    product: { name, roles, traits, demoProviders, afterLogin, public_url: settings.public_url },
    identity_url: `${settings.public_url}/.ory`,
    own: publicSettings(product, settings),
    token_template: settings.token_template,
    cookie_domain: settings.cookie_domain,
    demo: settings.demo,
    account_api: settings.identity_url === undefined,
    ...(settings.identity_url === undefined
      ? {
          deletion_days: DELETION_DAYS,
          providers: providerNames(settings.demo_providers, settings.providers),
        }
      : {}),
  }
}

function publicSettings({ settings: defined = {} }: Product, { own }: Settings): PublicValues {
  const names = Object.keys(defined).filter((name) => defined[name]?.isPublic)
  return Object.fromEntries(names.map((name) => [name, own[name]])) as PublicValues
}

function apiTools(parts: ProductParts, session: SessionCheck): ApiTools {
  const { log, now, demo } = parts
  return {
    ...productTools(parts, now),
    ...ownTools(parts),
    session,
    log,
    demo: demo && { value: (name) => demo.value(name) },
  }
}

function ownTools({ settings, metrics, tracing }: Pick<ProductParts, 'settings' | 'metrics' | 'tracing'>) {
  return {
    fetch: tracedFetch(tracing),
    // The start has checked these, and the metrics contain the product's.
    settings: settings.own,
    metrics: metrics as object as OwnMetrics,
  }
}

/** Sends no trace headers, which are for services of the operator. */
function tracedFetch(tracing: Tracing | undefined): typeof fetch {
  if (!tracing) return fetch
  return (input, init) => {
    const request = input instanceof Request ? input : { method: 'GET', url: input }
    const call = { target: 'product', method: init?.method ?? request.method, url: request.url } as const
    return tracedCall(
      tracing,
      call,
      () => fetch(input, init),
      ({ status }) => status,
    )
  }
}

function createGateway({ settings, identity, ownDatabase, demo, ...parts }: ProductParts): IdentityGateway {
  const { identity_url, public_url } = settings
  if (identity) {
    const gateway = embeddedGateway(identity)
    return demo?.surround(gateway) ?? gateway
  }
  if (identity_url === undefined) throw new Error('neither an embedded nor a remote identity service')
  const gateway = remoteGateway({ ...parts, identity_url, public_url })
  return ownDatabase ? { ...gateway, isReady: ownDatabase.isReady } : gateway
}

function productSession({ product, settings, now }: ProductParts, gateway: IdentityGateway): SessionCheck {
  const verify = createUserJwtVerifier({
    issuer: gateway.issuer,
    audience: settings.public_url,
    now,
    loadKeys: () => loadUserJwtKeys(settings.identity_jwks_url, gateway),
  })
  return createSessionCheck(gateway, verify, product.config.roles)
}

/** The panel's records are in memory, so it needs the only worker. */
export function hasPanel({ demo, workers }: Settings): boolean {
  return demo && workers === 1
}

/** Undefined outside demo mode. */
export async function openDemo(
  product: Product,
  settings: Settings,
  options: Partial<DemoOptions> & Pick<DemoOptions, 'now'>,
): Promise<Demo | undefined> {
  if (!settings.demo) return undefined
  const demo = await product.demo?.()
  return await demo?.openDemo({
    public_url: settings.public_url,
    providers: settings.demo_providers,
    switches: product.demoSwitches ?? {},
    hasPanel: hasPanel(settings),
    ask: undefined,
    ...options,
  })
}
