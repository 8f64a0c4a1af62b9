import type { Identity } from '@ostiary/identity'
import { App, PASSWORD } from '@ostiary/identity/testing'
import { createLog } from '@ostiary/identity-server/process'
import { Hono } from 'hono'
import { sampleTraits } from '../journeys/sample-traits.ts'
import type { Product } from '../src/product/product.ts'
import { type OpenedProduct, openProduct } from './open-product.ts'

export interface TestProduct extends Pick<OpenedProduct, 'identity' | 'fetch'>, AsyncDisposable {
  /**
   * Creates a user with a verified address, and with roles such as `editor`, and logs in. As for operators, the hook
   * `registered` does not run.
   */
  signedIn(email: string, roles?: readonly string[]): Promise<TestUser>
  /** Emails to this address, the newest first. */
  mails(email: string): Promise<readonly Mail[]>
  /** Moves the clock of the product. */
  advance(milliseconds: number): void
  /** Runs a job outside of its schedule. Throws what it throws. */
  runJob(name: string): Promise<void>
}

type Mail = Awaited<ReturnType<Identity['listMails']>>[number]

export interface TestUser {
  /** The headers of requests as this user. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Starts a product with its database and accounts in memory, for tests of its API without pages and browser.
 *
 * @param product the default export of `app/server.ts`
 * @param env its settings, such as `{ MAPS_URL: 'http://127.0.0.1:4900' }`
 * @example
 * await using app = await createTestProduct(product)
 * const ada = await app.signedIn('ada@example.com')
 * const answer = await app.fetch('/api/v1/links', ada)
 */
export async function createTestProduct(product: Product, env: NodeJS.ProcessEnv = {}): Promise<TestProduct> {
  const pages = { app: new Hono(), hasPage: () => false }
  let lead = 0
  const now = () => new Date(Date.now() + lead)
  const opened = await openProduct(product, { env, log: quietLog, pages: () => pages, now })
  const { identity, fetch, jobs } = opened
  return {
    identity,
    fetch,
    runJob: jobs.run,
    mails: async (email) => (await identity.listMails(100)).filter(({ recipient }) => recipient === email),
    advance(milliseconds) {
      lead += milliseconds
    },
    async signedIn(email, roles = []) {
      const created = await identity.adminApp.request('/admin/identities', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          traits: sampleTraits(product.config, email),
          metadata_public: { roles },
          credentials: { password: { config: { password: PASSWORD } } },
          verifiable_addresses: [{ value: email, via: 'email', verified: true, status: 'completed' }],
        }),
      })
      if (created.status !== 201) throw new Error(`no account for ${email}: ${await created.text()}`)
      const app = new App((url, init) => fetch(`/.ory${pathBelowOry(url)}`, init))
      const login = await app.signIn(email)
      if (login.status !== 200) throw new Error(`no login for ${email}: ${JSON.stringify(login.body)}`)
      return { headers: app.headers }
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

const pathBelowOry = (url: string) => url.replace(/^https?:\/\/[^/]+\/\.ory/, '')

/** Errors only, because a test shows the rest. */
const quietLog = createLog({
  level: 'error',
  format: 'text',
  write: (line) => void process.stderr.write(line),
})
