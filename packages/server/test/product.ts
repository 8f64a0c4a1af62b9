import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { migratedImage } from '@ostiary/identity/testing/kit/sqlite-image'
import type { Port } from '@ostiary/identity-server'
import { sampleTraits } from '@ostiary/server/testing/sample-traits'
import ownProduct from '../../../app/server.ts'
import { createSpa } from '../src/pages/spa.ts'
import type { Policy } from '../src/product/policy.ts'
import type { Product } from '../src/product/product.ts'
import { type OpenedProduct, openProduct } from '../testing/open-product.ts'
import { buildPages } from './pages.ts'
import { keepLog, type LogLine } from './quiet-log.ts'

export interface TestProduct extends OpenedProduct {
  readonly log: { readonly lines: LogLine[] }
  /** For what `fetch` would never send. */
  connect(text: string): Promise<RawConnection>
}

export interface RawConnection {
  readonly socket: Socket
  /** Until the other side closed. */
  readonly everything: Promise<string>
}

const ownPages = buildPages()

function pagesFor(policy: Policy) {
  return isDeepStrictEqual(policy, {}) ? ownPages : buildPages({ policy })
}

export function randomSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Whichever the product offers. */
export const demoProviders = [
  { id: 'github', label: 'GitHub' },
  { id: 'google', label: 'Google' },
]

/** The product of `app/server.ts`, with pages that need no build. */
export async function startTestProduct(
  env: NodeJS.ProcessEnv = {},
  timeouts: Port['timeouts'] = {},
  now: () => Date = () => new Date(),
  additions: Partial<Product> = {},
): Promise<TestProduct> {
  const log = keepLog()
  const opened = await openProduct(
    { ...ownProduct, ...additions },
    {
      ...{ env, log, timeouts, now, demoProviders },
      pages: (settings, headerSets) => createSpa(pagesFor(settings.policy), headerSets, settings.demo),
      image: await migratedImage(),
    },
  )
  // A copy would read its accessors.
  return Object.assign(opened, { log, connect: (text: string) => openConnection(opened.port, text) })
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

export const PASSWORD = 'a long enough passphrase'

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
