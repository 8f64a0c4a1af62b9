import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import { fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { Authenticator, type Lie, optionsIn, RP, strangeKey } from '../../../src/testing/authenticator.ts'
import type { Browser } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity, userSchema } from '../../kit/kit.ts'

const EMAIL = 'ada@example.com'

function service(passwordless: boolean, mitigate = false): Promise<TestIdentity> {
  const schema = structuredClone(userSchema)
  const { credentials } = schema.properties.traits.properties.email['ory.sh/kratos']
  Object.assign(credentials, { webauthn: { identifier: true } })
  return createTestIdentity({
    selfservice: {
      methods: { webauthn: { enabled: true, config: { passwordless, rp: RP } } },
      flows: { settings: { ui_url: 'http://app.test/settings' } },
    },
    identity: { schemas: [{ id: 'default', schema }] },
    security: { account_enumeration: { mitigate } },
  })
}

async function withKey(identity: TestIdentity, lie: Lie = {}) {
  const browser = await identity.signedIn(EMAIL)
  const key = new Authenticator()
  const flow = await browser.open('settings')
  const added = await browser.submit(flow, {
    webauthn_register: key.create(optionsIn(flow, 'webauthn_register_trigger'), lie),
    webauthn_register_displayname: 'blue',
  })
  return { browser, key, added }
}

async function halfway(identity: TestIdentity) {
  const browser = identity.browser()
  await browser.signIn(EMAIL)
  return { browser, flow: await browser.open('login', '?aal=aal2') }
}

async function named(browser: Browser, identifier = EMAIL) {
  const flow = await browser.open('login')
  const asked: Answer = await browser.submit(flow, { method: 'webauthn', identifier })
  assert.equal(asked.status, 422)
  return await browser.get(`/self-service/login/flows?id=${flow.body.id}`)
}

test('adding a security key raises the session to aal2', async () => {
  const identity = await service(false)
  const { browser, added } = await withKey(identity, { userVerified: false })
  assert.equal(added.status, 200)
  assert.equal((await browser.whoami()).body.authenticator_assurance_level, 'aal2')
})

test('a security key is added once', async () => {
  const identity = await service(false)
  const { browser, key } = await withKey(identity)
  const options = optionsIn(await browser.open('settings'), 'webauthn_register_trigger')
  assert.throws(() => key.create(options), { name: 'InvalidStateError' })
})

test('a user with a security key needs it after the password', async () => {
  const identity = await service(false)
  const { key } = await withKey(identity)
  const { browser, flow } = await halfway(identity)
  assert.equal((await browser.whoami()).status, 403)
  const asked = optionsIn(flow, 'webauthn_login_trigger')
  const wrong = await browser.submit(flow, {
    identifier: EMAIL,
    webauthn_login: key.get(asked, { key: strangeKey() }),
  })
  assert.deepEqual([wrong.status, messageIds(wrong)], [400, [4000008]])
  const done = await browser.submit(wrong, { identifier: EMAIL, webauthn_login: key.get(asked) })
  assert.equal(done.status, 200)
  assert.equal((await browser.whoami()).body.authenticator_assurance_level, 'aal2')
})

test('asks for no missing security key', async () => {
  const identity = await service(false)
  await identity.user(EMAIL)
  const { browser, flow } = await halfway(identity)
  assert.equal(nodeOf(flow, 'webauthn_login_trigger'), undefined)
  const refused = await browser.submit(flow, { method: 'webauthn', identifier: EMAIL })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000013]])
})

test("a second factor needs the form's identifier field", async () => {
  const identity = await service(false)
  const { key } = await withKey(identity)
  const { browser, flow } = await halfway(identity)
  const webauthn_login = key.get(optionsIn(flow, 'webauthn_login_trigger'))
  const refused = await browser.submit(flow, { webauthn_login })
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'identifier')], [400, [4000002]])
  assert.equal((await browser.submit(refused, { identifier: EMAIL, webauthn_login })).status, 200)
})

test('a security key needs a name', async () => {
  const identity = await service(false)
  const browser = await identity.signedIn(EMAIL)
  const flow = await browser.open('settings')
  const webauthn_register = new Authenticator().create(optionsIn(flow, 'webauthn_register_trigger'))
  const refused = await browser.submit(flow, { webauthn_register })
  assert.deepEqual(fieldMessageIds(refused, 'webauthn_register_displayname'), [4000002])
  const webauthn_register_displayname = 'x'.repeat(101)
  const long = await browser.submit(refused, { webauthn_register, webauthn_register_displayname })
  assert.ok(fieldMessageIds(long, 'webauthn_register_displayname').includes(4000017))
})

test('removing the last key lowers the sessions that it raised', async () => {
  const identity = await service(false)
  const { browser } = await withKey(identity)
  const flow = await browser.open('settings')
  const { value, disabled } = nodeOf(flow, 'webauthn_remove') ?? {}
  assert.equal(disabled, false)
  assert.equal((await browser.submit(flow, { webauthn_remove: value })).status, 200)
  assert.equal((await browser.whoami()).body.authenticator_assurance_level, 'aal1')
})

test('a passwordless key needs only the identifier', async () => {
  const identity = await service(true)
  const { key } = await withKey(identity)
  const browser = identity.browser()
  const flow = await named(browser, ` ${EMAIL.toUpperCase()} `)
  assert.deepEqual(messageIds(flow), [1010012])
  assert.equal(nodeOf(flow, 'password'), undefined)
  assert.deepEqual(
    flow.body.ui.nodes.map(
      ({ attributes }: { readonly attributes: Record<string, string> }) => attributes.name ?? attributes.id,
    ),
    ['identifier', 'csrf_token', 'webauthn_script', 'webauthn_login_trigger', 'webauthn_login'],
  )
  const done = await browser.submit(flow, {
    identifier: EMAIL,
    webauthn_login: key.get(optionsIn(flow, 'webauthn_login_trigger')),
  })
  assert.equal(done.status, 200)
  assert.equal((await browser.whoami()).body.authenticator_assurance_level, 'aal1')
})

test('a typing error can be corrected on the second screen', async () => {
  const identity = await service(true)
  await withKey(identity)
  const browser = identity.browser()
  const flow = await browser.open('login')
  const unknown = await browser.submit(flow, { method: 'webauthn', identifier: 'nobody@example.com' })
  assert.deepEqual([unknown.status, messageIds(unknown)], [400, [4000015]])
  await browser.submit(unknown, { method: 'webauthn', identifier: EMAIL })
  const next = await browser.get(`/self-service/login/flows?id=${flow.body.id}`)
  assert.deepEqual([nodeOf(next, 'identifier')?.value, messageIds(next)], [EMAIL, [1010012]])
})

test('rejects a wrong key and asks again', async () => {
  const identity = await service(true)
  await withKey(identity)
  const browser = identity.browser()
  const flow = await browser.open('login')
  const refused = await browser.submit(flow, { identifier: EMAIL, webauthn_login: '{}' })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000001]])
  assert.equal((await browser.submit(refused, { method: 'webauthn', identifier: EMAIL })).status, 422)
})

test('SEC-61 rejects an unusable key', async () => {
  const identity = await service(false)
  const { browser, added } = await withKey(identity, { unusable: true })
  assert.deepEqual([added.status, messageIds(added)], [400, [4000001]])
  assert.equal(nodeOf(await browser.open('settings'), 'webauthn_remove'), undefined)
})

test('SEC-61 a key as only factor verifies its user', async () => {
  const identity = await service(true)
  const { key, added } = await withKey(identity, { userVerified: false })
  assert.equal(added.status, 400)
  const browser = identity.browser()
  await browser.signIn(EMAIL)
  const flow = await browser.open('settings')
  const webauthn_register = key.create(optionsIn(flow, 'webauthn_register_trigger'))
  await browser.submit(flow, { webauthn_register, webauthn_register_displayname: 'blue' })
  const other = identity.browser()
  const asked = await named(other)
  const options = optionsIn(asked, 'webauthn_login_trigger')
  assert.equal(options.publicKey.userVerification, 'required')
  const refused = await other.submit(asked, {
    identifier: EMAIL,
    webauthn_login: key.get(options, { userVerified: false }),
  })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000008]])
  assert.equal(
    (await other.submit(refused, { identifier: EMAIL, webauthn_login: key.get(options) })).status,
    200,
  )
})

test('SEC-61 a key proves nothing without the first factor', async () => {
  const identity = await service(false)
  const { key } = await withKey(identity)
  const { browser, flow } = await halfway(identity)
  const asked = optionsIn(flow, 'webauthn_login_trigger')
  browser.cookies.forEach((value, name) => {
    if (value.startsWith('ory_st_')) browser.cookies.delete(name)
  })
  const refused: Answer = await browser.submit(flow, { identifier: EMAIL, webauthn_login: key.get(asked) })
  assert.deepEqual([refused.status, refused.body.error.id], [401, 'session_aal1_required'])
})

test('SEC-61 an account keeps its last security key', async () => {
  const identity = await service(true)
  const browser = identity.browser()
  const flow = await browser.open('registration')
  const key = new Authenticator()
  const webauthn_register = key.create(optionsIn(flow, 'webauthn_register_trigger'))
  assert.equal((await browser.submit(flow, { traits: { email: EMAIL }, webauthn_register })).status, 200)
  const asked = await named(browser)
  await browser.submit(asked, {
    identifier: EMAIL,
    webauthn_login: key.get(optionsIn(asked, 'webauthn_login_trigger')),
  })
  const settings = await browser.open('settings')
  const { value, disabled } = nodeOf(settings, 'webauthn_remove') ?? {}
  assert.equal(disabled, true)
  const refused = await browser.submit(settings, { webauthn_remove: value })
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'webauthn_remove')], [400, [4000001]])
})

test('offers no security keys to apps', async () => {
  const identity = await service(true)
  const app = identity.app()
  for (const kind of ['login', 'registration'] as const) {
    const flow = await app.open(kind)
    assert.ok(!flow.body.ui.nodes.some(({ group }) => group === 'webauthn'))
  }
})

test('a registration with a security key names what its traits lack first', async () => {
  const identity = await service(true)
  for (const caller of [identity.browser(), identity.app()]) {
    const refused = await caller.submit(await caller.open('registration'), { method: 'webauthn' })
    assert.deepEqual(fieldMessageIds(refused, 'traits.email'), [4000002])
    assert.deepEqual(fieldMessageIds(refused, 'webauthn_register'), [])
    assert.deepEqual(messageIds(refused), [])
  }
})

test('reauthentication with a security key needs an own one', async () => {
  const identity = await service(true)
  const without = await identity.signedIn('ben@example.com')
  const values = { method: 'webauthn', identifier: 'ben@example.com' }
  const refused = await without.submit(await without.open('login', '?refresh=true'), values)
  assert.deepEqual(messageIds(refused), [4000015])
  const { browser } = await withKey(identity)
  const flow = await browser.open('login', '?refresh=true')
  const asked = await browser.submit(flow, { method: 'webauthn', identifier: EMAIL })
  assert.equal(asked.status, 422)
})

test('disabled security keys are unknown to an app', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const submit = async (values: object) =>
    await browser.submit(await browser.open('login'), { method: 'webauthn', ...values })
  const nameless: Answer = await submit({})
  assert.deepEqual([nameless.status, fieldMessageIds(nameless, 'identifier')], [400, [4000002]])
  assert.equal((await submit({ identifier: EMAIL })).status, 404)
  const app = identity.app()
  const refused = await app.submit(await app.open('login'), { method: 'webauthn', identifier: EMAIL })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4010002]])
})

test('SEC-111 with mitigation, a security key as first factor reveals no account', async () => {
  const identity = await service(true, true)
  const { key } = await withKey(identity)
  await identity.user('nokey@example.com')
  const seen = []
  for (const email of [EMAIL, 'nokey@example.com', 'nobody@example.com']) {
    const browser = identity.browser()
    const asked = await named(browser, email)
    const again = await named(browser, email.toUpperCase())
    const options = optionsIn(asked, 'webauthn_login_trigger')
    assert.deepEqual(allowedIn(again), allowedIn(asked))
    const webauthn_login = key.get(options, { key: strangeKey() })
    const refused = await browser.submit(asked, { identifier: email, webauthn_login })
    const named_again = await browser.submit(refused, { method: 'webauthn', identifier: email })
    const text = JSON.stringify([asked, refused, named_again].map(({ status, body }) => [status, body]))
    seen.push(withoutSecrets(text).replaceAll(email, 'EMAIL'))
  }
  assert.deepEqual(new Set(seen).size, 1, seen.join('\n\n'))
})

function allowedIn(form: FlowAnswer) {
  const options: { publicKey: { allowCredentials?: object } } = optionsIn(form, 'webauthn_login_trigger')
  return options.publicKey.allowCredentials
}

function withoutSecrets(text: string): string {
  return text
    .replaceAll(/[\da-f]{8}-[-\da-f]{27}/g, 'ID')
    .replaceAll(/[\w+/-]{43,}={0,2}/g, 'SECRET')
    .replaceAll(/"\d{4}-\d\d-\d\dT[^"]*"/g, '"TIME"')
}
