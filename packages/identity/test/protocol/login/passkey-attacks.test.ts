import assert from 'node:assert/strict'
import { fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { Authenticator, type Lie, optionsIn, RP, strangeKey } from '../../../src/testing/authenticator.ts'
import { test, testOnEach } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import {
  ANOTHER_CHALLENGE,
  add,
  enter,
  onlyPasskey,
  register,
  service,
  withPasskey,
} from '../../kit/passkeys.ts'

test('SEC-61 every challenge requires user verification', async () => {
  const identity = await service()
  const { browser } = await withPasskey(identity)
  const login = optionsIn(await identity.browser().open('login'), 'passkey_challenge')
  assert.equal(login.publicKey.userVerification, 'required')
  for (const flow of [await browser.open('settings'), await identity.browser().open('registration')]) {
    const { publicKey } = optionsIn(flow, 'passkey_create_data') as unknown as {
      publicKey: { authenticatorSelection: { userVerification: string } }
    }
    assert.equal(publicKey.authenticatorSelection.userVerification, 'required')
  }
})

const lies: readonly (readonly [what: string, lie: Lie])[] = [
  ['an authenticator that did not verify its user', { userVerified: false }],
  ['another origin', { origin: 'https://evil.example' }],
  ['another site', { rpId: 'evil.example' }],
  ['another challenge', { challenge: ANOTHER_CHALLENGE }],
]
for (const [what, lie] of lies) {
  test(`SEC-61 rejects a login by ${what}`, async () => {
    const identity = await service()
    const { key } = await withPasskey(identity)
    const browser = identity.browser()
    const flow = await browser.open('login')
    const asked = optionsIn(flow, 'passkey_challenge')
    const refused = await browser.submit(flow, { passkey_login: key.get(asked, lie) })
    assert.deepEqual([refused.status, messageIds(refused)], [400, [4000008]])
    assert.equal((await browser.whoami()).status, 401)
    assert.equal((await browser.submit(refused, { passkey_login: key.get(asked) })).status, 200)
  })

  test(`SEC-61 rejects a new passkey by ${what}`, async () => {
    const identity = await service()
    const browser = await identity.signedIn('ada@example.com')
    const refused = await add(browser, new Authenticator(), lie)
    assert.deepEqual([refused.status, messageIds(refused)], [400, [4000001]])
    assert.equal(nodeOf(await browser.open('settings'), 'passkey_remove'), undefined)
    const registered = await register(identity.browser(), new Authenticator(), 'eve@example.com', lie)
    assert.deepEqual([registered.status, messageIds(registered)], [400, [4000001]])
  })
}

test('an operator may waive user verification', async () => {
  const authenticator_selection = { user_verification: 'preferred' } as const
  const config = { rp: RP, authenticator_selection }
  const identity = await createTestIdentity({
    selfservice: { methods: { passkey: { enabled: true, config } } },
  })
  const key = new Authenticator()
  const lie = { userVerified: false }
  assert.equal((await register(identity.browser(), key, 'ada@example.com', lie)).status, 200)
  const browser = identity.browser()
  const asked = optionsIn(await browser.open('login'), 'passkey_challenge')
  assert.equal(asked.publicKey.userVerification, 'preferred')
  assert.equal((await enter(browser, key, lie)).status, 200)
})

test('SEC-61 rejects a passkey with an unusable key', async () => {
  const identity = await service()
  const browser = await identity.signedIn('ada@example.com')
  const refused = await add(browser, new Authenticator(), { unusable: true })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000001]])
  assert.equal(nodeOf(await browser.open('settings'), 'passkey_remove'), undefined)
  const registered = await register(identity.browser(), new Authenticator(), 'eve@example.com', {
    unusable: true,
  })
  assert.deepEqual([registered.status, messageIds(registered)], [400, [4000001]])
})

test('SEC-61 rejects a signature by another key', async () => {
  const identity = await service()
  const { key } = await withPasskey(identity)
  const refused = await enter(identity.browser(), key, { key: strangeKey() })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000008]])
})

test('SEC-61 a response is for its flow and ceremony only', async () => {
  const identity = await service()
  const { browser, key } = await withPasskey(identity)
  const settings = optionsIn(await browser.open('settings'), 'passkey_create_data').publicKey.challenge
  const registration = await identity.browser().open('registration')
  const made = optionsIn(registration, 'passkey_create_data').publicKey.challenge
  const login = optionsIn(await identity.browser().open('login'), 'passkey_challenge').publicKey.challenge
  for (const challenge of [settings, made, login]) {
    const refused = await enter(identity.browser(), key, { challenge })
    assert.deepEqual([refused.status, messageIds(refused)], [400, [4000008]])
  }
  assert.equal((await enter(identity.browser(), key, { type: 'webauthn.create' })).status, 400)
  assert.equal((await add(browser, new Authenticator(), { challenge: login })).status, 400)
  assert.equal((await add(browser, new Authenticator(), { type: 'webauthn.get' })).status, 400)
})

testOnEach('SEC-61 one of many identical responses signs in', async () => {
  const identity = await service()
  const { key } = await withPasskey(identity)
  const app = identity.app()
  const flow = await app.open('login')
  const passkey_login = key.get(optionsIn(flow, 'passkey_challenge'), { counter: 0 })
  const all = await Promise.all(Array.from({ length: 20 }, () => app.submit(flow, { passkey_login })))
  assert.equal(all.filter(({ status }) => status === 200).length, 1)
  const later = await app.submit(flow, { passkey_login })
  assert.deepEqual([later.status, messageIds(later)], [400, [4000008]])
})

test('SEC-61 a response creates one account', async () => {
  const identity = await service()
  const app = identity.app()
  const flow = await app.open('registration')
  const passkey_register = new Authenticator().create(optionsIn(flow, 'passkey_create_data'))
  const first = await app.submit(flow, { traits: { email: 'ada@example.com' }, passkey_register })
  const again = await app.submit(flow, { traits: { email: 'eve@example.com' }, passkey_register })
  assert.deepEqual([first.status, again.status], [200, 400])
})

test("SEC-61 another user's handle signs in to no account", async () => {
  const identity = await service()
  const ada = await withPasskey(identity, 'ada@example.com')
  const eve = await withPasskey(identity, 'eve@example.com')
  const userHandle = ada.key.keys[0]?.userHandle ?? ''
  const browser = identity.browser()
  const refused = await enter(browser, eve.key, { userHandle })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000008]])
  assert.equal((await browser.whoami()).status, 401)
})

test("SEC-61 rejects reauthentication with another user's passkey", async () => {
  const identity = await service()
  const ada = await withPasskey(identity, 'ada@example.com')
  const eve = await withPasskey(identity, 'eve@example.com')
  const flow = await ada.browser.open('login', '?refresh=true')
  const asked = optionsIn(flow, 'passkey_challenge')
  assert.deepEqual(
    asked.publicKey.allowCredentials?.map(({ id }) => id),
    ada.key.keys.map(({ id }) => id),
  )
  const refused = await ada.browser.submit(flow, { passkey_login: eve.key.get(asked) })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000008]])
  assert.equal((await ada.browser.submit(refused, { passkey_login: ada.key.get(asked) })).status, 200)
})

test('SEC-61 rejects and logs a decreasing signature counter', async () => {
  const identity = await service()
  const { key } = await withPasskey(identity)
  const attempt = async (counter: number) => (await enter(identity.browser(), key, { counter })).status
  assert.deepEqual(
    [await attempt(10), await attempt(10), await attempt(3), await attempt(0)],
    [200, 400, 400, 400],
  )
  assert.equal(identity.logged.filter((line) => line.includes('may be cloned')).length, 3)
  assert.equal(await attempt(11), 200)
})

test('SEC-61 a forged response logs no copied key', async () => {
  const identity = await service()
  const { key } = await withPasskey(identity)
  await enter(identity.browser(), key, { counter: 10 })
  await enter(identity.browser(), key, { counter: 3, key: strangeKey() })
  assert.deepEqual(
    identity.logged.filter((line) => line.includes('copy')),
    [],
  )
})

test('SEC-61 rejects a copy whose counter falls behind', async () => {
  const identity = await service()
  const { key } = await withPasskey(identity)
  const copy = key.copy()
  assert.equal((await enter(identity.browser(), key)).status, 200)
  assert.equal((await enter(identity.browser(), copy)).status, 400)
})

test('SEC-61 the only sign-in method cannot be removed', async () => {
  const identity = await service()
  const { browser, key } = await onlyPasskey(identity)
  const flow = await browser.open('settings')
  const { value, disabled } = nodeOf(flow, 'passkey_remove') ?? {}
  assert.equal(disabled, true)
  const refused = await browser.submit(flow, { passkey_remove: value })
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'webauthn_remove')], [400, [4000001]])
  assert.equal((await enter(identity.browser(), key)).status, 200)
})

testOnEach('SEC-61 one of two passkeys can be removed, even in parallel', async () => {
  const identity = await service()
  const { browser, key } = await onlyPasskey(identity)
  const other = new Authenticator()
  assert.equal((await add(browser, other)).status, 200)
  const ids = [...key.keys, ...other.keys].map(({ id }) => Buffer.from(id, 'base64url').toString('hex'))
  const flows = await Promise.all(ids.map(() => browser.open('settings')))
  const all = await Promise.all(
    flows.map((flow, index) => browser.submit(flow, { passkey_remove: ids[index] })),
  )
  assert.deepEqual(all.map(({ status }) => status).toSorted(), [200, 400])
  const left = (await browser.open('settings')).body.ui.nodes.filter(
    ({ attributes }) => 'name' in attributes && attributes.name === 'passkey_remove',
  )
  assert.equal(left.length, 1)
})

test('SEC-61 a removed passkey signs no one in', async () => {
  const identity = await service()
  const { browser, key } = await withPasskey(identity)
  const flow = await browser.open('settings')
  const removed = await browser.submit(flow, { passkey_remove: nodeOf(flow, 'passkey_remove')?.value })
  assert.equal(removed.status, 200)
  const refused = await enter(identity.browser(), key)
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000015]])
})

test('SEC-61 a removed passkey looks like a wrong one', async () => {
  const identity = await service()
  const { browser, key } = await withPasskey(identity)
  const other = new Authenticator()
  assert.equal((await add(browser, other)).status, 200)
  const flow = await browser.open('settings')
  const passkey_remove = Buffer.from(key.keys[0]?.id ?? '', 'base64url').toString('hex')
  assert.equal((await browser.submit(flow, { passkey_remove })).status, 200)
  const refused = await enter(identity.browser(), key)
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000008]])
  assert.equal((await enter(identity.browser(), other)).status, 200)
})
