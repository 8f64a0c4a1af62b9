import { setTimeout as delay } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import type { Identity } from '@ostiary/identity'
import { oneTimeCode } from '@ostiary/identity/serving'

export type Service = Pick<Identity, 'publicApp'>

/** Node's request, which has the visitor's address. */
export type Client = Partial<HttpBindings>

interface Account {
  readonly email: string
  readonly password: string
}

interface SignedIn {
  readonly session_token: string
  readonly session: { readonly id: string }
}

export async function signIn(service: Service, account: Account, userAgent = ''): Promise<SignedIn> {
  const { ui } = await openFlow(service, 'login')
  const body = { method: 'password', identifier: account.email, password: account.password }
  const response = await submit(service, ui.action, post(body, { 'User-Agent': userAgent }))
  return (await response.json()) as SignedIn
}

/** In the settings form, as a user does. */
export async function addTotp(service: Service, account: Account, now: () => Date): Promise<string> {
  const headers = { 'X-Session-Token': (await signIn(service, account)).session_token }
  const { ui } = await openFlow(service, 'settings', headers)
  const node = ui.nodes.find(({ attributes }) => attributes.id === 'totp_secret_key')
  const secret = node?.attributes.text?.context?.secret ?? ''
  const totp_code = oneTimeCode(secret, now().getTime())
  await submit(service, ui.action, post({ method: 'totp', totp_code }, headers))
  return secret
}

const MAX_GUESSES = 50
/** Seconds. Each refusal doubles the wait, and the visitor has to see it. */
const SHOWN_WAIT = 4

/** From the visitor's address: others' guesses would not stop the visitor. */
export async function guessUntilRefused(service: Service, identifier: string, client: Client): Promise<void> {
  const { ui } = await openFlow(service, 'login')
  for (let guess = 0; guess < MAX_GUESSES; guess += 1) {
    const body = post({ method: 'password', identifier, password: `guess ${guess}` })
    const { headers } = await submit(service, ui.action, body, client)
    const wait = Number(headers.get('Retry-After'))
    if (wait >= SHOWN_WAIT) return
    await delay(wait * 1000)
  }
}

const DEVICES = 40
const systems = [
  'Windows NT 10.0; Win64; x64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'X11; Linux x86_64',
  'iPhone; CPU iPhone OS 18_0 like Mac OS X',
  'Linux; Android 15',
]
const browsers = ['Firefox/140.0', 'Chrome/140.0 Safari/537.36', 'Version/18.0 Safari/605.1', 'Edg/140.0']

export async function signInOnDevices(service: Service, account: Account): Promise<void> {
  for (let n = 0; n < DEVICES; n += 1)
    await signIn(service, account, `Mozilla/5.0 (${systems[n % 5]}) ${browsers[n % 4]}`)
}

interface FlowJson {
  readonly ui: {
    readonly action: string
    readonly nodes: readonly {
      readonly attributes: { readonly id?: string; readonly text?: { context?: { secret?: string } } }
    }[]
  }
}

async function openFlow({ publicApp }: Service, kind: string, headers = {}): Promise<FlowJson> {
  const response = await publicApp.request(`/self-service/${kind}/api`, { headers })
  return (await response.json()) as FlowJson
}

async function submit({ publicApp }: Service, action: string, init: RequestInit, client: Client = {}) {
  const { pathname, search } = new URL(action)
  return await publicApp.request(pathname.replace('/.ory', '') + search, init, client)
}

export function post(body: object, headers = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
}

const STEP_MS = 30_000

/** The current code of an authenticator app. */
export function codeOf(secret: string, now: Date) {
  const at = now.getTime()
  return { code: oneTimeCode(secret, at), seconds: Math.ceil((STEP_MS - (at % STEP_MS)) / 1000) }
}
