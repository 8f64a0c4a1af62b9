import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { createIdentity, type Identity } from '@ostiary/identity'
import { openProductDatabase, type ProductDatabase } from '@ostiary/identity/operating'
import { withTraceIds } from '@ostiary/identity/serving'
import { sampleTraits } from '@ostiary/identity/testing/kit/sample-traits'
import { migratedImage } from '@ostiary/identity/testing/kit/sqlite-image'
import { openPort, openTracing, type Port, portOf } from '@ostiary/identity-server'
import ownProduct from '../../../app/server.ts'
import { refuseUnparsable } from '../src/http/edge.ts'
import { createHeaderSets } from '../src/http/header-sets.ts'
import { createProductMetrics } from '../src/http/metrics.ts'
import { createSpa } from '../src/pages/spa.ts'
import type { Product } from '../src/product/product.ts'
import { identityConfig } from '../src/settings/identity.config.ts'
import { assembleProduct } from '../src/start/compose.ts'
import { extensionOf } from '../src/start/open-identity.ts'
import { buildPages } from './pages.ts'
import { keepLog, type LogLine } from './quiet-log.ts'
import { readSettings } from './settings.ts'

export interface TestProduct extends AsyncDisposable {
  readonly base: string
  readonly port: number
  /** Throws if the settings name another. */
  readonly identity: Identity
  readonly ownDatabase: ProductDatabase | undefined
  readonly log: { readonly lines: LogLine[] }
  readonly servers: readonly Server[]
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** For what `fetch` would never send. */
  connect(text: string): Promise<RawConnection>
  beginToStop(): void
}

export interface RawConnection {
  readonly socket: Socket
  /** Until the other side closed. */
  readonly everything: Promise<string>
}

const ownPages = buildPages()

function pagesFor(policy: Product['policy']) {
  return policy ? buildPages({ policy }) : ownPages
}

export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Whichever the product offers. */
export const demoProviders = [
  { id: 'github', label: 'GitHub' },
  { id: 'google', label: 'Google' },
]

const hashers = { argon2: { memory: '64KB', iterations: 1, parallelism: 1 } }

/** On a free port, with the identity service in memory. */
export async function startTestProduct(
  env: NodeJS.ProcessEnv = {},
  timeouts: Port['timeouts'] = {},
  realNow: () => Date = () => new Date(),
  additions: Partial<Product> = {},
): Promise<TestProduct> {
  const product = { ...ownProduct, ...additions }
  const settings = readSettings({ DATABASE_URL: 'memory:', ...env }, product)
  const headerSets = createHeaderSets(new URL(settings.public_url), { policy: product.policy })
  const kept = keepLog()
  const tracing = await openTracing(settings.tracing, kept)
  const log = withTraceIds(kept, tracing)
  const metrics = createProductMetrics(product.metrics)
  const demo = settings.demo
    ? await (await product.demo()).openDemo({
        public_url: settings.public_url,
        providers: demoProviders,
        switches: product.demoSwitches ?? {},
        hasPanel: true,
        now: realNow,
        ask: undefined,
      })
    : undefined
  const now = demo?.now ?? realNow
  const config = {
    ...identityConfig(product, settings, [randomSecret()], demo?.clients),
    hashers,
  }
  const identity =
    settings.identity_url === undefined
      ? await createIdentity(config, {
          defaults: 'kratos',
          ...extensionOf(product),
          now,
          log,
          metrics,
          image: await migratedImage(),
          tracing,
          fetch: demo?.fetch,
          send: demo?.send,
        })
      : undefined
  const { migrations } = extensionOf(product)
  const ownDatabase =
    !identity && migrations ? await openProductDatabase('memory', { migrations }) : undefined
  const pages = createSpa({ files: pagesFor(additions.policy), headerSets, demo: settings.demo })
  const { jobs, listener, beginToStop, stop } = assembleProduct({
    ...{ settings, product, identity, ownDatabase, demo, headerSets, pages, now },
    ...{ log, metrics, tracing },
  })
  jobs.start()
  const servers = await openPort(listener, {
    port: 0,
    settings: { port: 'PORT', host: 'LISTEN_HOST' },
    hosts: ['127.0.0.1'],
    timeouts,
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
    log: kept,
    servers,
    fetch: (path, init) => fetch(base + path, { redirect: 'manual', ...init }),
    connect: (text) => openConnection(port, text),
    beginToStop,
    [Symbol.asyncDispose]: () => stop(servers, { drain: 0, grace: 0 }),
  }
}

async function openConnection(port: number, text: string): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.on('error', () => {})
  const everything = new Promise<string>((resolve) => {
    socket.once('close', () => resolve(Buffer.concat(chunks).toString()))
  })
  await once(socket, 'connect')
  socket.write(text)
  return { socket, everything }
}

interface Answered {
  readonly id: string
  readonly session_token?: string
  readonly ui: { readonly action: string }
  readonly continue_with?: readonly { readonly flow?: { readonly id: string } }[]
}

const PASSWORD = 'a long enough passphrase'

/** As a native client; returns the session token. */
export async function signUp(product: TestProduct, email: string): Promise<string> {
  const register = await open(product, 'registration')
  const registered = await submit(product, 'registration', register.id, {
    method: 'password',
    password: PASSWORD,
    traits: sampleTraits(ownProduct.config, email),
  })
  const verification = registered.continue_with?.find(({ flow }) => flow)?.flow?.id ?? ''
  const mails = await product.identity.listMails(5)
  const code = mails.map(({ subject }) => /\d{6}/.exec(subject)?.[0]).find(Boolean) ?? ''
  await submit(product, 'verification', verification, { method: 'code', code })
  return await signIn(product, email)
}

export async function signIn(product: TestProduct, identifier: string): Promise<string> {
  const login = await open(product, 'login')
  const { session_token = '' } = await submit(product, 'login', login.id, {
    method: 'password',
    identifier,
    password: PASSWORD,
  })
  return session_token
}

/** As an operator. */
export async function setRoles(product: TestProduct, token: string, roles: readonly string[]): Promise<void> {
  const whoami = await product.fetch('/.ory/sessions/whoami', { headers: { 'X-Session-Token': token } })
  const { identity } = (await whoami.json()) as { identity: { id: string } }
  const patched = await product.identity.adminApp.request(`/admin/identities/${identity.id}`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify([{ op: 'add', path: '/metadata_public/roles', value: roles }]),
  })
  if (!patched.ok) throw new Error(`the change was answered with ${patched.status}`)
}

async function open(product: TestProduct, kind: string): Promise<Answered> {
  const response = await product.fetch(`/.ory/self-service/${kind}/api`)
  return (await response.json()) as Answered
}

async function submit(product: TestProduct, kind: string, flow: string, body: object): Promise<Answered> {
  const response = await product.fetch(`/.ory/self-service/${kind}?flow=${flow}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(body),
  })
  const answered = (await response.json()) as Answered
  if (!response.ok) throw new Error(`${kind} answered ${response.status}: ${JSON.stringify(answered)}`)
  return answered
}
