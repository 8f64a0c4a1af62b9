import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Session } from '../../../src/wire/session.ts'
import { atEnd, test } from '../../kit/databases.ts'
import { ADA, addTotp, SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity } from '../../kit/kit.ts'

test('whoami finds the session of a cookie or token in both kinds of headers', async () => {
  const identity = await createTestIdentity()
  const browser = await identity.signedIn(ADA)
  const app = identity.app()
  await app.signIn(ADA)
  for (const { headers } of [browser, app])
    for (const given of [headers, new Headers(headers)])
      assert.equal(emailOf(await identity.whoami(given)), ADA)
})

test('whoami finds no session that is missing, invalid, ended or expired', async () => {
  const identity = await createTestIdentity({ session: { lifespan: '1h' } })
  const [ended, expired] = [await identity.signedIn(ADA), identity.app()]
  await expired.signIn(ADA)
  const { headers } = ended
  const { logout_token } = (await ended.get('/self-service/logout/browser')).body
  await ended.get(`/self-service/logout?token=${logout_token}`)
  identity.advance(3_600_000)
  const invalid = [{}, { 'x-session-token': '' }, { cookie: 'a=b' }, { authorization: 'Bearer none' }]
  for (const given of [...invalid, headers, expired.headers])
    assert.equal(await identity.whoami(given), undefined, JSON.stringify(given))
})

test('SEC-17 whoami finds no session that still needs a second factor', async () => {
  const whoami = { required_aal: 'highest_available' }
  const identity = await createTestIdentity({ ...SECOND_FACTORS, session: { whoami } })
  await addTotp(identity, await identity.signedIn(ADA))
  const browser = identity.browser()
  await browser.signIn(ADA)
  assert.equal((await browser.whoami()).status, 403)
  assert.equal(await identity.whoami(browser.headers), undefined)
})

test('the handler serves the paths below the base URL and leaves others to the next one', async () => {
  const identity = await createTestIdentity({
    serve: { public: { base_url: 'http://identity.test/accounts' } },
  })
  const server = createServer((request, response) =>
    identity.handler(request, response, () => response.writeHead(299).end()),
  ).listen(0, '127.0.0.1')
  atEnd(() => new Promise((resolve) => server.close(resolve)))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (const [path, status] of [
    ['/accounts/health/alive', 200],
    ['/accounts/health/alive?next=/', 200],
    ['/accounts/unknown', 404],
    ['/accounts', 299],
    ['/accountsx/health/alive', 299],
    ['/health/alive', 299],
  ] as const)
    assert.equal((await fetch(`http://127.0.0.1:${port}${path}`)).status, status, path)
})

function emailOf(session: Session | undefined): unknown {
  return session?.identity?.traits.email
}
