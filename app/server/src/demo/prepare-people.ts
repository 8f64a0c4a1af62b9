import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpBindings } from '@hono/node-server'
import type { Identity } from '@my-app/identity'

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
  return (await (
    await submit(service, ui.action, post(body, { 'User-Agent': userAgent }))
  ).json()) as SignedIn
}

/** In the settings form, as a user does. */
export async function addTotp(service: Service, account: Account, now: () => Date): Promise<Buffer> {
  const headers = { 'X-Session-Token': (await signIn(service, account)).session_token }
  const { ui } = await openFlow(service, 'settings', headers)
  const node = ui.nodes.find(({ attributes }) => attributes.id === 'totp_secret_key')
  const secret = fromBase32(node?.attributes.text?.context?.secret ?? '')
  await submit(service, ui.action, post({ method: 'totp', totp_code: totp(secret, now()) }, headers))
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

const STEP = 30

/** The current code of an authenticator app. */
export function codeOf(secret: Buffer, now: Date) {
  return { code: totp(secret, now), seconds: STEP - (Math.floor(now.getTime() / 1000) % STEP) }
}

/** RFC 6238, as an authenticator app computes it. */
function totp(secret: Buffer, now: Date): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now.getTime() / 1000 / STEP)))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)))
}
