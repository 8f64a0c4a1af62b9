import assert from 'node:assert/strict'
import type { Identity, IdentityConfigInput, Parts } from '../../src/index.ts'
import { createIdentity } from '../../src/index.ts'
import type { Answer } from './answers.ts'
import { answerOf, JSON_BODY } from './answers.ts'
import { App, Browser, PASSWORD, PUBLIC } from './clients.ts'
import { atEnd, newDsn } from './databases.ts'
import { migratedImage } from './sqlite-image.ts'

const SCREENS = 'http://app.test'

/** An identity schema with an address for sign-in, verification and recovery. */
export const userSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    traits: {
      type: 'object',
      properties: {
        email: {
          type: 'string',
          format: 'email',
          title: 'E-Mail',
          maxLength: 320,
          'ory.sh/kratos': {
            credentials: { password: { identifier: true }, code: { identifier: true, via: 'email' } },
            verification: { via: 'email' },
            recovery: { via: 'email' },
          },
        },
        name: { type: 'string', title: 'Name', maxLength: 100 },
      },
      required: ['email'],
      additionalProperties: false,
    },
  },
}

export type Merge = { readonly [name: string]: unknown }

const STANDARD: Omit<IdentityConfigInput, 'dsn'> = {
  dev: true,
  // Requests within this process share an event loop turn, which would count as a delay.
  serve: { public: { base_url: `${PUBLIC}/`, max_delay: '0s' } },
  secrets: { default: ['a secret of the tests, long enough to be one'] },
  selfservice: {
    default_browser_return_url: `${SCREENS}/`,
    allowed_return_urls: [`${SCREENS}/`],
    methods: { password: { config: { min_password_length: 6, haveibeenpwned_enabled: false } } },
    flows: {
      error: { ui_url: `${SCREENS}/error` },
      login: { ui_url: `${SCREENS}/login`, lifespan: '10m' },
      registration: {
        ui_url: `${SCREENS}/register`,
        lifespan: '10m',
        style: 'unified',
        after: { password: { hooks: [{ hook: 'session' }, { hook: 'show_verification_ui' }] } },
      },
      verification: { enabled: true, ui_url: `${SCREENS}/verify`, lifespan: '15m' },
      recovery: { enabled: true, ui_url: `${SCREENS}/recovery`, lifespan: '15m' },
      settings: { ui_url: `${SCREENS}/settings`, lifespan: '1h', privileged_session_max_age: '15m' },
    },
  },
  // The lowest cost, because tests do not measure hashing.
  hashers: { argon2: { memory: '64KB', iterations: 1, parallelism: 1 } },
  identity: { schemas: [{ id: 'default', schema: userSchema }] },
}

/** Matches the product: a registration creates no session until the address is verified. */
export const VERIFIED_ONLY = {
  selfservice: {
    flows: {
      login: { after: { hooks: [{ hook: 'require_verified_address' }] } },
      registration: { after: { password: { hooks: [{ hook: 'show_verification_ui' }] } } },
    },
  },
}

const NONE = { own: 'off', allowance: 'off' }
/** Only the limits that strangers share. */
export const SHARED_LIMITS = {
  password: NONE,
  code: NONE,
  mail: NONE,
  registration: { allowance: 'off' },
  flow: { own: 'off' },
  provider: { own: 'off' },
}

/** The service of one test, with a manual clock. */
export interface TestIdentity extends Identity {
  advance(milliseconds: number): void
  now(): Date
  /** Log lines as text. */
  readonly logged: string[]
  browser(): Browser
  app(): App
  /** Creates a user with a password and a verified address. */
  user(email: string): Promise<void>
  /** Creates such a user and returns their signed-in browser. */
  signedIn(email: string): Promise<Browser>
  /** Returns the six digits of the newest email to an address. */
  code(email: string): Promise<string>
  mails(email: string): Promise<{ subject: string; body: string; template_type: string }[]>
  /** Sends a request to the admin port. */
  admin(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
}

/**
 * Merges Kratos' keys over the kit's own. Lists replace lists. Uses a new database of the running test's
 * dialect, or a `dsn` from `newDsn({ shared: true })` for replicas.
 */
export async function createTestIdentity(
  overrides: Merge = {},
  parts: Partial<Parts> = {},
): Promise<TestIdentity> {
  let now = Date.parse('2031-04-02T09:00:00.000Z')
  // Each read advances the clock, so later events have later times.
  const clock = () => new Date(now++)
  const logged: string[] = []
  const write = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`)
  const log = { debug: write, info: write, warn: write, error: write }
  const config = {
    ...standard(overrides),
    dsn: overrides.dsn ?? (await newDsn()),
  } as IdentityConfigInput
  const image = await migratedImage()
  const identity = await createIdentity(config, {
    defaults: 'kratos',
    now: clock,
    sleep: async () => {},
    log,
    image,
    ...parts,
  })
  atEnd(() => identity.stop())
  const test: TestIdentity = {
    ...identity,
    logged,
    now: clock,
    advance(milliseconds) {
      now += milliseconds
    },
    browser: () => new Browser(identity),
    app: () => new App(identity),
    user: (email) => makeUser(test, email),
    async signedIn(email) {
      await makeUser(test, email)
      const browser = test.browser()
      assert.equal((await browser.signIn(email)).status, 200)
      return browser
    },
    code: async (email) => newestCode(email, await test.mails(email)),
    async mails(email) {
      return (await identity.listMails(1000)).filter(({ recipient }) => recipient === email)
    },
    async admin(method, path, body, headers = {}) {
      const json = body === undefined ? {} : { body: JSON.stringify(body) }
      const init = { method, headers: { ...(body === undefined ? {} : JSON_BODY), ...headers }, ...json }
      return await answerOf(await identity.adminApp.request(`http://127.0.0.1${path}`, init))
    },
  }
  return test
}

/** Returns the kit's keys with others merged over them. */
export function standard(overrides: Merge): Merge {
  return merge(STANDARD as Merge, overrides)
}

/** Creates a user with a password and a verified address. */
export async function makeUser({ admin }: Pick<TestIdentity, 'admin'>, email: string): Promise<void> {
  const made = await admin('POST', '/admin/identities', {
    traits: { email },
    credentials: { password: { config: { password: PASSWORD } } },
    verifiable_addresses: [{ value: email, via: 'email', verified: true, status: 'completed' }],
  })
  assert.equal(made.status, 201)
}

/** Returns the six digits of the newest of these emails. */
export function newestCode(email: string, [newest]: readonly { readonly body: string }[]): string {
  const code = newest?.body.match(/\b\d{6}\b/)?.[0]
  assert.ok(code, `no code was emailed to ${email}`)
  return code
}

export function merge(base: Merge, over: Merge): Merge {
  const merged: Record<string, unknown> = { ...base }
  for (const [name, value] of Object.entries(over)) {
    const before = merged[name]
    merged[name] = isPlain(before) && isPlain(value) ? merge(before, value) : value
  }
  return merged
}

function isPlain(value: unknown): value is Merge {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
