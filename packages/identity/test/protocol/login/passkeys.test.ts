import assert from 'node:assert/strict'
import { type Answer, fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { Authenticator, optionsIn } from '../../../src/testing/authenticator.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, userSchema } from '../../kit/kit.ts'
import {
  ANOTHER_CHALLENGE,
  add,
  enter,
  onlyPasskey,
  PASSKEYS,
  service,
  withPasskey,
} from '../../kit/passkeys.ts'
import { until } from '../../kit/until.ts'

test('adds a passkey and signs in without an identifier', async () => {
  const identity = await service()
  const { key } = await withPasskey(identity)
  const browser = identity.browser()
  const done = await enter(browser, key)
  assert.equal(done.status, 200)
  assert.deepEqual(done.body.session.authentication_methods[0].method, 'passkey')
  assert.equal((await browser.whoami()).body.identity.traits.email, 'ada@example.com')
})

test('an authenticator creates one passkey for an account', async () => {
  const identity = await service()
  const { browser, key } = await withPasskey(identity)
  await assert.rejects(add(browser, key), { name: 'InvalidStateError' })
  const other = new Authenticator()
  assert.equal((await add(browser, other)).status, 200)
  await assert.rejects(add(browser, key), { name: 'InvalidStateError' })
  const eve = await identity.signedIn('eve@example.com')
  assert.equal((await add(eve, other)).status, 200)
})

test('the settings offer no passkey without a trait to name it', async () => {
  const schema = structuredClone(userSchema)
  const { credentials } = schema.properties.traits.properties.email['ory.sh/kratos']
  credentials.passkey.display_name = false
  const identity = await createTestIdentity({
    ...PASSKEYS,
    identity: { schemas: [{ id: 'default', schema }] },
  })
  const form = await (await identity.signedIn('ada@example.com')).open('settings')
  assert.deepEqual([messageIds(form), nodeOf(form, 'passkey_create_data')], [[4000009], undefined])
})

test('the activity says that a second passkey was added, and one of two removed', async () => {
  const identity = await service()
  const { browser } = await withPasskey(identity)
  await add(browser, new Authenticator())
  const form = await browser.open('settings')
  const passkey_remove = String(nodeOf(form, 'passkey_remove')?.value)
  assert.equal((await browser.submit(form, { passkey_remove })).status, 200)
  const { id } = (await browser.whoami()).body.identity
  const changes = async () =>
    (await identity.listEvents(id, { limit: 20 })).filter(({ method }) => method === 'passkey')
  await until(async () => (await changes()).length === 3)
  assert.deepEqual((await changes()).map(({ detail }) => detail).reverse(), ['added', 'added', 'removed'])
})

test('registers with a passkey alone', async () => {
  const identity = await service()
  const { browser } = await onlyPasskey(identity)
  assert.equal((await browser.whoami()).status, 200)
})

test('a page submits the response without a method', async () => {
  const identity = await service()
  const { key } = await withPasskey(identity)
  const browser = identity.browser()
  const flow = await browser.open('login')
  const done = await browser.post(flow.body.ui.action, {
    csrf_token: String(nodeOf(flow, 'csrf_token')?.value),
    identifier: '',
    password: '',
    passkey_login: key.get(optionsIn(flow, 'passkey_challenge')),
    passkey_challenge: String(nodeOf(flow, 'passkey_challenge')?.value),
  })
  assert.deepEqual([done.status, done.location], [303, 'http://app.test/'])
})

test('an app signs in with a passkey', async () => {
  const identity = await service()
  const { key } = await withPasskey(identity)
  const app = identity.app()
  const flow = await app.open('login')
  const done: Answer = await app.submit(flow, {
    method: 'passkey',
    passkey_login: key.get(optionsIn(flow, 'passkey_challenge')),
  })
  assert.match(done.body.session_token, /^ory_st_/)
})

test('a button without its script returns to the form', async () => {
  const identity = await service()
  const browser = identity.browser()
  const flow = await browser.open('login')
  const asked: Answer = await browser.submit(flow, { method: 'passkey' })
  assert.equal(asked.status, 422)
  assert.equal(asked.body.error.id, 'browser_location_change_required')
  assert.equal(asked.body.redirect_browser_to, `http://app.test/login?flow=${flow.body.id}`)
})

test('reauthentication without an own passkey answers like a login', async () => {
  const browser = await (await service()).signedIn('ada@example.com')
  const flow = await browser.open('login', '?refresh=true')
  const asked: Answer = await browser.submit(flow, { method: 'passkey' })
  assert.deepEqual([asked.status, asked.body.error.id], [422, 'browser_location_change_required'])
  assert.deepEqual(messageIds(await browser.submit(flow, { passkey_login: '{}' })), [4000001])
})

test('a registration without a credential validates the traits first', async () => {
  const identity = await service()
  const browser = identity.browser()
  const refused = await browser.submit(await browser.open('registration'), { method: 'passkey' })
  assert.deepEqual([messageIds(refused), fieldMessageIds(refused, 'traits.email')], [[], [4000002]])
})

test("SEC-21 no user removes another's passkey", async () => {
  const identity = await service()
  const ada = await withPasskey(identity, 'ada@example.com')
  const eve = await withPasskey(identity, 'eve@example.com')
  const flow = await eve.browser.open('settings')
  const passkey_remove = Buffer.from(ada.key.keys[0]?.id ?? '', 'base64url').toString('hex')
  assert.equal((await eve.browser.submit(flow, { passkey_remove })).status, 400)
  assert.equal((await enter(identity.browser(), ada.key)).status, 200)
})

test('a passkey is not a second factor', async () => {
  const identity = await service()
  const { browser, key } = await withPasskey(identity)
  const flow = await browser.open('login', '?aal=aal2')
  assert.equal(nodeOf(flow, 'passkey_challenge'), undefined)
  const answer = key.get({ publicKey: { challenge: ANOTHER_CHALLENGE } })
  const refused = await browser.submit(flow, { method: 'passkey', passkey_login: answer })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4010002]])
})

test('the form never repeats a response', async () => {
  const identity = await service()
  const browser = identity.browser()
  const refused = await browser.submit(await browser.open('login'), {
    passkey_login: 'no json',
    passkey_challenge: '{"publicKey":{}}',
  })
  assert.deepEqual(messageIds(refused), [4000001])
  assert.equal(nodeOf(refused, 'passkey_login')?.value, undefined)
  assert.equal(optionsIn(refused, 'passkey_challenge').publicKey.challenge.length, 43)
})

test('adding a passkey requires recent authentication', async () => {
  const identity = await service()
  const browser = await identity.signedIn('ada@example.com')
  identity.advance(2 * 3_600_000)
  const junk = { method: 'passkey', passkey_settings_register: 'junk' }
  const answers: Answer[] = [
    await add(browser, new Authenticator()),
    await browser.submit(await browser.open('settings'), junk),
  ]
  for (const refused of answers) {
    assert.deepEqual([refused.status, refused.body.error.id], [403, 'session_refresh_required'])
  }
})
