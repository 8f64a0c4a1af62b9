import assert from 'node:assert/strict'
import type { FlowAnswer } from '../../../src/testing/answers.ts'
import { messageIds, nodeOf, tokenOf, verificationIn } from '../../../src/testing/answers.ts'
import type { App, Browser } from '../../../src/testing/clients.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import type { TestIdentity } from '../../kit/kit.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { ADA, BY_LINK, EVE, linkTo, settingsAfter } from '../../kit/recovery-kit.ts'
import { callbackOf, GRACE, parts, providerEntry, signInWith } from '../../servers/oidc-kit.ts'
import { startOpenIdProvider } from '../../servers/openid-provider.ts'

const NEW_PASSWORD = 'another horse 7 battery'
const BY_CODE = { code: { passwordless_enabled: true } }

type Prove = (identity: TestIdentity, browser: Browser) => Promise<FlowAnswer>

const PROOFS: Record<string, Prove> = {
  'opens the emailed link': async (identity, browser) => {
    const form = await openLink(identity, browser)
    return await browser.submit(form, { method: 'code', code: nodeOf(form, 'code')?.value })
  },
  'asks for a code': (identity, browser) => byCode(identity, browser, 'verification'),
  recovers: (identity, browser) => byCode(identity, browser, 'recovery'),
  'signs in by code': async (identity, browser) => {
    const form = { method: 'code', identifier: ADA }
    const asked = await browser.submit(await browser.open('login'), form)
    return await browser.submit(asked, { ...form, code: await identity.code(ADA) })
  },
}

for (const [how, prove] of Object.entries(PROOFS)) {
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

for (const kind of ['verification', 'recovery'] as const) {
  test(`SEC-84 a planted account verified by an operator goes to its owner after a ${kind}`, async () => {
    const { identity, planter, signIn } = await planted()
    const [{ id }] = (await identity.admin('GET', '/admin/identities')).body
    const verified = { op: 'replace', path: '/verifiable_addresses/0/verified', value: true }
    const { body } = await identity.admin('PATCH', `/admin/identities/${id}`, [verified])
    assert.equal(body.verifiable_addresses[0].verified, true)
    assert.equal((await planter.whoami()).status, 200)
    assert.equal((await byCode(identity, identity.browser(), kind)).status, 200)
    assert.equal((await planter.whoami()).status, 401)
    assert.equal(await signIn(identity.browser()), 401)
    const events = identity.logged.filter((line) => line.includes('"event":"address_claimed"'))
    assert.deepEqual(
      events.map((line) => line.includes('"detail":"set_up_removed"') && line.includes(id)),
      [true],
    )
  })
}

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

test('SEC-24 a link in another browser announces what it ends', async () => {
  const { identity } = await planted()
  const elsewhere = await openLink(identity, identity.browser())
  assert.deepEqual(messageIds(elsewhere), [1080003, 1080902])
  const there = await createTestIdentity()
  const browser = there.browser()
  await browser.register(ADA)
  assert.deepEqual(messageIds(await openLink(there, browser)), [1080003])
})

test('SEC-24 a link without a code asks before ending what another browser set up', async () => {
  const identity = await createTestIdentity(BY_LINK)
  const planter = identity.browser()
  await planter.register(ADA)
  const owner = identity.browser()
  const form = await follow(owner, (await owner.navigate(await linkTo(identity, ADA))).location)
  assert.deepEqual(messageIds(form), [1080902])
  assert.equal((await planter.whoami()).status, 200)
  const done = await owner.submit(form, { method: 'link', token: nodeOf(form, 'token')?.value })
  assert.deepEqual(messageIds(done), [1080002, 1080901])
  assert.equal((await planter.whoami()).status, 401)
  assert.equal((await identity.browser().signIn(ADA)).status, 400)
})

test('SEC-24 an app keeps its password with the code', async () => {
  const identity = await createTestIdentity()
  for (const [email, form] of Object.entries({
    [ADA]: async (id: string | undefined) =>
      await identity.app().send('GET', `/self-service/verification/flows?id=${id}`),
    [EVE]: async () =>
      await identity.app().submit(await identity.app().open('verification'), { method: 'code', email: EVE }),
  })) {
    const app = identity.app()
    const registered = await app.register(email)
    app.token = registered.body.session_token
    const shown = await form(verificationIn(registered)?.id)
    const done = await app.submit(shown, { method: 'code', code: await identity.code(email) })
    assert.equal(done.body.state, 'passed_challenge')
    assert.equal(await whoami(app), 200)
    assert.equal((await identity.app().signIn(email)).status, 200)
  }
})

test("SEC-24 an app's link ends what the app set up", async () => {
  const identity = await createTestIdentity()
  const app = identity.app()
  app.token = (await app.register(ADA)).body.session_token
  await app.submit(await app.open('verification'), { method: 'code', email: ADA })
  const owner = identity.browser()
  const form = await openLink(identity, owner)
  assert.deepEqual(messageIds(form), [1080003, 1080902])
  const done = await owner.submit(form, { method: 'code', code: nodeOf(form, 'code')?.value })
  assert.deepEqual(messageIds(done), [1080002, 1080901])
  assert.equal(await whoami(app), 401)
  assert.equal((await identity.app().signIn(ADA)).status, 400)
})

test("SEC-24 an app's link asks in an unknown browser", async () => {
  const identity = await createTestIdentity(BY_LINK)
  const app = identity.app()
  app.token = (await app.register(ADA)).body.session_token
  const owner = identity.browser()
  const form = await follow(owner, (await owner.navigate(await linkTo(identity, ADA))).location)
  assert.deepEqual(messageIds(form), [1080902])
  assert.equal(await whoami(app), 200)
})

test('SEC-24 a recovery in an app ends what was set up', async () => {
  const identity = await createTestIdentity()
  await identity.app().register(ADA)
  const app = identity.app()
  const asked = await app.submit(await app.open('recovery'), { method: 'code', email: ADA })
  await app.submit(asked, { method: 'code', code: await identity.code(ADA) })
  assert.equal((await identity.app().signIn(ADA)).status, 400)
})

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

const REQUIRED = {
  flows: {
    login: { after: { hooks: [{ hook: 'verification' }] } },
    registration: { after: { password: { hooks: [{ hook: 'show_verification_ui' }] } } },
  },
}

async function planted() {
  const acme = await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] })
  const mapper = ({ claims }: { claims: { email: string } }) => ({
    identity: { traits: { email: claims.email } },
  })
  const entry = providerEntry('acme', { issuer_url: acme.issuer, mapper })
  const identity = await createTestIdentity(
    {
      selfservice: {
        methods: { ...BY_CODE, oidc: { enabled: true, config: { providers: [entry] } } },
        flows: { registration: { after: { oidc: { hooks: [{ hook: 'session' }] } } } },
      },
    },
    parts(acme),
  )
  const user = { ...GRACE, email: ADA, email_verified: false }
  const signIn = async (browser: Browser) => {
    await signInWith(browser, acme, user)
    return (await browser.whoami()).status
  }
  const planter = identity.browser()
  assert.equal(await signIn(planter), 200)
  return { identity, planter, signIn }
}

async function byCode(identity: TestIdentity, browser: Browser, kind: 'verification' | 'recovery') {
  const asked = await browser.submit(await browser.open(kind), { method: 'code', email: ADA })
  const done = await browser.submit(asked, { method: 'code', code: await identity.code(ADA) })
  // A script is redirected with 422.
  return done.status === 422 ? { ...done, status: 200 } : done
}

async function whoami(app: App): Promise<number> {
  return (await app.send('GET', '/sessions/whoami')).status
}

async function openLink(identity: TestIdentity, browser: Browser): Promise<FlowAnswer> {
  return await follow(browser, (await browser.navigate(await linkTo(identity, ADA))).location)
}

async function follow(browser: Browser, location = ''): Promise<FlowAnswer> {
  const id = new URL(location).searchParams.get('flow')
  return await browser.get(`/self-service/verification/flows?id=${id}`)
}
