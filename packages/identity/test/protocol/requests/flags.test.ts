import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, PUBLIC } from '../../kit/kit.ts'

const CACHEABLE = { cacheable_sessions: true, cacheable_sessions_max_age: '60s' }

test('lets a proxy cache a session or its absence', async () => {
  const identity = await createTestIdentity({ feature_flags: CACHEABLE })
  await identity.user('ada@example.com')
  const browser = identity.browser()
  const cacheFor = async (answer: { headers: Headers }) => answer.headers.get('ory-session-cache-for')
  assert.equal(await cacheFor(await browser.whoami()), '60')
  await browser.signIn('ada@example.com')
  assert.equal(await cacheFor(await browser.whoami()), '60')
  identity.advance(24 * 3_600_000 - 30_000)
  assert.match((await cacheFor(await browser.whoami())) ?? '', /^(29|30)$/)
})

test('lets a proxy cache a missing session for a minute, whatever the cap', async () => {
  const identity = await createTestIdentity({ feature_flags: { cacheable_sessions: true } })
  assert.equal((await identity.browser().whoami()).headers.get('ory-session-cache-for'), '60')
})

test('never caches unknown or issued tokens', async () => {
  const templates = { app: { ttl: '1m' } }
  const session = { whoami: { tokenizer: { templates } } }
  const identity = await createTestIdentity({ feature_flags: CACHEABLE, session })
  await identity.user('ada@example.com')
  const unknown = await identity.publicApp.request(`${PUBLIC}/sessions/whoami`, {
    headers: { 'x-session-token': 'ory_st_00000000000000000000000000000000' },
  })
  assert.equal(unknown.headers.get('ory-session-cache-for'), null)
  const { session_token } = (await identity.app().signIn('ada@example.com')).body
  const tokenized = await identity.publicApp.request(`${PUBLIC}/sessions/whoami?tokenize_as=app`, {
    headers: { 'x-session-token': session_token },
  })
  assert.equal(tokenized.status, 200)
  assert.equal(tokenized.headers.get('ory-session-cache-for'), null)
})

test('caches nothing without the flag', async () => {
  const identity = await createTestIdentity()
  assert.equal((await identity.browser().whoami()).headers.get('ory-session-cache-for'), null)
})

test('extends a session without reading it if the flag is on', async () => {
  const identity = await createTestIdentity({ feature_flags: { faster_session_extend: true } })
  await identity.user('ada@example.com')
  const { session } = (await identity.app().signIn('ada@example.com')).body
  identity.advance(3_600_000)
  const answer = await identity.admin('PATCH', `/admin/sessions/${session.id}/extend`)
  assert.equal(answer.status, 204)
  const { body } = await identity.admin('GET', `/admin/sessions/${session.id}`)
  assert.ok(body.expires_at > session.expires_at)
})

test('rejects a login challenge without an OAuth 2.0 server', async () => {
  const identity = await createTestIdentity()
  for (const path of ['login/browser', 'login/api', 'registration/browser']) {
    const answer = await identity.publicApp.request(`${PUBLIC}/self-service/${path}?login_challenge=abc`, {
      headers: { accept: 'application/json' },
    })
    assert.equal(answer.status, 400, path)
    assert.equal((await answer.json()).error.id, 'invalid_configuration')
  }
})
