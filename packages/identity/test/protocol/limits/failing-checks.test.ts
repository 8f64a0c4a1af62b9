import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type Merge, type TestIdentity } from '../../kit/kit.ts'
import { providerEntry, withProviders } from '../../servers/oidc-kit.ts'

const ADA = 'ada@example.com'

const FAILURES: Readonly<Record<string, () => Promise<Response>>> = {
  'does not answer in time': () => Promise.reject(new DOMException('timed out', 'TimeoutError')),
  'has no address': () => Promise.reject(new TypeError('getaddrinfo ENOTFOUND')),
  'answers with an error': async () => new Response('busy', { status: 503 }),
  'answers with a page': async () =>
    new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } }),
  'answers with nothing': async () => new Response('', { headers: { 'content-type': 'application/json' } }),
}

interface Check {
  readonly config: Merge
  attempt(identity: TestIdentity): Promise<number>
  readonly passes?: true
}

const register = async (identity: TestIdentity) => (await identity.app().register(ADA)).status
const leaked = (more: object) => ({
  selfservice: { methods: { password: { config: { haveibeenpwned_enabled: true, ...more } } } },
})
const asking = { url: 'https://hook.test/', method: 'POST', body: () => ({}), response: { parse: true } }

const CHECKS: Readonly<Record<string, Check>> = {
  'the list of leaked passwords': {
    config: leaked({ ignore_network_errors: false }),
    attempt: register,
  },
  'the list of leaked passwords, where its failures are to be ignored': {
    config: leaked({}),
    attempt: register,
    passes: true,
  },
  'a web hook that may refuse': {
    config: {
      selfservice: {
        flows: { registration: { after: { password: { hooks: [{ hook: 'web_hook', config: asking }] } } } },
      },
    },
    attempt: register,
  },
  'a provider': {
    config: withProviders([providerEntry('acme', { issuer_url: 'https://provider.test' })]),
    async attempt(identity) {
      const browser = identity.browser()
      const sent = await browser.submit(await browser.open('login'), { method: 'oidc', provider: 'acme' })
      return sent.status
    },
  },
}

for (const [name, { config, attempt, passes = false }] of Object.entries(CHECKS)) {
  test(`SEC-49 while ${name} fails, the user is ${passes ? 'let in and the log says so' : 'not let in'}`, async () => {
    for (const [failure, fetch] of Object.entries(FAILURES)) {
      const identity = await createTestIdentity(config, { fetch })
      const status = await attempt(identity)
      assert.ok(passes ? status === 200 : status >= 400, `${failure}: ${status}`)
      const users = (await identity.admin('GET', '/admin/identities')).body as unknown as unknown[]
      assert.equal(users.length, passes ? 1 : 0, failure)
      const skipped = identity.logged.some((line) => line.includes('security.check_skipped'))
      assert.equal(skipped, passes, failure)
    }
  })
}

test('SEC-49 does not start with an incomplete provider', async () => {
  for (const missing of ['issuer_url', 'client_id', 'mapper']) {
    const entry = providerEntry('acme', { issuer_url: 'https://provider.test', [missing]: undefined })
    await assert.rejects(createTestIdentity(withProviders([entry])), new RegExp(missing))
  }
})
