import assert from 'node:assert/strict'
import { type Answer, fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity, userSchema } from '../../kit/kit.ts'

const ADA = 'ada@example.com'
const BEN = 'ben@example.com'
const MFA = { selfservice: { methods: { code: { mfa_enabled: true } } } }

test('SEC-17 the password alone grants nothing', async () => {
  const identity = await createTestIdentity(MFA)
  await identity.user(ADA)
  const browser = identity.browser()
  const half: Answer = await browser.signIn(ADA)
  assert.equal(half.status, 422)
  assert.match(half.body.redirect_browser_to, /aal=aal2/)
  assert.equal((await browser.whoami()).status, 403)
  const form = await browser.open('login', '?aal=aal2')
  assert.deepEqual([form.status, form.body.state, messageIds(form)], [200, 'sent_email', [1010014]])
  assert.equal(nodeOf(form, 'identifier')?.value, ADA)
  const done = await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
  assert.equal(done.status, 200)
  const { body } = await browser.whoami()
  assert.equal(body.authenticator_assurance_level, 'aal2')
  const methods = body.authentication_methods.map((one: { method: string; aal: string }) => [
    one.method,
    one.aal,
  ])
  assert.deepEqual(methods, [
    ['password', 'aal1'],
    ['code', 'aal2'],
  ])
})

test('requires the second factor while it is enabled', async () => {
  const on = await createTestIdentity(MFA)
  await on.user(ADA)
  assert.equal((await on.browser().signIn(ADA)).status, 422)
  const off = await createTestIdentity()
  await off.user(ADA)
  assert.equal((await off.browser().signIn(ADA)).status, 200)
})

test('an app submits its second factor the same way', async () => {
  const identity = await createTestIdentity(MFA)
  await identity.user(ADA)
  const app = identity.app()
  const half: Answer = await app.signIn(ADA)
  assert.deepEqual([half.status, half.body.session.identity], [200, null])
  const form = await app.open('login', '?aal=aal2')
  const missing = await app.submit(form, { method: 'code', code: '' })
  assert.deepEqual(fieldMessageIds(missing, 'code'), [4000002])
  const done: Answer = await app.submit(form, { method: 'code', code: await identity.code(ADA) })
  assert.equal(done.body.session.authenticator_assurance_level, 'aal2')
})

test("another factor's error leaves the address in the form, so that a code can be sent again", async () => {
  const { methods } = SECOND_FACTORS.selfservice
  const code = { mfa_enabled: true }
  const identity = await createTestIdentity({ selfservice: { methods: { ...methods, code } } })
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  const form = await browser.open('login', '?aal=aal2')
  for (const values of [
    { method: 'totp', totp_code: '123456' },
    { method: 'lookup_secret', lookup_secret: 'abcd1234' },
  ]) {
    const refused = await browser.submit(form, values)
    assert.equal(nodeOf(refused, 'identifier')?.value, ADA)
  }
})

test('after another address got no code, the form can send one to the right address', async () => {
  const identity = await createTestIdentity(MFA)
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  const form = await browser.open('login', '?aal=aal2')
  const elsewhere = { method: 'code', resend: 'code', identifier: BEN }
  const refused = await browser.submit(form, elsewhere)
  assert.deepEqual(messageIds(refused), [4000035])
  const field = refused.body.ui.nodes.find(
    ({ attributes }) => 'name' in attributes && attributes.name === 'identifier',
  )
  assert.equal(field?.group, 'code')
  await browser.submit(form, { ...elsewhere, identifier: ADA })
  const code = await identity.code(ADA)
  assert.equal((await browser.submit(form, { method: 'code', code })).status, 200)
})

test('a refused form keeps the address that it was sent with', async () => {
  const identity = await createTestIdentity(MFA)
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  const form = await browser.open('login', '?aal=aal2')
  const refused = await browser.submit(form, { method: 'code', address: ADA })
  assert.deepEqual(fieldMessageIds(refused, 'code'), [4000002])
  assert.equal(nodeOf(refused, 'identifier')?.value, ADA)
})

test('asks which of several addresses gets the code', async () => {
  const traits = structuredClone(userSchema.properties.traits)
  const schema = {
    ...userSchema,
    properties: {
      traits: { ...traits, properties: { ...traits.properties, second: traits.properties.email } },
    },
  }
  const identity = await createTestIdentity({ ...MFA, identity: { schemas: [{ id: 'default', schema }] } })
  const credentials = { password: { config: { password: 'correct horse 9 battery' } } }
  const made = await identity.admin('POST', '/admin/identities', {
    traits: { email: ADA, second: BEN },
    credentials,
  })
  assert.equal(made.status, 201)
  await identity.user('eve@example.com')
  const browser = identity.browser()
  await browser.signIn(ADA)
  const form = await browser.open('login', '?aal=aal2')
  assert.deepEqual(messageIds(form), [1010004])
  const buttons = form.body.ui.nodes.flatMap(({ attributes }) =>
    'value' in attributes && attributes.name === 'address' ? [attributes.value] : [],
  )
  assert.deepEqual(buttons, [ADA, BEN])
  const foreign = await browser.submit(form, { address: 'eve@example.com' })
  assert.deepEqual(messageIds(foreign), [4000035])
  const sent = await browser.submit(form, { address: BEN })
  const again = await browser.submit(sent, { method: 'code', resend: 'code', identifier: 'eve@example.com' })
  assert.deepEqual(messageIds(again), [4000035])
  assert.equal((await identity.mails('eve@example.com')).length, 0)
  await browser.submit(sent, { method: 'code', resend: 'code', identifier: BEN })
  const done = await browser.submit(sent, { method: 'code', code: await identity.code(BEN) })
  assert.equal(done.status, 200)
})

test('via accepts only a trait that receives codes', async () => {
  const identity = await createTestIdentity(MFA)
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  for (const via of ['phone', 'name', 'constructor']) {
    assert.equal((await browser.open('login', `?aal=aal2&via=${via}`)).status, 400, via)
  }
  const form = await browser.open('login', '?aal=aal2&via=email')
  assert.equal(form.body.state, 'sent_email')
})

test('SEC-03 refuses a correct code after five wrong ones', async () => {
  const identity = await createTestIdentity(MFA)
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  const form = await browser.open('login', '?aal=aal2')
  const code = await identity.code(ADA)
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
  for (let i = 0; i < 5; i++) {
    assert.deepEqual(messageIds(await browser.submit(form, { method: 'code', code: wrong })), [4010008])
  }
  assert.deepEqual(messageIds(await browser.submit(form, { method: 'code', code })), [4000001])
  const next = await browser.open('login', '?aal=aal2')
  const done = await browser.submit(next, { method: 'code', code: await identity.code(ADA) })
  assert.equal(done.status, 200)
})

test('SEC-05 an expired code can be requested again', async () => {
  const identity = await createTestIdentity({
    selfservice: { methods: { code: { mfa_enabled: true } }, flows: { login: { lifespan: '1h' } } },
  })
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  const form = await browser.open('login', '?aal=aal2')
  identity.advance(10 * 60_000)
  const late = await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
  assert.deepEqual([late.status, messageIds(late)], [400, [4000001]])
  await browser.submit(form, { method: 'code', resend: 'code', identifier: ADA })
  const done = await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
  assert.equal(done.status, 200)
})

test('SEC-12 a second factor needs a session', async () => {
  const identity = await createTestIdentity(MFA)
  await identity.user(ADA)
  const app = identity.app()
  await app.signIn(ADA)
  const form = await app.open('login', '?aal=aal2')
  const code = await identity.code(ADA)
  const stranger: Answer = await identity.app().submit(form, { method: 'code', code })
  assert.deepEqual([stranger.status, stranger.body.error.id], [401, 'session_aal1_required'])
  const first = await identity.app().open('login')
  const tried = await identity.app().submit(first, { method: 'code', identifier: ADA })
  assert.deepEqual(messageIds(tried), [4010002])
})

test('the field `address` of second factors also names the recipient of a first one', async () => {
  const identity = await createTestIdentity({
    selfservice: { methods: { code: { passwordless_enabled: true } } },
  })
  await identity.user(ADA)
  const browser = identity.browser()
  const form = await browser.submit(await browser.open('login'), { method: 'code', address: ADA })
  assert.deepEqual(messageIds(form), [1010014])
  const code = await identity.code(ADA)
  assert.equal((await browser.submit(form, { method: 'code', address: ADA, code })).status, 200)
})
