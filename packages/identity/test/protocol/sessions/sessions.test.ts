import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'

test('an anonymous request returns 401', async () => {
  const identity = await createTestIdentity()
  assert.equal((await identity.browser().whoami()).status, 401)
  for (const token of ['', 'x', 'ory_st_', `ory_st_${'A'.repeat(43)}`, '\u00e9', '../..', 'null']) {
    const app = identity.app()
    const answer = await app.send('GET', '/sessions/whoami', undefined, {
      authorization: `Bearer ${encodeURIComponent(token)}`,
    })
    assert.equal(answer.status, 401, token)
  }
})

test('a session expires without the clean-up (SEC-06)', async () => {
  const identity = await createTestIdentity({ session: { lifespan: '1h' } })
  const browser = await identity.signedIn('ada@example.com')
  identity.advance(3_590_000)
  assert.equal((await browser.whoami()).status, 200)
  identity.advance(10_000)
  assert.equal((await browser.whoami()).status, 401)
})

test('a page that is not a number, or too large, is the first', async () => {
  const identity = await createTestIdentity()
  const browser = await identity.signedIn('ada@example.com')
  await identity.browser().signIn('ada@example.com')
  for (const page of ['', 'x', '-1', '1e3', '9007199254740991', '9'.repeat(30)]) {
    const { status, body } = await browser.get(`/sessions?page=${page}&per_page=10`)
    assert.deepEqual([status, body.length], [200, 1], page)
  }
})

test('accepts a token in X-Session-Token and as bearer', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const app = identity.app()
  const done = await app.signIn('ada@example.com')
  app.token = undefined
  const bearer = { authorization: `bearer ${done.body.session_token}` }
  assert.equal((await app.send('GET', '/sessions/whoami', undefined, bearer)).status, 200)
})

test('a user lists and revokes other sessions', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const phone = identity.app()
  const tablet = identity.app()
  const browser = identity.browser()
  await phone.signIn('ada@example.com')
  await tablet.signIn('ada@example.com')
  await browser.signIn('ada@example.com')
  const listed = await browser.get('/sessions')
  assert.equal(listed.body.length, 2)
  assert.equal((await browser.delete(`/sessions/${listed.body[0].id}`)).status, 204)
  assert.equal((await browser.get('/sessions')).body.length, 1)
  assert.deepEqual((await browser.delete('/sessions')).body, { count: 2 })
  assert.equal((await phone.send('GET', '/sessions/whoami')).status, 401)
  assert.equal((await tablet.send('GET', '/sessions/whoami')).status, 401)
  assert.equal((await browser.whoami()).status, 200)
})

test("SEC-21 another user's session is like an unknown one", async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  await identity.user('eve@example.com')
  const ada = identity.browser()
  const eve = identity.browser()
  const session = (await ada.signIn('ada@example.com')).body.session
  await eve.signIn('eve@example.com')
  const theirs = await eve.delete(`/sessions/${session.id}`)
  const unknown = await eve.delete('/sessions/00000000-0000-4000-8000-000000000000')
  assert.deepEqual([theirs.status, theirs.body], [unknown.status, unknown.body])
  assert.equal((await ada.whoami()).status, 200)
})

test("a logout requires its session's token (SEC-33)", async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  await identity.user('eve@example.com')
  const ada = identity.browser()
  const eve = identity.browser()
  await ada.signIn('ada@example.com')
  await eve.signIn('eve@example.com')
  const { logout_token } = (await eve.get('/self-service/logout/browser')).body
  assert.equal((await ada.get('/self-service/logout')).status, 400)
  assert.equal((await ada.get(`/self-service/logout?token=${logout_token}`)).status, 403)
  assert.equal((await ada.whoami()).status, 200)
  const own = (await ada.get('/self-service/logout/browser')).body
  assert.equal((await ada.get(`/self-service/logout?token=${own.logout_token}`)).status, 204)
  assert.equal(ada.cookies.has('ory_kratos_session'), false)
  assert.equal((await ada.whoami()).status, 401)
})

test('a revoked session stays revoked', async () => {
  const identity = await createTestIdentity()
  const browser = await identity.signedIn('ada@example.com')
  const kept = browser.cookies.get('ory_kratos_session') ?? ''
  const { logout_token } = (await browser.get('/self-service/logout/browser')).body
  await browser.get(`/self-service/logout?token=${logout_token}`)
  browser.cookies.set('ory_kratos_session', kept)
  assert.equal((await browser.whoami()).status, 401)
})

test('an app signs out with its token in the body', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const app = identity.app()
  await app.signIn('ada@example.com')
  const ended = await app.send('DELETE', '/self-service/logout/api', { session_token: app.token })
  assert.equal(ended.status, 204)
  assert.equal((await app.send('GET', '/sessions/whoami')).status, 401)
})

test('SEC-54 a tokenized session never outlives its session', async () => {
  const template = { my_app_jwt: { ttl: '10m' } }
  const identity = await createTestIdentity({
    session: { lifespan: '5m', whoami: { tokenizer: { templates: template } } },
  })
  const browser = await identity.signedIn('ada@example.com')
  const { body } = await browser.whoami('?tokenize_as=my_app_jwt')
  const claims = JSON.parse(Buffer.from(body.tokenized.split('.')[1], 'base64url').toString())
  assert.equal(claims.aud, 'http://identity.test')
  assert.equal(claims.sid, body.id)
  assert.ok(claims.exp <= Math.floor(Date.parse(body.expires_at) / 1000))
  assert.equal('email' in claims, false)
  const keys = (await browser.get('/.well-known/jwks.json')).body.keys
  assert.equal(keys.length, 1)
  for (const secret of ['d', 'p', 'q', 'k']) assert.equal(secret in keys[0], false)
  assert.equal((await browser.whoami('?tokenize_as=nothing')).status, 400)
})

test('never logs a token, code, cookie or password', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  await browser.register('ada@example.com')
  const code = await identity.code('ada@example.com')
  await browser.whoami()
  const secrets = [code, 'correct horse', ...browser.cookies.values()]
  for (const secret of secrets) assert.equal(identity.logged.join('\n').includes(secret), false)
})
