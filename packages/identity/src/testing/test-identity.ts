import assert from 'node:assert/strict'
import { urlAt } from '../config/base-url.ts'
import {
  createIdentity,
  type Identity,
  type IdentityDependencies,
  type IdentityOptions,
  type Mail,
} from '../index.ts'
import { merge } from '../input/json.ts'
import { type Answer, answerOf, JSON_BODY } from './answers.ts'
import { Authenticator } from './authenticator.ts'
import { App, Browser, PASSWORD, type Send } from './clients.ts'

/** The service of one test, with a manual clock. Nothing leaves the process. */
export interface TestIdentity extends Identity {
  /** Moves the clock forward. */
  advance(milliseconds: number): void
  now(): Date
  readonly send: Send
  /** A browser with its own cookies and network address. */
  browser(): Browser
  /** A native app, which sends a session token. */
  app(): App
  /** A device with passkeys for the configured relying party. */
  authenticator(): Authenticator
  /** Creates a user with `PASSWORD` and a verified address. */
  user(email: string): Promise<void>
  /** Creates such a user and returns their signed-in browser. */
  signedIn(email: string): Promise<Browser>
  /** The six digits of the newest email to an address. */
  code(email: string): Promise<string>
  /** The emails to an address, newest first. */
  mails(email: string): Promise<Mail[]>
  /** Sends a request to the admin port. */
  admin(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>
}

/** Settings of a test. Passwords have the lowest cost, because tests do not measure hashing. */
const FAST: IdentityOptions = {
  dev: true,
  // Requests within this process share an event loop turn, which would count as a delay.
  serve: { public: { max_delay: '0s' } },
  selfservice: { methods: { password: { config: { haveibeenpwned_enabled: false } } } },
  hashers: { argon2: { memory: '64KB', iterations: 1, parallelism: 1 } },
}

/**
 * Creates a service in memory with the keys of `createIdentity`, which replace those of the kit. Call
 * `stop` at the end of the test.
 */
export async function createTestIdentity(
  options: IdentityOptions = {},
  parts: Partial<IdentityDependencies> = {},
): Promise<TestIdentity> {
  let now = Date.parse('2031-04-02T09:00:00.000Z')
  // Each read advances the clock, so later events have later times.
  const clock = () => new Date(now++)
  const settings = merge(FAST, options)
  const identity = await createIdentity(settings, { now: clock, sleep: async () => {}, ...parts })
  const { public: service } = identity.config.serve
  const send: Send = (url, init, bindings) =>
    identity.fetch(new Request(url.startsWith('http') ? url : urlAt(service.base_url, url), init), bindings)
  const test: TestIdentity = {
    ...identity,
    now: clock,
    advance(milliseconds) {
      now += milliseconds
    },
    send,
    browser: () => new Browser(send),
    app: () => new App(send),
    authenticator: () => new Authenticator(identity.config.selfservice.methods.passkey.config.rp),
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
