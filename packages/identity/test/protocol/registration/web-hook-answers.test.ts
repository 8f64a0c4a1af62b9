import assert from 'node:assert/strict'
import { kratos } from '@ostiary/kratos'
import { fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { shapeOf } from '../../kit/stranger.ts'
import { changed, configured, hooked, NIL_ID, refusal } from '../../servers/hook-kit.ts'
import { startHookReceiver } from '../../servers/hook-receiver.ts'
import { loginAfter } from '../../servers/planted-kit.ts'

const ADA = 'ada@example.com'
const ada = { method: 'password', password: PASSWORD, traits: { email: ADA } }

test('a refusal before a form leaves no flow', async () => {
  const { identity, receiver } = await hooked('registration', {
    before: [{ path: '/before', can_interrupt: true }],
  })
  receiver.answers.set('/before', refusal('#/'))
  const page = await identity.browser().navigate('/self-service/registration/browser')
  assert.equal(page.status, 303)
  assert.match(page.location ?? '', /^http:\/\/app\.test\/error\?id=/)
})

test('a refused registration keeps its values and creates no account', async () => {
  const { identity, receiver } = await hooked('registration', {
    password: [{ path: '/check', can_interrupt: true }],
  })
  receiver.answers.set('/check', refusal('#/traits/email'))
  const browser = identity.browser()
  const flow = await browser.open('registration')
  const refused = await browser.submit(flow, ada)
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'traits.email')], [400, [4711]])
  assert.equal(nodeOf(refused, 'traits.email')?.value, ADA)
  assert.deepEqual((await identity.admin('GET', '/admin/identities')).body, [])
  receiver.answers.set('/check', refusal('traits.email'))
  assert.deepEqual(fieldMessageIds(await browser.submit(flow, ada), 'traits.email'), [4711])
  receiver.answers.set('/check', refusal('#/'))
  assert.deepEqual(messageIds(await browser.submit(flow, ada)), [4711])
  receiver.answers.delete('/check')
  assert.equal((await browser.submit(flow, ada)).status, 200)
})

for (const hook of [
  { path: '/check', can_interrupt: true },
  { path: '/check', response: { parse: true } },
]) {
  const kind = 'response' in hook ? 'parsing' : 'interrupting'

  test(`SEC-103 a ${kind} hook of all methods can refuse a registration`, async () => {
    const { identity, receiver } = await hooked('registration', { any: [hook] })
    receiver.answers.set('/check', refusal('#/'))
    const browser = identity.browser()
    assert.deepEqual(messageIds(await browser.submit(await browser.open('registration'), ada)), [4711])
    assert.deepEqual((await identity.admin('GET', '/admin/identities')).body, [])
  })

  test(`SEC-103 a ${kind} hook of all methods can refuse new settings`, async () => {
    const { identity, receiver } = await hooked('settings', { any: [hook] })
    const browser = await identity.signedIn(ADA)
    receiver.answers.set('/check', refusal('#/'))
    for (const change of [
      { method: 'profile', traits: { email: ADA, name: 'Ada' } },
      { method: 'password', password: 'another long password' },
    ])
      assert.deepEqual(messageIds(await browser.submit(await browser.open('settings'), change)), [4711])
    assert.equal((await browser.whoami()).body.identity.traits.name, undefined)
    assert.equal((await identity.browser().signIn(ADA)).status, 200)
  })
}

test("forms can have Kratos' words, except a web hook's message", async () => {
  const receiver = await startHookReceiver()
  const hooks = [configured(receiver, { path: '/check', can_interrupt: true })]
  const flows = { registration: { after: { password: { hooks } } } }
  const identity = await createTestIdentity({ selfservice: { texts: 'kratos', flows } }, { kratos })
  const browser = identity.browser()
  const flow = await browser.open('registration')
  assert.equal(flow.body.ui.nodes.at(-1)?.meta.label?.text, 'Sign up')
  receiver.answers.set('/check', refusal('#/', 4000006))
  assert.equal((await browser.submit(flow, ada)).body.ui.messages?.[0]?.text, 'Not with us.')
  const short = await browser.submit(flow, { ...ada, password: 'abc' })
  assert.match(JSON.stringify(short.body.ui), /The password must be at least 6 characters long, but got 3\./)
})

test('a web hook may change an identity', async () => {
  const { identity, receiver } = await hooked('registration', {
    password: [
      { path: '/parse', response: { parse: true } },
      { path: '/seen', can_interrupt: true },
      { path: '/after' },
    ],
  })
  receiver.answers.set(
    '/parse',
    changed({
      traits: { email: 'augusta@example.com', name: 'Augusta' },
      metadata_public: { plan: 'free' },
      metadata_admin: { score: 7 },
      external_id: 'crm-1',
    }),
  )
  const done = await identity.app().register(ADA)
  assert.equal(done.status, 200)
  const stored = (await identity.admin('GET', `/admin/identities/${done.body.identity.id}`)).body
  assert.deepEqual(
    [stored.traits.name, stored.metadata_public, stored.metadata_admin, stored.external_id],
    ['Augusta', { plan: 'free' }, { score: 7 }, 'crm-1'],
  )
  // An unstored identity has no id, and users never see operator metadata.
  const [, seen, after] = receiver.calls
  assert.deepEqual([seen?.body.identity.traits.name, seen?.body.identity.id], ['Augusta', NIL_ID])
  assert.equal(after?.body.identity.id, done.body.identity.id)
  assert.ok(receiver.calls.every(({ body }) => body.identity.metadata_admin === undefined))
  assert.equal((await identity.app().signIn('augusta@example.com')).status, 200)
  assert.equal((await identity.app().signIn(ADA)).status, 400)
})

test('an address that a web hook verifies needs no code', async () => {
  const { identity, receiver } = await hooked('registration', {
    password: [{ path: '/parse', response: { parse: true } }],
  })
  receiver.answers.set(
    '/parse',
    changed({ verifiable_addresses: [{ value: ADA, via: 'email', verified: true }] }),
  )
  const done = await identity.app().register(ADA)
  assert.equal(done.body.identity.verifiable_addresses[0].verified, true)
  assert.deepEqual(await identity.mails(ADA), [])
})

test('an invalid change creates no account', async () => {
  const { identity, receiver } = await hooked('registration', {
    password: [{ path: '/parse', response: { parse: true } }],
  })
  receiver.answers.set('/parse', changed({ traits: { shoe_size: 43 } }))
  const wrong = await identity.app().register(ADA)
  assert.deepEqual([wrong.status, fieldMessageIds(wrong, 'traits.email')], [400, [4000002]])
  receiver.answers.set('/parse', changed({ schema_id: 'unknown' }))
  const unknown = await identity.app().register(ADA)
  assert.deepEqual([unknown.status, messageIds(unknown)], [400, [4000001]])
  assert.deepEqual((await identity.admin('GET', '/admin/identities')).body, [])
})

test('a failure after registration keeps the account without a session', async () => {
  const { identity, receiver } = await hooked('registration', {
    password: [{ hook: 'session' }, { path: '/after' }],
  })
  receiver.answers.set('/after', { status: 404 })
  const browser = identity.browser()
  const failed = await browser.register(ADA)
  assert.deepEqual([failed.status, failed.body.error.code], [502, 502])
  assert.equal((await browser.whoami()).status, 401)
  assert.equal((await identity.admin('GET', '/admin/identities')).body.length, 1)
  receiver.answers.delete('/after')
  assert.equal((await browser.signIn(ADA)).status, 200)
})

test('a refused sign-in may be retried', async () => {
  const { identity, receiver } = await hooked('login', {
    password: [{ path: '/check', can_interrupt: true }],
  })
  await identity.user(ADA)
  receiver.answers.set('/check', refusal('#/identifier'))
  const browser = identity.browser()
  const flow = await browser.open('login')
  const sent = {
    method: 'password',
    identifier: ADA,
    password: PASSWORD,
    transient_payload: { device: 'laptop' },
  }
  const refused = await browser.submit(flow, sent)
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'identifier')], [400, [4711]])
  assert.equal((await browser.whoami()).status, 401)
  receiver.answers.delete('/check')
  const done = await browser.submit(flow, sent)
  assert.equal(done.status, 200)
  const call = receiver.calls.at(-1)
  assert.deepEqual(call?.body.flow.transient_payload, { device: 'laptop' })
  assert.deepEqual(
    [call?.body.session.active, call?.body.session.id],
    [true, (await browser.whoami()).body.id],
  )
})

test('refused settings are not saved', async () => {
  const { identity, receiver } = await hooked('settings', {
    password: [{ path: '/check', can_interrupt: true }],
    profile: [{ path: '/check', can_interrupt: true }, { path: '/after' }],
  })
  const browser = await identity.signedIn(ADA)
  const flow = await browser.open('settings')
  receiver.answers.set('/check', refusal('#/traits/name'))
  const named = await browser.submit(flow, { method: 'profile', traits: { email: ADA, name: 'Refused' } })
  assert.deepEqual([named.status, fieldMessageIds(named, 'traits.name')], [400, [4711]])
  assert.equal((await browser.whoami()).body.identity.traits.name, undefined)
  receiver.answers.set('/check', refusal('#/password'))
  const sent = await browser.submit(flow, { method: 'password', password: 'another horse 7 battery' })
  assert.deepEqual([sent.status, fieldMessageIds(sent, 'password')], [400, [4711]])
  assert.equal((await identity.app().signIn(ADA)).status, 200)
  assert.ok(receiver.calls.every(({ path }) => path === '/check'))
  receiver.answers.delete('/check')
  await browser.submit(flow, { method: 'profile', traits: { email: ADA, name: 'Ada' } })
  const after = receiver.calls.at(-1)
  assert.deepEqual(
    [after?.path, after?.body.flow.state, after?.body.identity.traits.name],
    ['/after', 'success', 'Ada'],
  )
})

test('a web hook may change saved settings', async () => {
  const { identity, receiver } = await hooked('settings', {
    profile: [{ path: '/parse', response: { parse: true } }],
  })
  const browser = await identity.signedIn(ADA)
  receiver.answers.set(
    '/parse',
    changed({ traits: { email: ADA, name: 'by the hook' }, metadata_public: { plan: 'free' } }),
  )
  const sent = { method: 'profile', traits: { email: ADA, name: 'Ada' } }
  const saved = await browser.submit(await browser.open('settings'), sent)
  assert.equal(nodeOf(saved, 'traits.name')?.value, 'by the hook')
  const { traits, metadata_public, state_changed_at } = (await browser.whoami()).body.identity
  assert.deepEqual([traits.name, metadata_public], ['by the hook', { plan: 'free' }])
  // Kratos compatibility: `state_changed_at` is gone, as without a web hook.
  assert.equal(state_changed_at, undefined)
})

test('a refused recovery keeps its code', async () => {
  const { identity, receiver } = await hooked('recovery', { any: [{ path: '/check', can_interrupt: true }] })
  await identity.user(ADA)
  const browser = identity.browser()
  const sent = await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
  const code = await identity.code(ADA)
  receiver.answers.set('/check', refusal('#/'))
  const refused = await browser.submit(sent, { method: 'code', code })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4711]])
  assert.equal((await browser.whoami()).status, 401)
  receiver.answers.delete('/check')
  assert.equal((await browser.submit(refused, { method: 'code', code })).status, 422)
  assert.equal((await browser.whoami()).status, 200)
})

test('a refused address stays unverified', async () => {
  const { identity, receiver } = await hooked('verification', {
    any: [{ path: '/check', can_interrupt: true }, { path: '/after' }],
  })
  const browser = identity.browser()
  const done = await browser.register(ADA)
  const sent = await browser.submit(await browser.open('verification'), { method: 'code', email: ADA })
  const code = await identity.code(ADA)
  receiver.answers.set('/check', refusal('#/code'))
  const refused = await browser.submit(sent, { method: 'code', code })
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'code')], [400, [4711]])
  const path = `/admin/identities/${done.body.identity.id}`
  assert.equal((await identity.admin('GET', path)).body.verifiable_addresses[0].verified, false)
  receiver.answers.delete('/check')
  await browser.submit(refused, { method: 'code', code })
  assert.equal((await identity.admin('GET', path)).body.verifiable_addresses[0].verified, true)
  const after = receiver.calls.at(-1)
  assert.deepEqual([after?.path, after?.body.identity.verifiable_addresses[0].verified], ['/after', true])
})

test('a refused address stays unverified when another browser signs in to verify it', async () => {
  const { identity, receiver } = await hooked('verification', {
    any: [{ path: '/check', can_interrupt: true }, { path: '/after' }],
  })
  const { body } = await identity.app().register(ADA)
  const browser = identity.browser()
  const sent = await browser.submit(await browser.open('verification'), { method: 'code', email: ADA })
  const asked = await browser.submit(sent, { method: 'code', code: await identity.code(ADA) })
  const login = await loginAfter(browser, asked)
  receiver.answers.set('/check', refusal('#/'))
  const values = { method: 'password', identifier: ADA, password: PASSWORD }
  const refused = await browser.submit(login, values)
  assert.deepEqual([refused.status, messageIds(refused)], [400, [1010902, 4711]])
  const path = `/admin/identities/${body.identity.id}`
  assert.equal((await identity.admin('GET', path)).body.verifiable_addresses[0].verified, false)
  receiver.answers.delete('/check')
  assert.equal((await browser.submit(refused, values)).status, 200)
  assert.equal((await identity.admin('GET', path)).body.verifiable_addresses[0].verified, true)
  await identity.stop()
  assert.equal(receiver.calls.at(-1)?.path, '/after')
})

test('SEC-13 web hooks do not reveal a taken address', async () => {
  const { identity, receiver } = await hooked(
    'registration',
    { password: [{ path: '/parse', response: { parse: true } }, { path: '/after' }] },
    { security: { account_enumeration: { mitigate: true } } },
  )
  receiver.answers.set('/parse', changed({ metadata_public: { plan: 'free' } }))
  receiver.answers.set('/after', { status: 404 })
  const fresh = await identity.browser().register(ADA)
  const taken = await identity.browser().register(ADA)
  assert.deepEqual([fresh.status, fresh.body.identity.metadata_public], [200, { plan: 'free' }])
  assert.deepEqual(shapeOf(taken, ADA), shapeOf(fresh, ADA))
})
