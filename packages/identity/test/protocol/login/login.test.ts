import assert from 'node:assert/strict'
import type { Answer } from '../../../src/testing/answers.ts'
import { fieldMessageIds, messageIds, nodeOf, tokenOf, verificationIn } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, userSchema, VERIFIED_ONLY } from '../../kit/kit.ts'

test('signs in with email and password in any case', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const browser = identity.browser()
  const done = await browser.signIn(' ADA@example.com ')
  assert.equal(done.status, 200)
  assert.equal(done.body.session.authentication_methods[0].method, 'password')
  assert.equal((await browser.whoami()).body.id, done.body.session.id)
})

test('an app gets a session token', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const app = identity.app()
  const done = await app.signIn('ada@example.com')
  assert.match(done.body.session_token, /^ory_st_[A-Za-z0-9]{43}$/)
  assert.equal(done.body.continue_with, null)
  assert.equal((await app.send('GET', '/sessions/whoami')).status, 200)
})

test('a wrong password and an unknown address look alike', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const wrong = await identity.browser().signIn('ada@example.com', 'not this one')
  const unknown = await identity.browser().signIn('eve@example.com', 'not this one')
  assert.deepEqual([wrong.status, messageIds(wrong)], [400, [4000006]])
  assert.deepEqual([unknown.status, messageIds(unknown)], [400, [4000006]])
  assert.equal(nodeOf(wrong, 'identifier')?.value, 'ada@example.com')
})

test('reports a missing value at its field', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const refused = await browser.submit(await browser.open('login'), { method: 'password' })
  assert.deepEqual(fieldMessageIds(refused, 'identifier'), [4000002])
  assert.deepEqual(fieldMessageIds(refused, 'password'), [4000002])
})

test('every sign-in has a new token, and reauthentication revokes the old', async () => {
  const identity = await createTestIdentity()
  const browser = await identity.signedIn('ada@example.com')
  const [before] = [...browser.cookies.values()].filter((value) => value.startsWith('ory_st_'))
  const flow = await browser.open('login', '?refresh=true')
  assert.equal(nodeOf(flow, 'identifier')?.type, 'hidden')
  const done = await browser.submit(flow, {
    method: 'password',
    identifier: 'ada@example.com',
    password: PASSWORD,
  })
  assert.equal(done.status, 200)
  const old = await identity
    .browser()
    .get('/sessions/whoami', { headers: { cookie: `ory_kratos_session=${before}` } })
  assert.equal(old.status, 401)
  assert.equal((await browser.whoami()).status, 200)
})

test('the response to a reauthentication is issued now and repeats its device, as in Kratos', async () => {
  const identity = await createTestIdentity()
  const browser = await identity.signedIn('ada@example.com')
  identity.advance(60_000)
  const flow = await browser.open('login', '?refresh=true')
  const done = await browser.submit(flow, {
    method: 'password',
    identifier: 'ada@example.com',
    password: PASSWORD,
  })
  const { devices, issued_at, authenticated_at } = (await browser.whoami()).body
  const [own] = devices
  const { id: _, ...device } = own
  const { session } = done.body as unknown as { session: { devices: unknown; issued_at: string } }
  assert.deepEqual(session.devices, [own, { id: '00000000-0000-0000-0000-000000000000', ...device }])
  assert.ok(session.issued_at === authenticated_at && issued_at < authenticated_at)
})

test('SEC-19 reauthentication cannot switch accounts', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  await identity.user('eve@example.com')
  const browser = identity.browser()
  await browser.signIn('ada@example.com')
  const flow = await browser.open('login', '?refresh=true')
  const refused = await browser.submit(flow, {
    method: 'password',
    identifier: 'eve@example.com',
    password: PASSWORD,
  })
  assert.equal(refused.status, 400)
  assert.equal((await browser.whoami()).body.identity.traits.email, 'ada@example.com')
})

test('SEC-19 a form belongs to its browser', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const attacker = identity.browser()
  const victim = identity.browser()
  const flow = await attacker.open('login')
  const own = await victim.open('login')
  const refused = await victim.submit(flow, {
    method: 'password',
    identifier: 'ada@example.com',
    password: PASSWORD,
    csrf_token: tokenOf(own),
  })
  assert.equal(refused.status, 403)
  assert.equal((await victim.get(`/self-service/login/flows?id=${flow.body.id}`)).status, 403)
})

test('replaces an expired form without the clean-up (SEC-06)', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const flow = await browser.open('login')
  identity.advance(10 * 60_000)
  const fetched = await browser.get(`/self-service/login/flows?id=${flow.body.id}`)
  assert.equal(fetched.status, 410)
  const submitted = await browser.submit(flow, { method: 'password', identifier: 'a', password: 'b' })
  const expired = submitted.body as unknown as { use_flow_id: string; error: { id: string } }
  assert.equal(submitted.status, 410)
  assert.equal(expired.error.id, 'self_service_flow_expired')
  const next = await browser.get(`/self-service/login/flows?id=${expired.use_flow_id}`)
  assert.deepEqual(messageIds(next), [4010001])
})

test('a signed-in user gets no login form', async () => {
  const identity = await createTestIdentity()
  const browser = await identity.signedIn('ada@example.com')
  const told = await browser.get('/self-service/login/browser')
  assert.deepEqual([told.status, told.body.error.id], [400, 'session_already_available'])
  const led = await browser.navigate('/self-service/login/browser')
  assert.deepEqual([led.status, led.location], [303, 'http://app.test/'])
})

test('reveals deactivation after the correct password only', async () => {
  const identity = await createTestIdentity()
  const made = await identity.admin('POST', '/admin/identities', {
    traits: { email: 'ada@example.com' },
    state: 'inactive',
    credentials: { password: { config: { password: PASSWORD } } },
  })
  const right = await identity.browser().signIn('ada@example.com')
  assert.deepEqual([right.status, right.body.error.details.identity_id], [401, made.body.id])
  const wrong = await identity.browser().signIn('ada@example.com', 'not this one')
  assert.equal(wrong.status, 400)
})

test('an unverified address gets a new code', async () => {
  const identity = await createTestIdentity(VERIFIED_ONLY)
  await identity.browser().register('ada@example.com')
  const browser = identity.browser()
  const form = await browser.open('login')
  const login = { method: 'password', identifier: 'ada@example.com', password: PASSWORD }
  const refused: Answer = await browser.submit(form, login)
  assert.deepEqual([refused.status, refused.body.error.id], [403, 'session_verified_address_required'])
  assert.equal((await browser.get(`/self-service/login/flows?id=${form.body.id}`)).body.active, 'password')
  assert.equal(browser.cookies.has('ory_kratos_session'), false)
  const flow = await browser.get(`/self-service/verification/flows?id=${verificationIn(refused)?.id}`)
  const proven = await browser.submit(flow, { method: 'code', code: await identity.code('ada@example.com') })
  assert.equal(proven.body.state, 'passed_challenge')
  assert.equal((await browser.signIn('ada@example.com')).status, 200)
})

test('SEC-08 rejects fields of the wrong type', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  for (const identifier of [['ada@example.com', 'eve@example.com'], { email: 'ada@example.com' }, 42, true]) {
    const browser = identity.browser()
    const flow = await browser.open('login')
    const refused = await browser.submit(flow, { method: 'password', identifier, password: PASSWORD })
    assert.equal(refused.status, 400, JSON.stringify(identifier))
  }
  assert.equal((await identity.mails('eve@example.com')).length, 0)
})

test('offers no method for the members of an organization', async () => {
  const identity = await createTestIdentity()
  const organization = '018f4c4e-7a5b-7c3d-9e2f-0123456789ab'
  const opened = async (kind: 'login' | 'registration', id: string) => {
    const { body } = await identity.browser().get(`/self-service/${kind}/browser?organization=${id}`)
    return [body.organization_id, body.ui.nodes?.length ?? null]
  }
  assert.deepEqual(await opened('login', organization), [organization, 1])
  assert.deepEqual(await opened('registration', organization), [organization, null])
  const [none, methods] = await opened('login', 'acme')
  assert.deepEqual([none, Number(methods) > 1], [null, true])
})

test('identity_schema labels the identifier', async () => {
  const { traits } = userSchema.properties
  const username = { ...traits.properties.email, title: 'User name' }
  const staff = { ...userSchema, properties: { traits: { ...traits, properties: { username } } } }
  const schemas = [
    { id: 'default', schema: userSchema },
    { id: 'staff', schema: staff, selfservice_selectable: true },
  ]
  const identity = await createTestIdentity({ identity: { schemas } })
  const { body } = await identity.browser().open('login', '?identity_schema=staff')
  const label = body.ui.nodes.find(
    ({ attributes }) => 'name' in attributes && attributes.name === 'identifier',
  )
  assert.deepEqual(label?.meta.label?.context, { name: 'traits.username', title: 'User name' })
})

test('a refused form keeps its times', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const form = await browser.open('login')
  identity.advance(60_000)
  const refused = await browser.submit(form, { method: 'password', identifier: 'a', password: 'b' })
  const timesOf = ({ body }: Answer) => [body.created_at, body.updated_at]
  assert.equal(refused.status, 400)
  assert.deepEqual(timesOf(refused), timesOf(form))
})
