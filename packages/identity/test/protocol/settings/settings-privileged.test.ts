import assert from 'node:assert/strict'
import { type Answer, type FlowAnswer, tokenOf } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

const ADA = 'ada@example.com'
const NEW_PASSWORD = 'battery staple 7 horse'
const QUARTER = 15 * 60_000

test('a script reauthenticates, then repeats its change', async () => {
  const { identity, browser, flow } = await signedInLongAgo()
  const refused: Answer = await browser.submit(flow, change())
  assert.deepEqual([refused.status, refused.body.error.id], [403, 'session_refresh_required'])
  const action = encodeURIComponent(flow.body.ui.action)
  const url = `http://identity.test/self-service/login/browser?refresh=true&return_to=${action}`
  assert.equal(refused.body.redirect_browser_to, url)
  await confirm(browser)
  assert.equal((await browser.submit(flow, change())).status, 200)
  assert.equal((await identity.app().signIn(ADA, NEW_PASSWORD)).status, 200)
})

test('reauthentication leads back to the parameters of the submission', async () => {
  const { browser, flow } = await signedInLongAgo()
  const sent = { csrf_token: tokenOf(flow), ...change() }
  const action = `/self-service/settings?flow=${flow.body.id}&x=a%20b$$&lang=de`
  const refused = await browser.send('POST', action, sent, {})
  const back = new URL(refused.body.redirect_browser_to).searchParams.get('return_to')
  const sorted = `/self-service/settings?flow=${flow.body.id}&lang=de&x=a+b%24%24`
  assert.equal(back, `http://identity.test${sorted}`)
})

test("applies a page's change after reauthentication", async () => {
  const { identity, browser, flow } = await signedInLongAgo()
  const refused = await post(browser, flow, NEW_PASSWORD)
  assert.equal(refused.status, 303)
  assert.match(refused.location ?? '', /\/self-service\/login\/browser\?refresh=true&return_to=/)
  await confirm(browser)
  const done = await browser.navigate(flow.body.ui.action)
  assert.deepEqual([done.status, done.location], [303, `http://app.test/settings?flow=${flow.body.id}`])
  assert.equal((await identity.app().signIn(ADA, NEW_PASSWORD)).status, 200)
  const again = await browser.navigate(flow.body.ui.action)
  assert.equal(again.status, 303)
  const shown = await browser.get(`/self-service/settings/flows?id=${flow.body.id}`)
  assert.equal(shown.body.ui.messages.at(-1).id, 4000001)
})

test('reopening the settings abandons a change', async () => {
  const { identity, browser, flow } = await signedInLongAgo()
  await post(browser, flow, NEW_PASSWORD)
  await browser.open('settings')
  await confirm(browser)
  await browser.navigate(flow.body.ui.action)
  assert.equal((await identity.app().signIn(ADA)).status, 200)
})

test('applies nothing before reauthentication', async () => {
  const { identity, browser, flow } = await signedInLongAgo()
  await post(browser, flow, NEW_PASSWORD)
  const early = await browser.navigate(flow.body.ui.action)
  assert.match(early.location ?? '', /refresh=true/)
  assert.equal((await identity.app().signIn(ADA)).status, 200)
  await confirm(browser)
  await browser.navigate(flow.body.ui.action)
  assert.equal((await identity.app().signIn(ADA, NEW_PASSWORD)).status, 200)
})

test('a later submission replaces the stored values', async () => {
  const { identity, browser, flow } = await signedInLongAgo()
  await post(browser, flow, NEW_PASSWORD)
  await confirm(browser)
  await browser.submit(flow, { method: 'profile', traits: { email: ADA, name: 'Ada' } })
  assert.equal((await browser.whoami()).body.identity.traits.name, 'Ada')
  await browser.navigate(flow.body.ui.action)
  assert.equal((await identity.app().signIn(ADA)).status, 200)
})

test('a refused form drops the stored values', async () => {
  const { identity, browser, flow } = await signedInLongAgo()
  await post(browser, flow, NEW_PASSWORD)
  await confirm(browser)
  await browser.submit(flow, { method: 'password', password: 'a' })
  await browser.navigate(flow.body.ui.action)
  assert.equal((await identity.app().signIn(ADA)).status, 200)
})

test('a form from another site drops nothing', async () => {
  const { identity, browser, flow } = await signedInLongAgo()
  await post(browser, flow, NEW_PASSWORD)
  await confirm(browser)
  await browser.send('POST', flow.body.ui.action, { method: 'profile', traits: { email: ADA } }, {})
  await browser.navigate(flow.body.ui.action)
  assert.equal((await identity.app().signIn(ADA, NEW_PASSWORD)).status, 200)
})

test('another session does not apply the change', async () => {
  const { identity, browser, flow } = await signedInLongAgo()
  await post(browser, flow, NEW_PASSWORD)
  const other = identity.browser()
  await other.signIn(ADA)
  await other.navigate(flow.body.ui.action)
  assert.equal((await identity.app().signIn(ADA)).status, 200)
})

test("SEC-85 the owner does not confirm a thief's change", async () => {
  for (const stolen of [/session/, /./]) {
    const { identity, browser: owner } = await signedInLongAgo()
    const thief = owner.twin()
    for (const name of thief.cookies.keys()) if (!stolen.test(name)) thief.cookies.delete(name)
    const flow = await thief.open('settings')
    await post(thief, flow, NEW_PASSWORD)
    assert.match((await owner.navigate(flow.body.ui.action)).location ?? '', /\/(error|settings)\?/)
    await confirm(owner)
    await owner.navigate(flow.body.ui.action)
    assert.equal((await identity.app().signIn(ADA)).status, 200, `stolen: ${stolen}`)
  }
})

test("SEC-85 the thief's continuity cookie applies nothing", async () => {
  const { identity, browser: owner } = await signedInLongAgo()
  const thief = owner.twin()
  for (const name of thief.cookies.keys()) if (!name.includes('session')) thief.cookies.delete(name)
  const flow = await thief.open('settings')
  await post(thief, flow, NEW_PASSWORD)
  owner.cookies.set('ory_kratos_continuity', thief.cookies.get('ory_kratos_continuity') ?? '')
  await confirm(owner)
  await owner.navigate(flow.body.ui.action)
  assert.equal((await identity.app().signIn(ADA)).status, 200)
})

test('a stored change expires after fifteen minutes', async () => {
  const { identity, browser, flow } = await signedInLongAgo()
  await post(browser, flow, NEW_PASSWORD)
  identity.advance(QUARTER)
  await confirm(browser)
  await browser.navigate(flow.body.ui.action)
  assert.equal((await identity.app().signIn(ADA)).status, 200)
})

test('reports invalid values first', async () => {
  const { browser, flow } = await signedInLongAgo()
  assert.equal((await browser.submit(flow, { method: 'password' })).status, 400)
  assert.equal((await browser.submit(flow, { method: 'profile', traits: { email: 'nope' } })).status, 400)
  const name = { method: 'profile', traits: { email: ADA, name: 'Ada' } }
  assert.equal((await browser.submit(flow, name)).status, 200)
  const address = { method: 'profile', traits: { email: 'new@example.com' } }
  assert.equal((await browser.submit(flow, address)).status, 403)
})

test('an app reauthenticates, then repeats its change', async () => {
  const { identity } = await signedInLongAgo()
  const app = identity.app()
  await app.signIn(ADA)
  identity.advance(QUARTER)
  const flow = await app.open('settings')
  const name = { method: 'profile', traits: { email: ADA, name: 'Ada' } }
  for (const body of [change(), name]) {
    const refused: Answer = await app.submit(flow, body)
    assert.deepEqual([refused.status, refused.body.error.id], [403, 'session_refresh_required'])
  }
  const login = await app.open('login', '?refresh=true')
  const done: Answer = await app.submit(login, { method: 'password', identifier: ADA, password: PASSWORD })
  app.token = done.body.session_token
  assert.equal((await app.submit(flow, change())).status, 200)
})

function change(): object {
  return { method: 'password', password: NEW_PASSWORD }
}

async function signedInLongAgo(): Promise<{ identity: TestIdentity; browser: Browser; flow: FlowAnswer }> {
  const identity = await createTestIdentity()
  const browser = await identity.signedIn(ADA)
  identity.advance(QUARTER)
  return { identity, browser, flow: await browser.open('settings') }
}

function post(browser: Browser, flow: FlowAnswer, password: string) {
  return browser.post(flow.body.ui.action, {
    csrf_token: String(tokenOf(flow)),
    method: 'password',
    password,
  })
}

async function confirm(browser: Browser): Promise<void> {
  const flow = await browser.open('login', '?refresh=true')
  const done = await browser.submit(flow, { method: 'password', identifier: ADA, password: PASSWORD })
  assert.equal(done.status, 200)
}
