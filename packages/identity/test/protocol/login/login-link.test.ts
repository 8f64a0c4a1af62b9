import assert from 'node:assert/strict'
import { type Answer, type FlowAnswer, messageIds } from '../../../src/testing/answers.ts'
import type { Browser } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

const ADA = 'ada@example.com'
const EVE = 'eve@example.com'

test('the email of a code has a link to the form only with the key, and only for browsers', async () => {
  for (const login_link_enabled of [false, true]) {
    const identity = await startIdentity({ login_link_enabled })
    const form = await ask(identity.browser(), ADA)
    const url = `http://app.test/login?flow=${form.body.id}#code=${await identity.code(ADA)}`
    assert.equal(await linkIn(identity, ADA), login_link_enabled ? url : undefined)
    const app = identity.app()
    await app.submit(await app.open('login'), { method: 'code', identifier: ADA })
    assert.equal(await linkIn(identity, ADA), undefined)
  }
})

test('a code leaves an address that was verified before as it is', async () => {
  const identity = await startIdentity()
  const browser = identity.browser()
  const before = async () =>
    (await identity.admin('GET', '/admin/identities')).body[0].verifiable_addresses[0]
  const verified = await before()
  identity.advance(60_000)
  const form = await ask(browser, ADA)
  const values = { method: 'code', identifier: ADA, code: await identity.code(ADA) }
  assert.equal((await browser.submit(form, values)).status, 200)
  assert.deepEqual(await before(), verified)
})

test('SEC-88 a link signs in the browser that asked for it, once', async () => {
  const identity = await startIdentity()
  const browser = identity.browser()
  await ask(browser, ADA)
  const { form, code } = await openLink(identity, ADA, browser)
  // With the cookies from before, because a sign-in replaces them.
  const second = browser.twin()
  const done: Answer = await browser.submit(form, { method: 'code', identifier: ADA, code })
  assert.deepEqual([done.status, done.body.session.identity.traits.email], [200, ADA])
  // An equal submission would get the first answer again (SEC-113).
  const values = { method: 'code', identifier: ADA, code, transient_payload: { again: true } }
  const again = await second.submit(form, values)
  assert.deepEqual([again.status, (await second.whoami()).status], [400, 401])
  assert.equal((await openLink(identity, ADA, browser)).form.status, 403)
})

test('SEC-88 opening the link elsewhere shows no form, signs no user in and consumes nothing', async () => {
  const identity = await startIdentity()
  const browser = identity.browser()
  const asked = await ask(browser, ADA)
  for (let n = 0; n < 10; n++) {
    const other = identity.browser()
    await other.open('login')
    const { form, code } = await openLink(identity, ADA, other)
    assert.equal(form.status, 403)
    const submitted = await other.submit(asked, { method: 'code', identifier: ADA, code })
    assert.equal(submitted.status, 403)
    assert.equal((await other.whoami()).status, 401)
  }
  const { form, code } = await openLink(identity, ADA, browser)
  const done = await browser.submit(form, { method: 'code', identifier: ADA, code })
  assert.equal(done.status, 200)
})

test("SEC-88 an attacker's own link opens no form in another browser, also with a session", async () => {
  const identity = await startIdentity()
  await identity.user(EVE)
  await ask(identity.browser(), EVE)
  const victim = identity.browser()
  await victim.signIn(ADA)
  const { form } = await openLink(identity, EVE, victim)
  assert.equal(form.status, 403)
  assert.equal((await victim.whoami()).body.identity.traits.email, ADA)
})

test('SEC-88 an expired link signs no user in', async () => {
  const identity = await startIdentity({}, { lifespan: '1h' })
  const browser = identity.browser()
  await ask(browser, ADA)
  identity.advance(10 * 60_000)
  const { form, code } = await openLink(identity, ADA, browser)
  const refused: Answer = await browser.submit(form, { method: 'code', identifier: ADA, code })
  assert.deepEqual([refused.status, refused.body.error.id], [410, 'self_service_flow_expired'])
  const next = await browser.get(`/self-service/login/flows?id=${refused.body.use_flow_id}`)
  assert.deepEqual(messageIds(next), [4010001])
  assert.equal((await browser.whoami()).status, 401)
})

async function startIdentity(config: object = {}, login: object = {}): Promise<TestIdentity> {
  const code = { passwordless_enabled: true, config: { login_link_enabled: true, ...config } }
  const identity = await createTestIdentity({ selfservice: { methods: { code }, flows: { login } } })
  await identity.user(ADA)
  return identity
}

async function ask(browser: Browser, identifier: string): Promise<FlowAnswer> {
  return await browser.submit(await browser.open('login'), { method: 'code', identifier })
}

async function linkIn(identity: TestIdentity, email: string): Promise<string | undefined> {
  const [newest] = await identity.mails(email)
  return /http\S+/.exec(newest!.body)?.[0]
}

/** As the page does: the flow comes from the query, the code from the fragment. */
async function openLink(identity: TestIdentity, email: string, browser: Browser) {
  const { searchParams, hash } = new URL((await linkIn(identity, email)) ?? '')
  const form = await browser.get(`/self-service/login/flows?id=${searchParams.get('flow')}`)
  return { form, code: new URLSearchParams(hash.slice(1)).get('code') }
}
