import assert from 'node:assert/strict'
import type { Answer } from '../../../src/testing/answers.ts'
import { fieldMessageIds, messageIds, nodeOf, secretIn, tokenOf } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { ADA, addTotp, atSecondFactor, codeOf, STEP_MS, withAda } from '../../kit/factors.ts'

test('setting up an app raises its session to aal2', async () => {
  const { identity, browser } = await withAda()
  const flow = await browser.open('settings')
  const wrong = await browser.submit(flow, { method: 'totp', totp_code: '12345' })
  assert.deepEqual([wrong.status, fieldMessageIds(wrong, 'totp_code')], [400, [4000008]])
  const empty = await browser.submit(flow, { method: 'totp' })
  assert.deepEqual(fieldMessageIds(empty, 'totp_code'), [4000002])
  assert.equal(secretIn(empty), secretIn(flow))
  const code = codeOf(identity, secretIn(flow))
  const saved = await browser.submit(flow, { method: 'totp', totp_code: code })
  assert.deepEqual([saved.status, messageIds(saved)], [200, [1050001]])
  assert.equal(nodeOf(saved, 'totp_unlink')?.value, 'true')
  const { body } = await browser.whoami()
  assert.equal(body.authenticator_assurance_level, 'aal2')
  assert.deepEqual(
    body.authentication_methods.map(({ method, aal }: { method: string; aal: string }) => [method, aal]),
    [
      ['password', 'aal1'],
      ['totp', 'aal2'],
    ],
  )
})

test("the QR code's secret survives a wrong code", async () => {
  const { browser } = await withAda()
  const flow = await browser.open('settings')
  const pictureOf = (answer: { body: { ui: { nodes: { attributes: object }[] } } }) =>
    answer.body.ui.nodes.flatMap(({ attributes }) => ('src' in attributes ? [attributes.src] : []))[0]
  assert.match(String(pictureOf(flow)), /^data:image\/png;base64,/)
  const wrong = await browser.submit(flow, { method: 'totp', totp_code: '000000' })
  assert.equal(pictureOf(wrong), pictureOf(flow))
  assert.notEqual(pictureOf(await browser.open('settings')), pictureOf(flow))
})

test('signing in raises the same session', async () => {
  const { identity, browser } = await withAda()
  const secret = await addTotp(identity, browser)
  const other = identity.browser()
  const password = await other.signIn(ADA)
  assert.equal(password.status, 422)
  assert.match(password.body.redirect_browser_to, /login\/browser\?aal=aal2$/)
  const flow = await other.open('login', '?aal=aal2')
  assert.deepEqual(messageIds(flow), [1010004])
  assert.deepEqual(flow.body.ui.messages?.[0]?.context, { identifier: ADA })
  const short = await other.submit(flow, { method: 'totp', totp_code: '12' })
  assert.deepEqual(fieldMessageIds(short, 'totp_code'), [4000003])
  const wrong = await other.submit(flow, { method: 'totp', totp_code: codeOf(identity, secret, 40) })
  assert.deepEqual([wrong.status, messageIds(wrong)], [400, [4000008]])
  const done: Answer = await other.submit(flow, { method: 'totp', totp_code: codeOf(identity, secret) })
  assert.deepEqual([done.status, done.body.session?.authenticator_assurance_level], [200, 'aal2'])
  assert.equal((await other.whoami()).status, 200)
})

test('an app raises its session, and a page returns', async () => {
  const { identity, browser } = await withAda()
  const secret = await addTotp(identity, browser)
  const app = identity.app()
  const first = await app.signIn(ADA)
  assert.equal(first.body.session.identity, null)
  const native = await app.open('login', '?aal=aal2')
  const done = await app.submit(native, { method: 'totp', totp_code: codeOf(identity, secret) })
  assert.equal(done.status, 200)
  identity.advance(STEP_MS)
  const page = identity.browser()
  await page.signIn(ADA)
  const flow = await page.open('login', '?aal=aal2&return_to=http%3A%2F%2Fapp.test%2Finbox')
  const gone = await page.post(flow.body.ui.action, {
    csrf_token: String(tokenOf(flow)),
    method: 'totp',
    totp_code: codeOf(identity, secret),
  })
  assert.deepEqual([gone.status, gone.location], [303, 'http://app.test/inbox'])
})

test('SEC-58 a code signs in once', async () => {
  const { identity, browser } = await withAda()
  const secret = await addTotp(identity, browser)
  const code = codeOf(identity, secret)
  const one = await atSecondFactor(identity)
  const two = await atSecondFactor(identity)
  assert.equal((await one.browser.submit(one.flow, { method: 'totp', totp_code: code })).status, 200)
  const again = await two.browser.submit(two.flow, { method: 'totp', totp_code: code })
  assert.deepEqual([again.status, messageIds(again)], [400, [4000008]])
  assert.match(again.body.ui.messages?.[0]?.text ?? '', /already used/)
  assert.equal((await two.browser.whoami()).status, 403)
})

test('SEC-58 a used code invalidates earlier ones, but not the next', async () => {
  const { identity, browser } = await withAda()
  const secret = await addTotp(identity, browser)
  identity.advance(2 * STEP_MS)
  const one = await atSecondFactor(identity)
  const two = await atSecondFactor(identity)
  const earlier = codeOf(identity, secret, -1)
  await one.browser.submit(one.flow, { method: 'totp', totp_code: codeOf(identity, secret) })
  const refused = await two.browser.submit(two.flow, { method: 'totp', totp_code: earlier })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000008]])
  const next = await two.browser.submit(two.flow, { method: 'totp', totp_code: codeOf(identity, secret, 1) })
  assert.equal(next.status, 200)
})

test('SEC-58 rejects a code two time steps away', async () => {
  const { identity, browser } = await withAda()
  const secret = await addTotp(identity, browser)
  identity.advance(5 * STEP_MS)
  const { browser: other, flow } = await atSecondFactor(identity)
  for (const offset of [-2, 2]) {
    const refused = await other.submit(flow, { method: 'totp', totp_code: codeOf(identity, secret, offset) })
    assert.deepEqual([refused.status, messageIds(refused)], [400, [4000008]])
  }
})

test('SEC-58 the setup code signs in once more', async () => {
  const { identity, browser } = await withAda()
  const flow = await browser.open('settings')
  const code = codeOf(identity, secretIn(flow))
  const earlier = codeOf(identity, secretIn(flow), -1)
  await browser.submit(flow, { method: 'totp', totp_code: code })
  const statusOf = async (totp_code: string) => {
    const other = await atSecondFactor(identity)
    return (await other.browser.submit(other.flow, { method: 'totp', totp_code })).status
  }
  assert.equal(await statusOf(earlier), 400)
  assert.equal(await statusOf(code), 200)
  assert.equal(await statusOf(code), 400)
})

test('SEC-03 ten wrong codes delay an unknown device only', async () => {
  const { identity, browser } = await withAda({ limits: { code: { allowance: 'off' } } })
  const secret = await addTotp(identity, browser)
  const wrong = async () => {
    const { browser, flow } = await atSecondFactor(identity)
    return await browser.submit(flow, { method: 'totp', totp_code: codeOf(identity, secret, 40) })
  }
  for (let guess = 0; guess < 10; guess++) assert.deepEqual(messageIds(await wrong()), [4000008])
  const refused = await wrong()
  assert.deepEqual([refused.status, messageIds(refused)], [429, [4290001]])
  browser.cookies.delete('ory_kratos_session')
  await browser.signIn(ADA)
  const own = await browser.open('login', '?aal=aal2')
  const right = await browser.submit(own, { method: 'totp', totp_code: codeOf(identity, secret) })
  assert.equal(right.status, 200)
})

test('SEC-60 an unfinished setup does not lock or weaken the account', async () => {
  const { identity, browser } = await withAda()
  const flow = await browser.open('settings')
  await browser.submit(flow, { method: 'totp', totp_code: '000000' })
  const other = identity.browser()
  assert.equal((await other.signIn(ADA)).status, 200)
  assert.equal((await other.whoami()).status, 200)
  const login = await other.open('login', '?aal=aal2')
  assert.equal(nodeOf(login, 'totp_code'), undefined)
  const refused = await other.submit(login, { method: 'totp', totp_code: codeOf(identity, secretIn(flow)) })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000011]])
})

test("SEC-60 another form's secret sets nothing up", async () => {
  const { identity, browser } = await withAda()
  const abandoned = secretIn(await browser.open('settings'))
  const flow = await browser.open('settings')
  const refused = await browser.submit(flow, { method: 'totp', totp_code: codeOf(identity, abandoned) })
  assert.deepEqual(fieldMessageIds(refused, 'totp_code'), [4000008])
})

test('a form opened elsewhere replaces no app', async () => {
  const { identity, browser } = await withAda()
  const late = await browser.open('settings')
  const secret = await addTotp(identity, browser)
  const code = codeOf(identity, secretIn(late))
  assert.equal((await browser.submit(late, { method: 'totp', totp_code: code })).status, 200)
  const { browser: other, flow } = await atSecondFactor(identity)
  const refused = await other.submit(flow, { method: 'totp', totp_code: codeOf(identity, secretIn(late)) })
  assert.equal(refused.status, 400)
  assert.equal(
    (await other.submit(flow, { method: 'totp', totp_code: codeOf(identity, secret) })).status,
    200,
  )
})

test('removing the app requires aal2 and lowers sessions', async () => {
  const { identity, browser } = await withAda()
  const elsewhere = identity.browser()
  await elsewhere.signIn(ADA)
  const open = await elsewhere.open('settings')
  await addTotp(identity, browser)
  const refused = await elsewhere.submit(open, { method: 'totp', totp_unlink: true })
  assert.deepEqual(
    [refused.status, (refused as { body: { error?: { id: string } } }).body.error?.id],
    [403, 'session_aal2_required'],
  )
  const removed = await browser.submit(await browser.open('settings'), { totp_unlink: true })
  assert.equal(removed.status, 200)
  assert.ok(secretIn(removed))
  assert.equal((await browser.whoami()).body.authenticator_assurance_level, 'aal1')
  assert.equal((await elsewhere.whoami()).status, 200)
})
