import assert from 'node:assert/strict'
import { type FlowAnswer, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import {
  callbackOf,
  errorOf,
  formOf,
  GRACE,
  leave,
  parts,
  providerEntry,
  signInWith,
  withAcme,
  withProviders,
} from '../../servers/oidc-kit.ts'
import { startOpenIdProvider } from '../../servers/openid-provider.ts'

test('SEC-27 rejects a repeated callback', async () => {
  const { identity, acme } = await withAcme()
  const browser = identity.browser()
  acme.user = GRACE
  const callback = await acme.visit(await leave(browser, await browser.open('login'), 'acme'))
  assert.equal((await browser.navigate(callback)).location, 'http://app.test/')
  for (const name of [...browser.cookies.keys()]) if (name.endsWith('session')) browser.cookies.delete(name)
  const again = await browser.navigate(callback)
  assert.equal((await errorOf(browser, again)).code, 400)
  assert.equal((await browser.whoami()).status, 401)
})

test('SEC-28 a callback belongs to its browser and authorization', async () => {
  const { identity, acme } = await withAcme()
  const [victim, attacker] = [identity.browser(), identity.browser()]
  acme.user = GRACE
  const callback = await acme.visit(await leave(attacker, await attacker.open('login'), 'acme'))
  assert.equal((await errorOf(victim, await victim.navigate(callback))).code, 400)
  await leave(victim, await victim.open('login'), 'acme')
  assert.equal((await errorOf(victim, await victim.navigate(callback))).code, 400)
  assert.equal((await victim.whoami()).status, 401)
})

test('SEC-28 each of four tabs completes its own authorization', async () => {
  const { identity, acme } = await withAcme({ cookies: { waiting_tabs: 4 } })
  const browser = identity.browser()
  acme.user = GRACE
  const callbacks: string[] = []
  for (let tab = 0; tab < 5; tab += 1)
    callbacks.push(await acme.visit(await leave(browser, await browser.open('login'), 'acme')))
  const [oldest = '', ...others] = callbacks
  assert.equal((await errorOf(browser, await browser.navigate(oldest))).code, 400)
  for (const callback of others) {
    const tab = browser.twin()
    assert.equal((await tab.navigate(callback)).location, 'http://app.test/')
    assert.equal((await tab.whoami()).status, 200)
  }
})

test('SEC-28 rejects a callback for another provider or issuer', async () => {
  const { identity, acme, other } = await withTwo()
  for (const [left, came] of [
    ['acme', 'other'],
    ['other', 'acme'],
  ] as const) {
    const browser = identity.browser()
    const provider = left === 'acme' ? acme : other
    provider.user = GRACE
    const callback = await provider.visit(await leave(browser, await browser.open('login'), left))
    const mixed = callback.replace(`/callback/${left}?`, `/callback/${came}?`)
    assert.equal((await errorOf(browser, await browser.navigate(mixed))).code, 400)
    const forged = new URL(callback)
    forged.searchParams.set('iss', left === 'acme' ? other.issuer : acme.issuer)
    assert.deepEqual(messageIds(await formOf(browser, await browser.navigate(forged.href))), [4000001])
    assert.equal((await browser.whoami()).status, 401)
  }
})

test('SEC-28 each provider has its callback address', async () => {
  const { identity } = await withTwo()
  const browser = identity.browser()
  const flow = await browser.open('login')
  const addresses = await Promise.all(
    ['acme', 'other'].map(async (id) =>
      new URL(await leave(browser, flow, id)).searchParams.get('redirect_uri'),
    ),
  )
  assert.deepEqual(addresses, [callbackOf('acme'), callbackOf('other')])
})

test('SEC-28 rejects a callback after ten minutes', async () => {
  const { identity, acme } = await withAcme({
    flows: { login: { ui_url: 'http://app.test/login', lifespan: '1h' } },
  })
  const browser = identity.browser()
  acme.user = GRACE
  const callback = await acme.visit(await leave(browser, await browser.open('login'), 'acme'))
  identity.advance(10 * 60_000)
  assert.deepEqual(messageIds(await formOf(browser, await browser.navigate(callback))), [4000001])
  assert.equal((await browser.whoami()).status, 401)
})

test("SEC-29 PKCE rejects an attacker's code in a victim's callback", async () => {
  const { identity, acme } = await withAcme()
  const [victim, attacker] = [identity.browser(), identity.browser()]
  acme.user = { sub: 'mallory', email: 'mallory@example.com', email_verified: true }
  const stolen = new URL(await acme.visit(await leave(attacker, await attacker.open('login'), 'acme')))
  acme.user = GRACE
  const own = new URL(await acme.visit(await leave(victim, await victim.open('login'), 'acme')))
  own.searchParams.set('code', stolen.searchParams.get('code') ?? '')
  assert.equal((await errorOf(victim, await victim.navigate(own.href))).id, 'upstream_error')
  assert.equal((await victim.whoami()).status, 401)
})

test('SEC-30 passes only hd, login_hint and prompt on', async () => {
  const { identity } = await withAcme()
  const browser = identity.browser()
  const names = 'redirect_uri client_id scope state nonce code_challenge code_challenge_method response_type'
  const more = 'response_mode acr_values auth_type display max_age ui_locales id_token_hint claims'
  const rest = 'request request_uri registration resource audience'
  const wanted = `${names} ${more} ${rest}`.split(' ')
  const upstream_parameters = Object.fromEntries(wanted.map((name) => [name, 'https://evil.test/']))
  const passed = { hd: 'example.com', login_hint: 'ada@example.com', prompt: 'select_account' }
  const there = await leave(browser, await browser.open('login'), 'acme', {
    upstream_parameters: { ...upstream_parameters, ...passed },
  })
  assert.ok(!there.includes('evil.test'), there)
  const { searchParams } = new URL(there)
  for (const [name, value] of Object.entries(passed)) assert.equal(searchParams.get(name), value)
})

test('upstream parameters that are no JSON add no field to the form', async () => {
  const { identity } = await withAcme()
  const browser = identity.browser()
  const values = { method: 'oidc', provider: 'acme', upstream_parameters: 'text' }
  const refused = await browser.submit(await browser.open('login'), values)
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000001]])
  assert.equal(nodeOf(refused, 'upstream_parameters'), undefined)
})

test("SEC-34 a provider sign-in needs POST, the form's token and its browser", async () => {
  const { identity } = await withAcme()
  const browser = identity.browser()
  const flow = await browser.open('login')
  const body = { method: 'oidc', provider: 'acme' }
  const without = await browser.send('POST', flow.body.ui.action, body, {})
  assert.deepEqual([without.status, without.body.error.id], [403, 'security_csrf_violation'])
  const stranger = identity.browser()
  await stranger.open('login')
  assert.equal((await stranger.submit(flow, body)).status, 403)
  const path = `/self-service/login?flow=${flow.body.id}&method=oidc&provider=acme`
  const got = await browser.get(path)
  assert.equal(got.status, 400)
})

test("SEC-34 Ory's client connects a provider without a token", async () => {
  const { identity } = await withAcme()
  const browser = await identity.signedIn('ada@example.com')
  const flow = await browser.open('settings')
  const send = (values: object, headers: Record<string, string>, by = browser) =>
    by.send('POST', flow.body.ui.action, { method: 'oidc', link: 'acme', ...values }, { headers })
  const own = { origin: 'http://app.test' }
  for (const headers of [
    {},
    { origin: 'http://evil.test' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
  ] as Record<string, string>[]) {
    assert.equal((await send({}, headers)).status, 403, JSON.stringify(headers))
  }
  assert.equal((await send({ csrf_token: 'wrong' }, own)).status, 403)
  assert.equal((await send({ method: 'password', password: PASSWORD }, own)).status, 403)
  const form = { method: 'oidc', link: 'acme' }
  assert.notEqual((await browser.post(flow.body.ui.action, form, own)).location?.includes('authorize'), true)
  const twin = browser.twin()
  for (const name of [...twin.cookies.keys()]) if (name.startsWith('csrf')) twin.cookies.delete(name)
  assert.equal((await send({}, own, twin)).status, 403)
  assert.equal((await send({}, own)).status, 422)
})

test('SEC-24 an account with a pending address is not linked', async () => {
  const { identity, acme } = await withAcme()
  const attacker = identity.browser()
  await attacker.register(String(GRACE.email))
  const victim = identity.browser()
  const form = await formOf(victim, await signInWith(victim, acme, GRACE))
  assert.deepEqual(messageIds(form), [1010016])
  assert.equal((await victim.whoami()).status, 401)
  const [account] = (await identity.admin('GET', '/admin/identities?include_credential=oidc')).body
  assert.equal(account.credentials.oidc, undefined)
})

test("SEC-24 the first proof removes an attacker's credentials", async () => {
  const { identity, acme } = await withAcme()
  const email = String(GRACE.email)
  const attacker = identity.browser()
  await attacker.register(email)
  acme.user = { sub: 'mallory', email: 'mallory@example.com', email_verified: true }
  const sent = await attacker.submit(await attacker.open('settings'), { method: 'oidc', link: 'acme' })
  const there = (sent.body as unknown as { redirect_browser_to: string }).redirect_browser_to
  await attacker.navigate(await acme.visit(there))
  assert.equal((await attacker.whoami()).body.authentication_methods.length, 2)
  const victim = identity.browser()
  const recovery = await victim.open('recovery')
  const asked = await victim.submit(recovery, { method: 'code', email })
  await victim.submit(asked, { method: 'code', code: await identity.code(email) })
  assert.equal((await victim.whoami()).body.identity.traits.email, email)
  assert.equal((await attacker.whoami()).status, 401)
  assert.equal((await identity.browser().signIn(email)).status, 400)
  const back = identity.browser()
  await signInWith(back, acme, acme.user)
  assert.equal((await back.whoami()).body.identity?.traits.email, 'mallory@example.com')
})

test('SEC-24 an unverified provider address proves nothing', async () => {
  const { identity, acme } = await withAcme()
  const browser = identity.browser()
  await signInWith(browser, acme, { ...GRACE, email_verified: false })
  const [address] = (await browser.whoami()).body.identity.verifiable_addresses
  assert.equal(address.verified, false)
})

test('SEC-24 a verified spelling proves no other mailbox', async () => {
  const { identity, acme } = await withAcme()
  const browser = identity.browser()
  await signInWith(browser, acme, { sub: 'kate', email: '\u212Aate@example.com', email_verified: true })
  assert.equal((await browser.whoami()).status, 401)
  assert.deepEqual((await identity.admin('GET', '/admin/identities')).body, [])
})

test('SEC-25 a pending connection belongs to account, browser and provider account', async () => {
  const { identity, acme } = await withAcme()
  await identity.user(String(GRACE.email))
  await identity.user('mallory@example.com')
  const browser = identity.browser()
  const form = await formOf(browser, await signInWith(browser, acme, GRACE))
  const other = identity.browser()
  await other.open('login')
  assert.equal((await signIn(other, form, String(GRACE.email))).status, 403)
  const wrong = await signIn(browser, form, 'mallory@example.com')
  assert.deepEqual([wrong.status, messageIds(wrong)], [400, [4010009]])
  assert.equal((await browser.whoami()).status, 401)
  assert.equal((await signIn(browser, form, String(GRACE.email))).status, 200)
  const accounts = (await identity.admin('GET', '/admin/identities?include_credential=oidc')).body
  const linked = accounts.filter((one: { credentials: object }) => 'oidc' in one.credentials)
  assert.deepEqual(
    linked.map((one: { traits: object }) => one.traits),
    [{ email: GRACE.email }],
  )
})

test('SEC-25 a second provider account cannot replace the pending one', async () => {
  const { identity, acme, other } = await withTwo()
  await identity.user(String(GRACE.email))
  const browser = identity.browser()
  const form = await formOf(browser, await signInWith(browser, acme, GRACE))
  other.user = { sub: 'mallory', email: 'mallory@example.com', email_verified: true }
  const back = await browser.navigate(await other.visit(await leave(browser, form, 'other')))
  assert.deepEqual(messageIds(await formOf(browser, back)), [4010009])
  assert.equal((await identity.admin('GET', '/admin/identities')).body.length, 1)
})

test("SEC-25 another user's provider account changes nothing", async () => {
  const { identity, acme } = await withAcme()
  await signInWith(identity.browser(), acme, { ...GRACE, sub: 'other', email: 'other@example.com' })
  const browser = identity.browser()
  await signInWith(browser, acme, GRACE)
  const before = (await browser.whoami()).body
  for (const sub of ['other', 'nobody-yet']) {
    const user = { sub, email: `${sub}@example.com`, email_verified: true }
    const back = await signInWith(browser, acme, user, { query: '?refresh=true' })
    assert.deepEqual(messageIds(await formOf(browser, back)), [4000006])
    assert.deepEqual((await browser.whoami()).body, before)
  }
})

async function signIn(browser: Browser, form: FlowAnswer, identifier: string) {
  return await browser.submit(form, { method: 'password', identifier, password: PASSWORD })
}

async function withTwo() {
  const acme = await startOpenIdProvider({ redirect_uris: [callbackOf('acme')] })
  const other = await startOpenIdProvider({ redirect_uris: [callbackOf('other')] })
  const providers = [
    providerEntry('acme', { issuer_url: acme.issuer }),
    providerEntry('other', { issuer_url: other.issuer }),
  ]
  return { identity: await createTestIdentity(withProviders(providers), parts({ fetch })), acme, other }
}
