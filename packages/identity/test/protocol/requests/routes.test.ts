import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'

const UNKNOWN_ID = '8b1b8a3f-4ec8-4a29-9c4e-0a2f6f1e1d11'

test('redirects doubled slashes, never to another host', async () => {
  const identity = await createTestIdentity()
  const at = (path: string) => identity.publicApp.request(`http://app.test${path}`)
  for (const [path, clean] of [
    ['/sessions//whoami?x=a//b', '/sessions/whoami?x=a//b'],
    ['//evil.test/sessions', '/evil.test/sessions'],
    ['/a///b//', '/a/b/'],
  ] as const) {
    const answer = await at(path)
    assert.deepEqual([answer.status, answer.headers.get('location')], [307, clean], path)
  }
  assert.equal((await at('/a/b/')).status, 404)
  const posted = await identity.admin('POST', '/admin//identities', {})
  assert.deepEqual([posted.status, posted.location], [307, '/admin/identities'])
})

test('the text of a missing path or method cannot be taken for another type', async () => {
  const identity = await createTestIdentity()
  for (const path of ['/nothing', '/sessions/whoami/', '/version']) {
    const answer = await identity.publicApp.request(`http://app.test${path}`)
    assert.deepEqual([answer.status, answer.headers.get('x-content-type-options')], [404, 'nosniff'])
  }
  const refused = await identity.admin('PUT', '/admin/identities', {})
  assert.deepEqual([refused.status, refused.headers.get('x-content-type-options')], [405, 'nosniff'])
})

test('a path without its last segment has the CSRF guard of its route', async () => {
  const app = (await createTestIdentity()).app()
  for (const [path, status] of [
    ['/sessions/', 404],
    ['/schemas/', 404],
    ['/self-service/methods/oidc/callback/', 404],
    ['/self-service/methods/oidc/callback', 403],
    ['/self-service/', 403],
  ] as const)
    assert.equal((await app.send('POST', path, {})).status, status, path)
})

test('password managers find the settings page', async () => {
  const { status, location } = await (await createTestIdentity())
    .browser()
    .navigate('/.well-known/change-password')
  assert.deepEqual([status, location], [303, 'http://app.test/settings'])
})

test('the admin port cleans paths without the prefix', async () => {
  const identity = await createTestIdentity()
  const statuses = []
  for (const path of ['/identities/', '//identities//', '/admin/identities/'])
    statuses.push((await identity.admin('GET', path)).status)
  assert.deepEqual(statuses, [200, 200, 404])
})

test('the public port redirects admin routes in dev mode', async () => {
  const identity = await createTestIdentity()
  const app = identity.app()
  for (const [method, path] of [
    ['POST', '/admin/identities'],
    ['PATCH', `/admin/identities/${UNKNOWN_ID}`],
    ['GET', '/admin/identities/by/external/crm-1'],
    ['DELETE', `/admin/identities/${UNKNOWN_ID}/credentials/totp`],
    ['GET', `/admin/courier/messages/${UNKNOWN_ID}`],
  ] as const) {
    const answer = await app.send(method, path)
    assert.deepEqual([answer.status, new URL(answer.location ?? '').pathname], [307, path], path)
  }
  assert.equal((await app.send('PATCH', `/sessions/${UNKNOWN_ID}/extend`)).status, 404)
})

test('the public port serves identity schemas under the admin path', async () => {
  const app = (await createTestIdentity()).app()
  for (const path of ['/schemas', '/schemas/default', '/schemas/nope']) {
    const [plain, prefixed] = [await app.send('GET', path), await app.send('GET', `/admin${path}`)]
    assert.deepEqual([prefixed.status, prefixed.body], [plain.status, plain.body], path)
  }
  assert.equal((await app.send('POST', '/admin/schemas/default')).status, 405)
  assert.equal((await app.send('POST', '/metrics/prometheus')).status, 404)
})

test('the admin port redirects public routes', async () => {
  const identity = await createTestIdentity()
  const statusOf = async (method: string, path: string) => (await identity.admin(method, path)).status
  assert.equal(await statusOf('GET', '/self-service/login/api'), 307)
  assert.equal(await statusOf('GET', '/admin/sessions/whoami'), 307)
  assert.equal(await statusOf('DELETE', '/self-service/logout/api'), 307)
  assert.equal(await statusOf('POST', '/self-service/login/api'), 405)
  assert.equal(await statusOf('DELETE', '/sessions/whoami'), 400)
  assert.equal(await statusOf('GET', '/self-service/nothing'), 404)
})

test('lists the methods instead of an unsupported one', async () => {
  const identity = await createTestIdentity()
  const refused = await identity.app().send('PUT', '/sessions')
  assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'DELETE, GET, HEAD'])
  const atAdmin = await identity.admin('DELETE', '/admin/identities')
  assert.deepEqual([atAdmin.status, atAdmin.headers.get('allow')], [405, 'GET, HEAD, PATCH, POST'])
})

test('a link without a flow id is 400, with a deleted flow 404', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  for (const kind of ['recovery', 'verification']) {
    for (const query of ['', '?flow=abc', '?token=abc']) {
      assert.equal((await browser.get(`/self-service/${kind}${query}`)).status, 400, kind + query)
    }
    assert.equal((await browser.get(`/self-service/${kind}?flow=${UNKNOWN_ID}`)).status, 404, kind)
  }
})

test('the logout URL contains the return address', async () => {
  const identity = await createTestIdentity({ selfservice: { allowed_return_urls: ['http://app.test/'] } })
  const browser = await identity.signedIn('ada@example.com')
  const create = (return_to: string) =>
    browser.get(`/self-service/logout/browser?${new URLSearchParams({ return_to })}`)
  const made = await create('/bye')
  assert.equal(new URL(made.body.logout_url).searchParams.get('return_to'), 'http://app.test/bye')
  assert.equal((await create('bye')).status, 400)
})

test("a provider's POST callback becomes a URL if it is a form", async () => {
  const identity = await createTestIdentity()
  const path = '/self-service/methods/oidc/callback/github'
  const posted = await identity.app().send('POST', path, { code: 'abc' })
  assert.equal(new URL(posted.location ?? '').search, '')
})
