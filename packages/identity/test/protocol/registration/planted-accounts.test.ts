import assert from 'node:assert/strict'
import { tokenOf, verificationIn } from '../../../src/testing/answers.ts'
import { type App, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { ADA, EVE, settingsAfter } from '../../kit/recovery-kit.ts'
import type { Prove } from '../../servers/planted-kit.ts'
import {
  BY_CODE,
  byCode,
  loginAfter,
  openLink,
  planted,
  REQUIRED,
  VERIFICATIONS,
} from '../../servers/planted-kit.ts'

const NEW_PASSWORD = 'another horse 7 battery'

const OTHER_PROOFS: Record<string, Prove> = {
  recovers: (identity, browser) => byCode(identity, browser, 'recovery'),
  'signs in by code': async (identity, browser) => {
    const form = { method: 'code', identifier: ADA }
    const asked = await browser.submit(await browser.open('login'), form)
    return await browser.submit(asked, { ...form, code: await identity.code(ADA) })
  },
}

const PROOFS = { ...VERIFICATIONS, ...OTHER_PROOFS }

for (const [how, prove] of Object.entries(OTHER_PROOFS)) {
  test(`SEC-24 a planted account is the owner's alone once they ${how}`, async () => {
    const { identity, planter, signIn } = await planted()
    const second = identity.browser()
    assert.equal(await signIn(second), 200)
    assert.equal((await prove(identity, identity.browser())).status, 200)
    for (const browser of [planter, second]) assert.equal((await browser.whoami()).status, 401)
    assert.equal(await signIn(identity.browser()), 401)
    const owner = identity.browser()
    const flow = settingsAfter(await byCode(identity, owner, 'recovery'))
    const settings = await owner.get(`/self-service/settings/flows?id=${flow}`)
    assert.equal((await owner.submit(settings, { method: 'password', password: NEW_PASSWORD })).status, 200)
    assert.equal((await identity.browser().signIn(ADA, NEW_PASSWORD)).status, 200)
    assert.equal(await signIn(identity.browser()), 401)
  })
}

for (const [how, prove] of Object.entries(PROOFS)) {
  test(`SEC-24 an operator's account keeps its password when its owner ${how}`, async () => {
    const identity = await createTestIdentity({ selfservice: { methods: BY_CODE, flows: REQUIRED.flows } })
    const credentials = { password: { config: { password: PASSWORD } } }
    await identity.admin('POST', '/admin/identities', { traits: { email: ADA }, credentials })
    await identity.app().signIn(ADA)
    assert.equal((await prove(identity, identity.browser())).status, 200)
    assert.equal((await identity.browser().signIn(ADA)).status, 200)
  })

  test(`SEC-24 a password stays if the registering browser ${how}`, async () => {
    const identity = await createTestIdentity({ selfservice: { methods: BY_CODE, ...REQUIRED } })
    const browser = identity.browser()
    await browser.register(ADA)
    const done = await prove(identity, browser)
    assert.equal(done.status, 200)
    assert.equal((await identity.browser().signIn(ADA)).status, 200)
  })
}

test('SEC-84 a planted account verified by an operator goes to its owner after a recovery', async () => {
  const { identity, planter, signIn } = await planted()
  const [{ id }] = (await identity.admin('GET', '/admin/identities')).body
  const verified = { op: 'replace', path: '/verifiable_addresses/0/verified', value: true }
  const { body } = await identity.admin('PATCH', `/admin/identities/${id}`, [verified])
  assert.equal(body.verifiable_addresses[0].verified, true)
  assert.equal((await planter.whoami()).status, 200)
  const owner = identity.browser()
  await loginAfter(owner, await byCode(identity, owner, 'verification'))
  assert.equal((await byCode(identity, owner, 'recovery')).status, 200)
  assert.equal((await planter.whoami()).status, 401)
  assert.equal(await signIn(identity.browser()), 401)
  const events = identity.logged.filter((line) => line.includes('"event":"address_claimed"'))
  assert.deepEqual(
    events.map((line) => line.includes('"detail":"set_up_removed"') && line.includes(id)),
    [true],
  )
})

test('SEC-84 a user verified by an operator keeps the password', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  await browser.register(ADA)
  const [{ id }] = (await identity.admin('GET', '/admin/identities')).body
  const verified = { op: 'replace', path: '/verifiable_addresses/0/verified', value: true }
  await identity.admin('PATCH', `/admin/identities/${id}`, [verified])
  for (let times = 0; times < 2; times += 1) {
    assert.equal((await identity.browser().signIn(ADA)).status, 200)
    assert.equal((await identity.app().signIn(ADA)).status, 200)
  }
  assert.equal((await browser.whoami()).status, 200)
})

test('SEC-24 an app keeps its password with the code of its registration', async () => {
  const identity = await createTestIdentity()
  const app = identity.app()
  const registered = await app.register(ADA)
  app.token = registered.body.session_token
  const shown = await identity
    .app()
    .send('GET', `/self-service/verification/flows?id=${verificationIn(registered)?.id}`)
  const done = await app.submit(shown, { method: 'code', code: await identity.code(ADA) })
  assert.equal(done.body.state, 'passed_challenge')
  assert.equal(await whoami(app), 200)
  assert.equal((await identity.app().signIn(ADA)).status, 200)
})

test('SEC-99 another form of an app keeps what was set up only with its session', async () => {
  const identity = await createTestIdentity()
  for (const [email, signedIn, state] of [
    [ADA, false, undefined],
    [EVE, true, 'passed_challenge'],
  ] as const) {
    const { session_token } = (await identity.app().register(email)).body
    const app = identity.app()
    if (signedIn) app.token = session_token
    const asked = await app.submit(await app.open('verification'), { method: 'code', email })
    const done = await app.submit(asked, { method: 'code', code: await identity.code(email) })
    assert.deepEqual([done.status, done.body.state], [signedIn ? 200 : 422, state])
  }
})

test("SEC-99 the form of one registration keeps no other account's set-up", async () => {
  const identity = await createTestIdentity()
  await identity.app().register(ADA)
  const app = identity.app()
  const id = verificationIn(await app.register(EVE))?.id
  const own = await app.send('GET', `/self-service/verification/flows?id=${id}`)
  const asked = await app.submit(own, { method: 'code', email: ADA })
  const done = await app.submit(asked, { method: 'code', code: await identity.code(ADA) })
  assert.equal(done.status, 422)
})

for (const [title, security, status] of [
  ['keeps what was set up', {}, 200],
  ['ends what was set up against enumeration', { account_enumeration: { mitigate: true } }, 400],
  ['ends what was set up if configured', { unproven_accounts: { reset_in_apps: true } }, 400],
] as const) {
  test(`SEC-24 a recovery in an app ${title}`, async () => {
    const identity = await createTestIdentity({ security })
    await identity.app().register(ADA)
    const app = identity.app()
    const asked = await app.submit(await app.open('recovery'), { method: 'code', email: ADA })
    await app.submit(asked, { method: 'code', code: await identity.code(ADA) })
    assert.equal((await identity.app().signIn(ADA)).status, status)
  })
}

test("a browser's own link keeps its forms", async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  await browser.register(ADA)
  const settings = await browser.open('settings')
  const before = new Map(browser.cookies)
  await openLink(identity, browser)
  assert.deepEqual(browser.cookies, before)
  const stranger = identity.browser()
  const foreign = await stranger.submit(await stranger.open('verification'), { method: 'code', email: ADA })
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', cookie: '' }
  const hit = await browser.get(`/self-service/verification?flow=${foreign.body.id}&code=123456`, { headers })
  assert.deepEqual(hit.headers.getSetCookie(), [])
  assert.equal((await browser.submit(settings, { method: 'profile', traits: { email: ADA } })).status, 200)
  assert.ok(tokenOf(settings))
})

async function whoami(app: App): Promise<number> {
  return (await app.send('GET', '/sessions/whoami')).status
}
