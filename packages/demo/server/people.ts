import { randomBytes } from 'node:crypto'
import type { Identity, Mail } from '@ostiary/identity'
import { type AccountSchema, ProductError, sampleTraits } from '@ostiary/server/demo'
import { Hono } from 'hono'
import type { Client, Service } from './prepare-people.ts'
import { addTotp, codeOf, guessUntilRefused, post, signIn, signInOnDevices } from './prepare-people.ts'
import type { DemoHost } from './provider/routes.ts'

export interface PeopleParts {
  readonly identity: Service & Pick<Identity, 'adminApp' | 'account'>
  readonly providers: Pick<DemoHost, 'clients' | 'remember'>
  readonly account: AccountSchema
  readonly now: () => Date
}

interface Person {
  readonly key: string
  readonly name: string
  readonly email: string
  /** The outcome of a sign-in. */
  readonly about: string
  readonly verified: boolean
  readonly credential: 'password' | 'github'
  readonly extra?: 'totp' | 'deletion' | 'refused' | 'devices'
}

/** Shown to visitors, so it lasts as long as this process. A later start in production may use the same database. */
const PASSWORD = randomBytes(12).toString('base64url')

/** Calls of the demo, not of an operator. */
const BY_ITSELF = { unrecorded: true } as const

const everybody = [
  personOf('ada', 'Ada', 'Logs in with a password'),
  personOf('bo', 'Bo', 'Cannot log in before verifying with a new code', { verified: false }),
  personOf('chi', 'Chi', 'Two-step login with the code below', { extra: 'totp' }),
  personOf('dee', 'Dee', 'Logs in with GitHub, has no password', { credential: 'github' }),
  personOf('eli', 'Eli', 'Logs in to an account that will be deleted', { extra: 'deletion' }),
  personOf('fay', 'Fay', 'After several wrong passwords, the right one is refused, too', {
    extra: 'refused',
  }),
  personOf('gus', 'Gus', 'Is logged in on 40 other devices', { extra: 'devices' }),
  personOf(
    'layla.bint.abd-al-rahman.al-andalusi',
    'ليلى بنت عبد الرحمن',
    'Logs in with a long name and address',
  ),
]

function personOf(key: string, name: string, about: string, special: Partial<Person> = {}): Person {
  const email = `${key}@people.example.com`
  return { key, name, email, about, verified: true, credential: 'password', ...special }
}

export interface ListedPeople {
  readonly password: string
  /** Logging in as one that is not `made` creates the account first. */
  readonly people: readonly (ReturnType<typeof show> & { readonly made: boolean })[]
}

/** Accounts with a ready-made past. The first login makes them. */
export function createPeople({ identity, providers, account, now }: PeopleParts) {
  const hasGitHub = providers.clients.some(({ id }) => id === 'github')
  const people = everybody.filter(({ credential }) => hasGitHub || credential !== 'github')
  /** By email. Accounts of an earlier process have another password and are made again. */
  const madeAt = new Map<string, Date>()
  /** Of authenticator apps, by person. */
  const secrets = new Map<string, string>()
  const app = new Hono<{ Bindings: Client }>()
  /** Fay's limit lasts a minute only. */
  const isMade = ({ email, extra }: Person) => madeAt.has(email) && extra !== 'refused'
  app.get('/', (c) => {
    const shownPeople = people.map((one) => ({ ...show(one, secrets, now()), made: isMade(one) }))
    return c.json<ListedPeople>({ password: PASSWORD, people: shownPeople })
  })
  app.post('/:key/reset', async (c) => {
    const person = people.find(({ key }) => key === c.req.param('key'))
    if (!person) throw new ProductError('not_found', 404, 'The demo has no such person')
    await remake(person, c.env)
    return c.body(null, 204)
  })
  return {
    routes: app,
    /** Excludes the notices that making a person causes, and emails to an account that was made again since. */
    isForVisitor({ recipient, created_at }: Pick<Mail, 'recipient' | 'created_at'>): boolean {
      if (people.every(({ email }) => email !== recipient)) return true
      const madeTime = madeAt.get(recipient)
      return madeTime !== undefined && new Date(created_at) > madeTime
    },
  }

  async function remake(person: Person, client: Client): Promise<void> {
    const { adminApp } = identity
    const id = await find(identity, person)
    if (id !== undefined) await adminApp.request(`/admin/identities/${id}`, { method: 'DELETE' }, BY_ITSELF)
    if (!(await createAccount(identity, draftOf(person, account)))) return
    // At once, so that another tab does not make the account again meanwhile.
    madeAt.set(person.email, now())
    if (person.credential === 'github')
      providers.remember?.('github', { id: subjectOf(person), ...person, email_verified: true })
    await prepare(person, client)
    madeAt.set(person.email, now())
  }

  async function prepare({ key, email, extra }: Person, client: Client): Promise<void> {
    const account = { email, password: PASSWORD }
    switch (extra) {
      case 'totp':
        return void secrets.set(key, await addTotp(identity, account, now))
      case 'deletion':
        return void (await identity.account.requestDeletion((await signIn(identity, account)).session.id))
      case 'refused':
        return await guessUntilRefused(identity, email, client)
      case 'devices':
        return await signInOnDevices(identity, account)
      case undefined:
        return
    }
  }
}

function show(
  { key, name, email, about, credential, extra }: Person,
  secrets: Map<string, string>,
  now: Date,
) {
  const secret = secrets.get(key)
  const step = extra === 'totp' ? 'code' : credential
  return { key, name, email, about, step, ...(secret ? codeOf(secret, now) : {}) } as const
}

async function find({ adminApp }: PeopleParts['identity'], { key }: Person): Promise<string | undefined> {
  const path = `/admin/identities/by/external/demo-${key}`
  const response = await adminApp.request(path, undefined, BY_ITSELF)
  return response.ok ? ((await response.json()) as { id: string }).id : undefined
}

/** Returns false if a visitor has registered the address. */
async function createAccount({ adminApp }: PeopleParts['identity'], draft: object): Promise<boolean> {
  const response = await adminApp.request('/admin/identities', post(draft), BY_ITSELF)
  if (response.ok || response.status === 409) return response.ok
  const { error } = (await response.json()) as { error: { reason?: string; message: string } }
  throw new ProductError('account_refused', 422, error.reason ?? error.message)
}

function requiredTraits(account: AccountSchema, email: string): object {
  try {
    return sampleTraits(account, email)
  } catch (cause) {
    throw new ProductError('account_refused', 422, (cause as Error).message, { cause })
  }
}

function draftOf(person: Person, account: AccountSchema): object {
  const { key, name, email, verified, credential } = person
  const providers = [{ provider: 'github', subject: subjectOf(person) }]
  return {
    schema_id: 'person',
    external_id: `demo-${key}`,
    traits: { ...requiredTraits(account, email), ...('name' in account.traits && { name }) },
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
