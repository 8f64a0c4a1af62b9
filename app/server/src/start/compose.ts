import type { Identity, ProductDatabase } from '@my-app/identity'
import type { Tracing } from '@my-app/identity/serving'
import type { ClientReader } from '@my-app/identity-server'
import type { Log } from '@my-app/identity-server/process'
import type { Hono } from 'hono'
import type { AppParts } from '../app.ts'
import { createApp } from '../app.ts'
import { createCodeHost } from '../code-host/client.ts' // sample
import { withSampleRepositories, withScenarios } from '../code-host/sample-repositories.ts' // sample
import type { Changes } from '../demo/changes.ts'
import type { DemoParts } from '../demo/demo.ts'
import { previewEmails } from '../demo/inbox.ts'
import type { DemoHost } from '../demo/provider/routes.ts'
import { createWire } from '../demo/wire.ts'
import type { World } from '../demo/world.ts'
import { inWorld } from '../demo/world.ts'
import type { HeaderSets } from '../http/header-sets.ts'
import type { ProductMetrics } from '../http/metrics.ts'
import type { IdentityGateway } from '../identity-gateway/identity-gateway.ts'
import { embeddedGateway } from '../identity-gateway/identity-gateway.ts'
import { remoteGateway } from '../identity-gateway/remote-gateway.ts'
import type { Pages } from '../pages/spa.ts'
import type { PageSettings } from '../pages/spa-files.ts'
import type { Product } from '../product.ts'
import { createSessionCheck } from '../session/session.ts'
import { createUserJwtVerifier } from '../session/user-jwt.ts'
import { loadUserJwtKeys } from '../session/user-jwt-keys.ts'
import type { Settings } from '../settings/env.ts'
import { providerNames } from '../settings/providers.ts'
import { productTools } from './open-identity.ts'

export interface ProductParts {
  readonly settings: Settings
  readonly identity: Identity | undefined
  readonly product: Product
  readonly ownDatabase: ProductDatabase | undefined
  readonly providers: DemoHost | undefined
  readonly changes: Changes | undefined
  readonly headerSets: HeaderSets
  readonly pages: Pages
  readonly log: Log
  readonly metrics: ProductMetrics
  readonly tracing: Tracing | undefined
  readonly now: () => Date
  /** For the demo panel. */
  readonly world: World | undefined
  readonly isStopping: () => boolean
  readonly client: ClientReader
}

export function composeProduct(parts: ProductParts): Hono {
  const { settings, identity, headerSets, pages, log, now, isStopping } = parts
  const gateway = createGateway(parts)
  return createApp({
    headerSets,
    pages,
    log,
    now,
    isStopping,
    public_url: new URL(settings.public_url),
    cors_origins: settings.cors_origins,
    security_contact: settings.security_contact,
    identity: gateway,
    session: productSession(settings, gateway, now),
    ownIdentity: identity,
    isDocumented: !settings.production,
    product: productTools(parts, now),
    codeHost: productCodeHost(parts), // sample
    dashboard_user: settings.dashboard_user, // sample
    demo: demoOf(parts),
  })
}

/** Embedded in every page, so that one build runs anywhere. */
export function pageSettings(settings: Settings): PageSettings {
  return {
    identity_url: `${settings.public_url}/.ory`,
    dashboard_user: settings.dashboard_user, // sample
    token_template: settings.token_template,
    cookie_domain: settings.cookie_domain,
    demo: settings.demo,
    account_api: settings.identity_url === undefined,
    ...(settings.identity_url === undefined ? { providers: providerNames(settings) } : {}),
  }
}

function createGateway({
  settings,
  identity,
  ownDatabase,
  world,
  now,
  log,
  client,
  tracing,
}: ProductParts): IdentityGateway {
  const { identity_url, public_url } = settings
  if (identity && world) return inWorld(embeddedGateway(identity), world)
  if (identity) return embeddedGateway(identity)
  if (identity_url === undefined) throw new Error('neither an embedded nor a remote identity service')
  const gateway = remoteGateway({ identity_url, public_url, now, log, client, tracing })
  return ownDatabase ? { ...gateway, isReady: ownDatabase.isReady } : gateway
}

function productSession(settings: Settings, gateway: IdentityGateway, now: () => Date): AppParts['session'] {
  const verify = createUserJwtVerifier({
    issuer: gateway.issuer,
    audience: settings.public_url,
    now,
    loadKeys: () => loadUserJwtKeys(settings.identity_jwks_url, gateway),
  })
  return createSessionCheck(gateway, verify)
}

// #region sample
function productCodeHost({ settings, world, log, metrics, tracing, now }: ProductParts) {
  const parts = {
    base: settings.code_host_url,
    token: settings.github_token,
    dashboardUser: settings.dashboard_user,
    now,
    log,
    metrics,
    tracing,
  }
  const codeHost = createCodeHost(parts)
  if (!settings.demo) return codeHost
  const live = withSampleRepositories(codeHost, settings.dashboard_user)
  const create = (answer: () => Promise<Response>) => createCodeHost({ ...parts, fetch: answer })
  return world ? withScenarios(live, create, () => world.state().github) : live
}
// #endregion sample

/** The panel's records are in memory, so it needs the only worker. */
export function hasPanel({ demo, workers }: Settings): boolean {
  return demo && workers === 1
}

function demoOf(parts: ProductParts): DemoParts | undefined {
  const { identity, providers, changes, product, settings, world, now } = parts
  if (!identity || !providers || !changes) return undefined
  const { emails = [] } = product
  const wire = createWire({ identity, now, announce: changes.announce })
  const panel = { wire, people: { identity, now }, world }
  const { listMails } = identity
  const listPreviews = () => previewEmails(identity, emails)
  return { listMails, listPreviews, providers, changes, ...(hasPanel(settings) ? panel : {}) }
}
