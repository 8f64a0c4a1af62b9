import assert from 'node:assert/strict'
import { messageIds } from '../../../src/testing/answers.ts'
import { atEnd, testOn } from '../../kit/databases.ts'
import type { TestIdentity } from '../../kit/kit.ts'
import { type BrokenProvider, json, newKey } from '../../servers/broken-provider.ts'
import { listenOnLoopback } from '../../servers/loopback.ts'
import { errorOf, formOf, handleCallback, withBroken } from '../../servers/oidc-kit.ts'

const DISCOVERY = '/.well-known/openid-configuration'

const bad: readonly (readonly [what: string, reply: () => Response])[] = [
  ['an error', () => json({ error: 'server_error' }, 500)],
  ['a page', () => new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } })],
  [
    'half a JSON',
    () => new Response('{"access_token":"', { headers: { 'content-type': 'application/json' } }),
  ],
  ['ten megabytes', () => json({ padding: 'x'.repeat(10 * 1024 * 1024) })],
  ['JSON that is declared as text', () => new Response('{}', { headers: { 'content-type': 'text/plain' } })],
  ['a list', () => json([])],
  ['nothing', () => new Response(null, { status: 204 })],
]

testOn('SQLite', 'FLT-08 every response of a provider shows the user how to continue', async () => {
  for (const path of [DISCOVERY, '/token', '/jwks']) {
    for (const [what, reply] of bad) {
      const { identity, broken } = await withBroken()
      broken.replies.set(path, reply)
      await assertUnusable(identity, broken, `${what} from ${path}`)
    }
  }
})

testOn('SQLite', 'FLT-08 a silent provider times out and delays no other user', async () => {
  await Promise.all(
    [DISCOVERY, '/token', '/jwks'].map(async (path) => {
      const { identity, broken } = await withBroken()
      broken.replies.set(path, () => 'hang')
      const waiting = assertUnusable(identity, broken, path)
      await identity.user('ada@example.com')
      assert.equal((await identity.browser().signIn('ada@example.com')).status, 200)
      await waiting
    }),
  )
})

testOn('SQLite', 'FLT-08 a provider is unavailable when down or naming another issuer', async () => {
  const down = await withBroken('generic', { issuer_url: await closedPort() })
  await assertUnusable(down.identity, down.broken, 'down')
  const other = await withBroken()
  const { issuer } = other.broken
  other.broken.replies.set(DISCOVERY, () =>
    json({
      issuer: 'https://evil.test',
      authorization_endpoint: issuer,
      token_endpoint: issuer,
      jwks_uri: issuer,
    }),
  )
  await assertUnusable(other.identity, other.broken, 'another issuer')
})

testOn('SQLite', 'FLT-08 the form reports a token response without an ID token', async () => {
  const { identity, broken } = await withBroken()
  broken.replies.set('/token', () => json({ access_token: 'token', token_type: 'Bearer' }))
  const browser = identity.browser()
  assert.deepEqual(messageIds(await formOf(browser, await handleCallback(browser, broken))), [4000001])
})

testOn('SQLite', "FLT-08 fetches a provider's keys at most every thirty seconds", async () => {
  const { identity, broken } = await withBroken()
  const enter = async () => {
    const browser = identity.browser()
    await handleCallback(browser, broken)
    return (await browser.whoami()).status
  }
  const fetched = () => broken.asked.filter((path) => path === '/jwks').length
  assert.deepEqual([await enter(), await enter(), fetched()], [200, 200, 1])
  rotate(broken, 'two')
  identity.advance(30_000)
  assert.deepEqual([await enter(), await enter(), fetched()], [200, 200, 2])
  broken.header = { alg: 'RS256', kid: 'made-up' }
  assert.deepEqual([await enter(), await enter(), fetched()], [401, 401, 2])
})

testOn(
  'SQLite',
  'FLT-09 follows no redirect and contacts no host named by a discovery document',
  async () => {
    const hits: string[] = []
    const canary = await startCanary(hits)
    for (const path of [DISCOVERY, '/token', '/jwks']) {
      for (const status of [301, 302, 303, 307, 308]) {
        const { identity, broken } = await withBroken()
        broken.replies.set(path, () => new Response(null, { status, headers: { location: canary } }))
        await assertUnusable(identity, broken, `${status} from ${path}`)
      }
    }
    const names = ['token_endpoint', 'jwks_uri'] as const
    for (const name of names) {
      const { identity, broken } = await withBroken()
      const { issuer } = broken
      const own = {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
      }
      broken.replies.set(DISCOVERY, () => json({ ...own, [name]: canary }))
      await assertUnusable(identity, broken, name)
      const { host } = new URL(canary)
      assert.ok(identity.logged.some((line) => line.includes(host) && line.includes('token_url')))
    }
    assert.deepEqual(hits, [])
  },
)

async function assertUnusable(identity: TestIdentity, broken: BrokenProvider, what: string): Promise<void> {
  const browser = identity.browser()
  const flow = await browser.open('login')
  const sent = await browser.submit(flow, { method: 'oidc', provider: 'acme' })
  const error =
    sent.status === 422
      ? await errorOf(browser, await handleCallback(browser, broken))
      : (sent.body as unknown as { error: { id: string; reason: string } }).error
  assert.equal(error.id, 'upstream_error', what)
  assert.match(error.reason, /Please try again in a minute\.$/, what)
  assert.equal((await browser.whoami()).status, 401, what)
}

function rotate(broken: BrokenProvider, kid: string): void {
  const { privateKey, jwk } = newKey(kid)
  Object.assign(broken, { header: { alg: 'RS256', kid }, signWith: privateKey, keys: [jwk] })
}

async function closedPort(): Promise<string> {
  await using server = await listenOnLoopback(() => {})
  return server.url
}

async function startCanary(hits: string[]): Promise<string> {
  const { url, close } = await listenOnLoopback((request, response) => {
    hits.push(request.url ?? '')
    response.end()
  })
  atEnd(close)
  return `${url}/canary`
}
