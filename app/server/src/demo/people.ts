import { createHmac, randomBytes } from 'node:crypto'
import type { Identity } from '@my-app/identity'
import { Hono } from 'hono'
import { ProductError } from '../http/errors.ts'
import type { DemoMail } from './inbox.ts'
import type { DemoHost } from './provider/routes.ts'

export interface PeopleParts {
  readonly identity: Pick<Identity, 'publicApp' | 'adminApp' | 'account'>
  readonly providers: Pick<DemoHost, 'clients' | 'remember'>
  readonly now: () => Date
}

interface Person {
  readonly key: string
  readonly name: string
  readonly email: string
  /** What is special about the account. */
  readonly about: string
  readonly verified: boolean
  readonly credential: 'password' | 'github'
  readonly extra?: 'totp' | 'deletion'
}

/** Shown to visitors, so it lasts as long as this process. A later start in production may use the same database. */
const PASSWORD = randomBytes(12).toString('base64url')
const ordinary = { verified: true, credential: 'password' } as const

const everybody: readonly Person[] = [
  { ...ordinary, key: 'ada', name: 'Ada', about: 'Verified address' },
  { ...ordinary, key: 'bo', name: 'Bo', about: 'Address not verified', verified: false },
  { ...ordinary, key: 'chi', name: 'Chi', about: 'Two-step login', extra: 'totp' as const },
  { ...ordinary, key: 'dee', name: 'Dee', about: 'GitHub only', credential: 'github' as const },
  { ...ordinary, key: 'eli', name: 'Eli', about: 'Deletion pending', extra: 'deletion' as const },
  {
    ...ordinary,
    key: 'layla.bint.abd-al-rahman.al-andalusi',
    name: 'ليلى بنت عبد الرحمن',
    about: 'Long address',
  },
].map((person) => ({ ...person, email: `${person.key}@people.example.com` }))

export interface DemoPeople {
  readonly routes: Hono
  /** Excludes the notices that making a person causes, and emails to an account that was made again since. */
  isForVisitor(mail: Pick<DemoMail, 'recipient' | 'created_at'>): boolean
}

/** Ready-made accounts, made when the panel first asks for them. */
export function createPeople({ identity, providers, now }: PeopleParts): DemoPeople {
  const hasGitHub = providers.clients.some(({ id }) => id === 'github')
  const people = everybody.filter(({ credential }) => hasGitHub || credential !== 'github')
  /** By email. Accounts of an earlier process have another password and are made again. */
  const madeAt = new Map<string, Date>()
  /** Of authenticator apps, by person. */
  const secrets = new Map<string, Buffer>()
  const app = new Hono()
  app.get('/', (c) => c.json({ password: PASSWORD, people: people.map((one) => show(one, secrets, now())) }))
  app.post('/', async (c) => {
    for (const person of people) {
      const id = await find(identity, person)
      if (id === undefined || !madeAt.has(person.email)) await remake(person, id)
    }
    return c.body(null, 204)
  })
  app.post('/:key/reset', async (c) => {
    const person = people.find(({ key }) => key === c.req.param('key'))
    if (!person) throw new ProductError('not_found', 404, 'The demo has no such person')
    await remake(person, await find(identity, person))
    return c.body(null, 204)
  })
  return {
    routes: app,
    isForVisitor({ recipient, created_at }) {
      if (people.every(({ email }) => email !== recipient)) return true
      const made = madeAt.get(recipient)
      return made !== undefined && new Date(created_at) > made
    },
  }

  async function remake(person: Person, id: string | undefined): Promise<void> {
    if (id !== undefined) await identity.adminApp.request(`/admin/identities/${id}`, { method: 'DELETE' })
    const response = await identity.adminApp.request('/admin/identities', post(draftOf(person)))
    // A visitor may have registered the address.
    if (!response.ok) return
    // At once, so that another tab does not make the account again meanwhile.
    madeAt.set(person.email, now())
    if (person.credential === 'github')
      providers.remember?.('github', { id: subjectOf(person), ...person, email_verified: true })
    if (person.extra === 'totp') secrets.set(person.key, await addTotp(identity, person, now))
    if (person.extra === 'deletion') {
      const { session } = await signIn(identity, person)
      await identity.account.requestDeletion(session.id)
    }
    madeAt.set(person.email, now())
  }
}

function show({ key, name, email, about, credential }: Person, secrets: Map<string, Buffer>, now: Date) {
  const secret = secrets.get(key)
  const code = secret && {
    code: totp(secret, now),
    seconds: STEP - (Math.floor(now.getTime() / 1000) % STEP),
  }
  return { key, name, email, about, credential, ...code }
}

async function find({ adminApp }: PeopleParts['identity'], { key }: Person): Promise<string | undefined> {
  const response = await adminApp.request(`/admin/identities/by/external/demo-${key}`)
  return response.ok ? ((await response.json()) as { id: string }).id : undefined
}

function draftOf(person: Person): object {
  const { key, name, email, verified, credential } = person
  const providers = [{ provider: 'github', subject: subjectOf(person) }]
  return {
    schema_id: 'person',
    external_id: `demo-${key}`,
    traits: { email, name },
    credentials:
      credential === 'password'
        ? { password: { config: { password: PASSWORD } } }
        : { oidc: { config: { providers } } },
    verifiable_addresses: [
      { value: email, via: 'email', verified, status: verified ? 'completed' : 'pending' },
    ],
  }
}

function subjectOf({ key }: Person): string {
  return `demo-${key}`
}

interface SignedIn {
  readonly session_token: string
  readonly session: { readonly id: string }
}

async function signIn(identity: PeopleParts['identity'], { email }: Person): Promise<SignedIn> {
  const { ui } = await openFlow(identity, 'login')
  const body = { method: 'password', identifier: email, password: PASSWORD }
  return (await (await submit(identity, ui.action, body)).json()) as SignedIn
}

/** In the settings form, as a user does. */
async function addTotp(identity: PeopleParts['identity'], person: Person, now: () => Date): Promise<Buffer> {
  const { session_token: token } = await signIn(identity, person)
  const { ui } = await openFlow(identity, 'settings', token)
  const node = ui.nodes.find(({ attributes }) => attributes.id === 'totp_secret_key')
  const secret = fromBase32(node?.attributes.text?.context?.secret ?? '')
  await submit(identity, ui.action, { method: 'totp', totp_code: totp(secret, now()) }, token)
  return secret
}

interface FlowJson {
  readonly ui: {
    readonly action: string
    readonly nodes: readonly {
      readonly attributes: { readonly id?: string; readonly text?: { context?: { secret?: string } } }
    }[]
  }
}

async function openFlow({ publicApp }: PeopleParts['identity'], kind: string, token = ''): Promise<FlowJson> {
  const headers = token ? { 'X-Session-Token': token } : undefined
  const response = await publicApp.request(`/self-service/${kind}/api`, { headers })
  return (await response.json()) as FlowJson
}

async function submit({ publicApp }: PeopleParts['identity'], action: string, body: object, token = '') {
  const { pathname, search } = new URL(action)
  return await publicApp.request(pathname.replace('/.ory', '') + search, post(body, token))
}

function post(body: object, token = ''): RequestInit {
  const headers = { 'Content-Type': 'application/json', ...(token && { 'X-Session-Token': token }) }
  return { method: 'POST', headers, body: JSON.stringify(body) }
}

const STEP = 30

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
