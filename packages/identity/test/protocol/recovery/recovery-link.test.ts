import assert from 'node:assert/strict'
import { type Answer, type FlowAnswer, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { test, testOnEach } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { ADA, BY_LINK, EVE, letsIn, linkTo } from '../../kit/recovery-kit.ts'

test('the emailed link signs in any browser', async () => {
  const { identity, link } = await askForLink('recovery')
  const elsewhere = identity.browser()
  const opened = await elsewhere.navigate(link)
  assert.deepEqual([opened.status, letsIn(opened)], [303, true])
  const { body } = await elsewhere.whoami()
  assert.equal(body.authentication_methods[0].method, 'link_recovery')
  const id = new URL(opened.location ?? '').searchParams.get('flow')
  const settings = (await elsewhere.get(`/self-service/settings/flows?id=${id}`)) as FlowAnswer
  assert.deepEqual(messageIds(settings), [1060001])
})

test('SEC-12 used, wrong and foreign links look alike', async () => {
  const { identity, link } = await askForLink('recovery')
  const { link: another } = await askForLink('recovery', identity)
  await identity.browser().navigate(link)
  const token = (url: string) => new URL(url).searchParams.get('token') ?? ''
  const wrong = link.replace(token(link), 'x'.repeat(32))
  const foreign = link.replace(token(link), token(another))
  const answers = []
  for (const url of [link, wrong, foreign]) {
    const browser = identity.browser()
    const refused = await browser.navigate(url)
    const id = new URL(refused.location ?? '').searchParams.get('flow')
    const next = await browser.get(`/self-service/recovery/flows?id=${id}`)
    answers.push([refused.status, letsIn(refused), refused.headers.getSetCookie().length, messageIds(next)])
  }
  assert.deepEqual(answers, Array(3).fill([303, false, 1, [4060004]]))
})

testOnEach('SEC-04 one of eight parallel requests signs in', async () => {
  const { identity, link } = await askForLink('recovery')
  const answers = await Promise.all(Array.from({ length: 8 }, () => identity.browser().navigate(link)))
  assert.equal(answers.filter(letsIn).length, 1)
})

test('SEC-05 a link expires with its form', async () => {
  const { identity, link } = await askForLink('recovery')
  const [mail] = await identity.mails(ADA)
  assert.match(mail?.body ?? '', /in 15 minutes/)
  identity.advance(15 * 60_000)
  const late = identity.browser()
  const refused = await late.navigate(link)
  assert.deepEqual([refused.status, letsIn(refused)], [303, false])
  const id = new URL(refused.location ?? '').searchParams.get('flow')
  assert.deepEqual(messageIds(await late.get(`/self-service/recovery/flows?id=${id}`)), [4060005])
})

test('SEC-02 another address revokes the link', async () => {
  for (const second of [EVE, 'nobody@example.com']) {
    const { identity, browser, form, link } = await askForLink('recovery')
    await identity.user(EVE)
    await browser.submit(form, { method: 'link', email: second })
    assert.equal(letsIn(await identity.browser().navigate(link)), false)
    if (second !== EVE) continue
    const her = identity.browser()
    await her.navigate(await linkTo(identity, EVE))
    assert.equal((await her.whoami()).body.identity.traits.email, EVE)
  }
})

test('one of two links signs in', async () => {
  const { identity, browser, form, link } = await askForLink('recovery')
  await browser.submit(form, { method: 'link', email: ADA })
  const second = await linkTo(identity, ADA)
  assert.equal(letsIn(await identity.browser().navigate(link)), true)
  assert.equal(letsIn(await identity.browser().navigate(second)), false)
})

test('a signed-in user cannot request a link, even with an old token', async () => {
  const { browser, form } = await askForLink('recovery')
  await browser.signIn(ADA)
  const refused: Answer = await browser.submit(form, { method: 'link', email: EVE })
  assert.deepEqual([refused.status, refused.body.error.id], [400, 'session_already_available'])
  const page = await browser.post(form.body.ui.action, { method: 'link', email: EVE })
  assert.deepEqual([page.status, page.location], [302, 'http://app.test/'])
})

test('a posted token signs in too', async () => {
  const { identity, form, link } = await askForLink('recovery')
  const token = new URL(link).searchParams.get('token')
  const done = await identity.browser().send('POST', form.body.ui.action, { token }, {})
  assert.deepEqual([done.status, letsIn(done)], [303, true])
})

test('SEC-34 a wrong link embedded in another site changes no cookies', async () => {
  const { identity, link } = await askForLink('recovery')
  const browser = identity.browser()
  await browser.open('login')
  const before = new Map(browser.cookies)
  const embedded = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
  await browser.send('GET', link.replace(/token=.*/, 'token=wrong'), undefined, { headers: embedded })
  assert.deepEqual(browser.cookies, before)
})

test('a link verifies the address', async () => {
  const { identity, form, link } = await askForLink('verification')
  const elsewhere = identity.browser()
  const opened = await elsewhere.navigate(link)
  assert.equal(opened.location, `http://app.test/verify?flow=${form.body.id}`)
  const shown = (await elsewhere.get(`/self-service/verification/flows?id=${form.body.id}`)) as FlowAnswer
  assert.deepEqual([shown.body.state, messageIds(shown)], ['passed_challenge', [1080002]])
  const app = identity.app()
  await app.signIn(ADA)
  const { body } = await app.send('GET', '/sessions/whoami')
  assert.equal(body.identity.verifiable_addresses[0].verified, true)
})

test("an app's link shows a screen in a browser", async () => {
  const identity = await createTestIdentity(BY_LINK)
  await identity.user(ADA)
  const app = identity.app()
  const form = await app.submit(await app.open('verification'), { method: 'link', email: ADA })
  const opened = await identity.browser().navigate(await linkTo(identity, ADA))
  assert.deepEqual([opened.status, opened.location], [303, `http://app.test/verify?flow=${form.body.id}`])
})

test('SEC-12 a verification link signs no one in', async () => {
  const { identity, link } = await askForLink('verification')
  const { form } = await askForLink('recovery', identity)
  const token = new URL(link).searchParams.get('token')
  const refused = await identity.browser().navigate(`${form.body.ui.action}&token=${token}`)
  assert.equal(letsIn(refused), false)
})

test('a used or wrong verification link leads to a new form', async () => {
  const { identity, link } = await askForLink('verification')
  await identity.browser().navigate(link)
  for (const url of [link, link.replace(/token=.*/, 'token=wrong')]) {
    const browser = identity.browser()
    const refused = await browser.navigate(url)
    const id = new URL(refused.location ?? '').searchParams.get('flow')
    assert.deepEqual(messageIds(await browser.get(`/self-service/verification/flows?id=${id}`)), [4070001])
  }
})

test('the field keeps the address', async () => {
  for (const kind of ['recovery', 'verification'] as const) {
    const { form } = await askForLink(kind)
    assert.equal(nodeOf(form, 'email')?.value, ADA)
  }
})

async function askForLink(kind: 'recovery' | 'verification', given?: TestIdentity) {
  const identity = given ?? (await createTestIdentity(BY_LINK))
  if (!given) await identity.user(ADA)
  const browser = identity.browser()
  const form = await browser.submit(await browser.open(kind), { method: 'link', email: ADA })
  return { identity, browser, form, link: await linkTo(identity, ADA) }
}

for (const kind of ['recovery', 'verification'] as const) {
  test(`a ${kind} link that lost its token leads back to its form`, async () => {
    const { identity, browser, link } = await askForLink(kind)
    const { status, location } = await browser.navigate(link.replace(/token=[^&]*/, 'token='))
    const flow = new URL(link).searchParams.get('flow')
    assert.deepEqual([status, new URL(location ?? '').searchParams.get('flow')], [303, flow])
    assert.equal((await identity.browser().navigate(link)).status, 303)
  })
}
