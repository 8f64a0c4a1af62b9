import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import { fieldMessageIds, messageIds, nodeOf, verificationIn } from '../../../src/testing/answers.ts'
import { test, testOnEach } from '../../kit/databases.ts'
import { createTestIdentity, VERIFIED_ONLY } from '../../kit/kit.ts'
import { untilServed } from '../../kit/until.ts'

test('a registration leads to the code', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const done = await browser.register('ada@example.com')
  assert.equal(done.status, 200)
  assert.equal(done.body.identity.traits.email, 'ada@example.com')
  assert.equal(done.body.identity.verifiable_addresses[0].status, 'sent')
  assert.deepEqual(
    done.body.continue_with.map(({ action }: { action: string }) => action),
    ['redirect_browser_to', 'show_verification_ui'],
  )
  const who = await browser.whoami()
  assert.equal(who.body.identity.id, done.body.identity.id)
})

test('a registration without the session hook signs no one in', async () => {
  const identity = await createTestIdentity(VERIFIED_ONLY)
  const browser = identity.browser()
  const done = await browser.register('ada@example.com')
  assert.equal(done.status, 200)
  assert.equal(done.body.session, undefined)
  assert.equal((await browser.whoami()).status, 401)
})

test('SEC-07 invisible characters make no other account name', async () => {
  const name = { type: 'string', 'ory.sh/kratos': { credentials: { password: { identifier: true } } } }
  const traits = { type: 'object', properties: { name } }
  const schema = { type: 'object', properties: { traits } }
  const identity = await createTestIdentity({ identity: { schemas: [{ id: 'default', schema }] } })
  const password = 'correct horse battery'
  const register = async (name: string) => {
    const app = identity.app()
    return await app.submit(await app.open('registration'), {
      method: 'password',
      password,
      traits: { name },
    })
  }
  assert.equal((await register('ada')).status, 200)
  assert.deepEqual(messageIds(await register('a\u200bda')), [4000007])
  const app = identity.app()
  const identifier = 'ada\u00ad'
  const entered = await app.submit(await app.open('login'), { method: 'password', identifier, password })
  assert.equal(entered.status, 200)
})

test('reports errors at their fields and keeps the values', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const flow = await browser.open('registration')
  const refused = await browser.submit(flow, {
    method: 'password',
    password: 'short',
    traits: { email: 'no address', name: 'Ada' },
  })
  assert.equal(refused.status, 400)
  assert.deepEqual(fieldMessageIds(refused, 'traits.email'), [4000040])
  assert.equal(nodeOf(refused, 'traits.email')?.value, 'no address')
  assert.equal(nodeOf(refused, 'traits.name')?.value, 'Ada')
  assert.equal(nodeOf(refused, 'password')?.value, undefined)
})

test('rejects a short password with the required length', async () => {
  const identity = await createTestIdentity()
  const refused = await identity.browser().register('ada@example.com', 'four')
  assert.deepEqual(fieldMessageIds(refused, 'password'), [4000032])
})

test('an address has one account, in any case', async () => {
  const identity = await createTestIdentity()
  await identity.browser().register('ada@example.com')
  const again = await identity.browser().register('ADA@Example.com')
  assert.equal(again.status, 400)
  assert.deepEqual(messageIds(again), [4000007])
})

testOnEach('forty parallel registrations create one account', async () => {
  const identity = await createTestIdentity({ limits: { registration: 'off' } })
  const answers = await Promise.all(
    Array.from({ length: 40 }, () =>
      // A busy machine refuses hashes before reading the address.
      untilServed(() => identity.browser().register('ada@example.com')),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.ok(answers.every(({ status }) => status === 200 || status === 400))
  const listed = await identity.admin('GET', '/admin/identities')
  assert.equal(listed.body.length, 1)
})

test('SEC-13 emails the owner of a taken address', async () => {
  const identity = await createTestIdentity({
    ...VERIFIED_ONLY,
    security: { account_enumeration: { mitigate: true } },
  })
  await identity.browser().register('ada@example.com')
  const taken = await identity.browser().register('ada@example.com')
  assert.equal(taken.status, 200)
  const [newest] = await identity.mails('ada@example.com')
  assert.equal(newest?.template_type, 'registration_duplicate')
  const listed = await identity.admin('GET', '/admin/identities')
  assert.equal(listed.body.length, 1)
})

test('SEC-13 emails the owner of a replaced address, which its account may still take back', async () => {
  const flows = { settings: { after: { profile: { hooks: [{ hook: 'verify_new_address' }] } } } }
  const identity = await createTestIdentity({
    selfservice: { flows: { ...VERIFIED_ONLY.selfservice.flows, ...flows } },
    security: { account_enumeration: { mitigate: true } },
  })
  await identity.user('ada@example.com')
  const owner = identity.browser()
  await owner.signIn('ada@example.com')
  const traits = { email: 'new@example.com' }
  const saved = await owner.submit(await owner.open('settings'), { method: 'profile', traits })
  const form = await owner.get(`/self-service/verification/flows?id=${verificationIn(saved)?.id}`)
  await owner.submit(form as FlowAnswer, { method: 'code', code: await identity.code('new@example.com') })
  assert.equal((await identity.browser().register('ada@example.com')).status, 200)
  const [newest] = await identity.mails('ada@example.com')
  assert.equal(newest?.template_type, 'address_reserved')
})

test('registration can be disabled', async () => {
  const identity = await createTestIdentity({ selfservice: { flows: { registration: { enabled: false } } } })
  const refused = await identity.browser().open('registration')
  assert.equal(refused.status, 400)
  assert.equal((refused.body as { error?: { id: string } }).error?.id, 'self_service_flow_disabled')
})

test('answers a page with redirects only', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const opened = await browser.navigate('/self-service/registration/browser')
  assert.equal(opened.status, 303)
  const id = new URL(opened.location ?? '').searchParams.get('flow')
  const flow = (await browser.get(`/self-service/registration/flows?id=${id}`)) as FlowAnswer
  const done = await browser.post(flow.body.ui.action, {
    csrf_token: String(nodeOf(flow, 'csrf_token')?.value),
    method: 'password',
    password: 'correct horse 9 battery',
    'traits.email': 'ada@example.com',
  })
  assert.equal(done.status, 303)
  assert.match(done.location ?? '', /^http:\/\/app\.test\/verify\?flow=/)
  assert.equal((await browser.whoami()).status, 200)
})

test('SEC-57 ignores members that no client may set', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const flow = await browser.open('registration')
  const done = await browser.submit(flow, {
    method: 'password',
    password: 'correct horse 9 battery',
    traits: { email: 'ada@example.com' },
    id: '00000000-0000-4000-8000-000000000000',
    state: 'inactive',
    verified: true,
    metadata_public: { role: 'admin' },
    metadata_admin: { role: 'admin' },
    verifiable_addresses: [{ value: 'ada@example.com', verified: true }],
  })
  const { identity: made } = done.body as unknown as { identity: Record<string, unknown> }
  assert.equal(done.status, 200)
  assert.notEqual(made.id, '00000000-0000-4000-8000-000000000000')
  assert.equal(made.state, 'active')
  assert.equal(made.metadata_public, null)
  assert.equal('metadata_admin' in made, false)
  assert.equal((made.verifiable_addresses as { verified: boolean }[])[0]?.verified, false)
})

test('a form without a method reports its fields first', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const flow = await browser.open('registration')
  assert.deepEqual(fieldMessageIds(await browser.submit(flow, {}), 'traits.email'), [4000002])
  const wrong = await browser.submit(flow, { traits: { email: 'no address' } })
  assert.deepEqual(fieldMessageIds(wrong, 'traits.email'), [4000040])
  assert.deepEqual(
    messageIds(await browser.submit(flow, { traits: { email: 'ada@example.com' } })),
    [4010003],
  )
})

test('a disabled method returns 404, named or not', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const login = await browser.open('login')
  for (const values of [
    { method: 'webauthn', identifier: 'ada@example.com' },
    { method: 'passkey' },
    { passkey_login: '{}' },
    { method: 'oidc', provider: 'acme' },
  ]) {
    assert.equal((await browser.submit(login, values)).status, 404, JSON.stringify(values))
  }
  const registration = await browser.open('registration')
  for (const values of [{ provider: 'acme' }, { method: 'passkey', passkey_register: '{}' }]) {
    assert.equal((await browser.submit(registration, values)).status, 404, JSON.stringify(values))
  }
})

test('a disabled password method returns 404', async () => {
  const methods = { password: { enabled: false }, code: { passwordless_enabled: true } }
  const identity = await createTestIdentity({ selfservice: { methods } })
  const browser = identity.browser()
  for (const kind of ['login', 'registration'] as const) {
    const flow = await browser.open(kind)
    assert.equal((await browser.submit(flow, { method: 'password' })).status, 404, kind)
  }
})

test('opening a form rejects a disallowed return address', async () => {
  const identity = await createTestIdentity()
  for (const kind of ['registration', 'login'] as const) {
    const query = '?after_verification_return_to=https%3A%2F%2Fevil.example%2F'
    const refused: Answer = await identity.browser().open(kind, query)
    assert.deepEqual([refused.status, refused.body.error.id], [400, 'self_service_flow_return_to_forbidden'])
  }
})
