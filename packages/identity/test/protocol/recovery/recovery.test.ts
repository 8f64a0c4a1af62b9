import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import { fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { addTotp, SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { ADA, askForCode, BY_LINK, EVE, letsIn, other } from '../../kit/recovery-kit.ts'

test('the emailed code signs in for a new password', async () => {
  const { identity, browser, form, code } = await askForCode()
  const done = await browser.submit(form, { method: 'code', code })
  assert.equal(done.status, 422)
  const { redirect_browser_to } = done.body as unknown as { redirect_browser_to: string }
  const id = new URL(redirect_browser_to).searchParams.get('flow')
  const settings = (await browser.get(`/self-service/settings/flows?id=${id}`)) as FlowAnswer
  assert.deepEqual(messageIds(settings), [1060001])
  const saved = await browser.submit(settings, { method: 'password', password: 'another horse 9' })
  assert.equal(saved.body.state, 'success')
  assert.equal((await identity.browser().signIn(ADA)).status, 400)
  assert.equal((await identity.browser().signIn(ADA, 'another horse 9')).status, 200)
})

test('a recovery session is marked and verifies the address', async () => {
  const identity = await createTestIdentity()
  await identity.admin('POST', '/admin/identities', { traits: { email: ADA } })
  const browser = identity.browser()
  const form = await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
  await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
  const { body } = await browser.whoami()
  assert.equal(body.authenticator_assurance_level, 'aal1')
  assert.deepEqual(
    body.authentication_methods.map(({ method }: { method: string }) => method),
    ['code_recovery'],
  )
  assert.equal(body.identity.verifiable_addresses[0].verified, true)
})

test('redirects a page to the settings', async () => {
  const { browser, form, code } = await askForCode()
  const csrf_token = String(nodeOf(form, 'csrf_token')?.value)
  const done = await browser.post(form.body.ui.action, { csrf_token, method: 'code', code })
  assert.equal(done.status, 303)
  assert.match(done.location ?? '', /^http:\/\/app\.test\/settings\?flow=/)
})

test('an app gets its session with transitions', async () => {
  const identity = await createTestIdentity({ feature_flags: { use_continue_with_transitions: true } })
  await identity.user(ADA)
  const app = identity.app()
  const form = await app.submit(await app.open('recovery'), { method: 'code', email: ADA })
  const code = await identity.code(ADA)
  const payload = { from: 'the app' }
  const done = await app.submit(form, { method: 'code', code, transient_payload: payload })
  const { state, continue_with, transient_payload } = done.body as unknown as {
    state: string
    continue_with: { action: string; ory_session_token: string }[]
    transient_payload: object
  }
  assert.deepEqual(
    [state, continue_with.map(({ action }) => action), transient_payload],
    ['passed_challenge', ['set_ory_session_token', 'show_settings_ui'], payload],
  )
  app.token = continue_with[0]?.ory_session_token
  assert.equal((await app.send('GET', '/sessions/whoami')).status, 200)
})

test('accepts another try', async () => {
  const { browser, form, code } = await askForCode()
  for (const values of [{ code: other(code) }, { code: '' }, {}]) {
    const wrong = await browser.submit(form, { method: 'code', ...values })
    assert.deepEqual([wrong.status, messageIds(wrong)], [200, [4060006]])
  }
  assert.ok(letsIn(await browser.submit(form, { code })))
})

test('SEC-05 a code is valid for ten minutes only', async () => {
  const early = await askForCode()
  early.identity.advance(10 * 60_000 - 1000)
  assert.ok(letsIn(await early.browser.submit(early.form, { method: 'code', code: early.code })))
  const late = await askForCode()
  late.identity.advance(10 * 60_000)
  const refused = await late.browser.submit(late.form, { method: 'code', code: late.code })
  assert.deepEqual([refused.status, messageIds(refused)], [200, [4060006]])
})

test('SEC-06 replaces an expired form', async () => {
  const { identity, browser, form, code } = await askForCode()
  identity.advance(15 * 60_000)
  const over = await browser.submit(form, { method: 'code', code })
  assert.deepEqual([over.status, letsIn(over)], [303, false])
  const next = (await browser.get(over.location ?? '')) as FlowAnswer
  assert.deepEqual(messageIds(next), [4060005])
  const sent = await browser.submit(next, { method: 'code', email: ADA })
  assert.ok(letsIn(await browser.submit(sent, { method: 'code', code: await identity.code(ADA) })))
})

test('SEC-03 refuses a correct code after five wrong ones', async () => {
  const { browser, form, code } = await askForCode()
  for (let i = 0; i < 5; i++) await browser.submit(form, { method: 'code', code: other(code) })
  const sixth = await browser.submit(form, { method: 'code', code })
  assert.deepEqual([sixth.status, letsIn(sixth)], [303, false])
  const next = (await browser.get(sixth.location ?? '')) as FlowAnswer
  assert.deepEqual([next.body.state, messageIds(next)], ['choose_method', [4000001]])
})

test('SEC-02 another address revokes the code', async () => {
  for (const second of [EVE, 'nobody@example.com']) {
    const { identity, browser, form, code } = await askForCode()
    await identity.user(EVE)
    const sent = await browser.submit(form, { method: 'code', email: second })
    const refused = await browser.submit(sent, { method: 'code', code })
    assert.deepEqual([messageIds(refused), letsIn(refused)], [[4060006], false])
    if (second !== EVE) continue
    await browser.submit(refused, { method: 'code', code: await identity.code(EVE) })
    assert.equal((await browser.whoami()).body.identity.traits.email, EVE)
  }
})

test('SEC-12 codes work only in their own flow', async () => {
  const { identity, browser, form, code } = await askForCode()
  const verifying = await browser.submit(await browser.open('verification'), { method: 'code', email: ADA })
  const proof = await identity.code(ADA)
  const recovered = await browser.submit(form, { method: 'code', code: proof })
  assert.deepEqual([messageIds(recovered), letsIn(recovered)], [[4060006], false])
  const verified = await browser.submit(verifying, { method: 'code', code })
  assert.deepEqual(messageIds(verified), [4070006])
})

test('a used code leads to a new form', async () => {
  const { browser, form, code } = await askForCode()
  await browser.submit(form, { method: 'code', code })
  const passed = (await browser.get(`/self-service/recovery/flows?id=${form.body.id}`)) as FlowAnswer
  assert.equal(passed.body.state, 'passed_challenge')
  const again = await browser.submit(passed, { method: 'code', code })
  assert.deepEqual([again.status, letsIn(again)], [303, false])
})

test("a deactivated account's browser gets a new CSRF cookie", async () => {
  const identity = await createTestIdentity()
  await identity.admin('POST', '/admin/identities', { traits: { email: ADA }, state: 'inactive' })
  const browser = identity.browser()
  const form = await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
  const refused = await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
  assert.deepEqual([refused.status, letsIn(refused)], [401, false])
  assert.equal(refused.headers.getSetCookie().length, 1)
})

test('SEC-34 a refused request of another site changes no cookie', async () => {
  const { browser, form, code } = await askForCode()
  const before = new Map(browser.cookies)
  const values = { method: 'code', code }
  const refused = await browser.submit(form, values, { headers: { origin: 'https://evil.example' } })
  assert.equal(refused.status, 403)
  assert.deepEqual(browser.cookies, before)
  assert.ok(letsIn(await browser.submit(form, values)))
})

test('a missing token ends the forms of the browser', async () => {
  const { browser, form, code } = await askForCode()
  const { action } = form.body.ui
  const refused = await browser.send('POST', action, { method: 'code', code }, {})
  assert.deepEqual([refused.status, refused.headers.getSetCookie().length], [403, 1])
  assert.equal((await browser.submit(form, { method: 'code', code })).status, 403)
})

test("SEC-37 a page that submits an app's form gets a new one", async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const app = identity.app()
  const form = await app.open('recovery')
  const cookies = []
  for (const headers of [{ origin: 'https://evil.example' }, { cookie: 'a=b' }] as Record<string, string>[]) {
    const refused = await app.submit(form, { method: 'code', email: ADA }, headers)
    assert.equal(refused.status, 303)
    cookies.push(refused.headers.getSetCookie().length)
  }
  assert.deepEqual(cookies, [0, 1])
  assert.equal((await identity.mails(ADA)).length, 0)
})

test("SEC-37 an app's form that emails a link stays", async () => {
  const identity = await createTestIdentity(BY_LINK)
  await identity.user(ADA)
  const app = identity.app()
  const values = { method: 'link', email: ADA }
  const refused = await app.submit(await app.open('recovery'), values, { cookie: 'a=b' })
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000001]])
  assert.equal((await identity.mails(ADA)).length, 0)
})

test("with transitions, a page that submits an app's form learns which cookies it sent", async () => {
  const identity = await createTestIdentity({ feature_flags: { use_continue_with_transitions: true } })
  const app = identity.app()
  const details = async (headers: Record<string, string>) => {
    const refused: Answer = await app.submit(
      await app.open('recovery'),
      { method: 'code', email: ADA },
      headers,
    )
    return refused.body.error.details['found cookies']
  }
  assert.deepEqual(await details({ cookie: 'a=b; __cf_bm=x; c=d' }), ['a', 'c'])
  assert.equal(await details({ cookie: 'a=b', origin: 'https://evil.example' }), undefined)
})

test('a link token returns 404 if the link method is disabled', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const answer: Answer = await browser.submit(await browser.open('recovery'), { token: 'a-token' })
  assert.deepEqual([answer.status, answer.body.error.code], [404, 404])
})

test('an invalid address is refused at its field', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const refused = await browser.submit(await browser.open('recovery'), { method: 'code', email: 'ada' })
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'email')], [400, [4000040]])
  assert.equal(nodeOf(refused, 'email')?.value, undefined)
})

test('a signed-in user is led home even if recovery is disabled', async () => {
  const identity = await createTestIdentity({ selfservice: { flows: { recovery: { enabled: false } } } })
  await identity.user(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  const page = await browser.navigate('/self-service/recovery/browser')
  assert.deepEqual([page.status, page.location], [302, 'http://app.test/'])
  const stranger: Answer = await identity.browser().get('/self-service/recovery/browser')
  assert.deepEqual([stranger.status, stranger.body.error.code], [400, 400])
})

test('a signed-in user cannot request a recovery code', async () => {
  const { browser, form } = await askForCode()
  const before = new Map(browser.cookies)
  await browser.signIn(ADA)
  const opened = (await browser.open('recovery')).body as unknown as { error: { id: string } }
  assert.equal(opened.error.id, 'session_already_available')
  for (const [name, value] of before) browser.cookies.set(name, value)
  const sent = (await browser.submit(form, { method: 'code', email: ADA })).body
  assert.equal((sent as unknown as { error: { id: string } }).error.id, 'session_already_available')
})

test("a signed-in app is refused before its form's fields are checked", async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const app = identity.app()
  const form = await app.open('recovery')
  await app.signIn(ADA)
  for (const body of [{ method: 'code', code: '123456' }, { method: 'password' }, {}]) {
    const refused: Answer = await app.submit(form, body)
    assert.deepEqual([refused.status, refused.body.error?.id], [400, 'session_already_available'])
  }
})

test('a recovery revokes other sessions if configured', async () => {
  const hooks = [{ hook: 'revoke_active_sessions' }]
  for (const [ends, status] of [
    [[], 200],
    [hooks, 401],
  ] as const) {
    const { identity, browser, form, code } = await askForCode({
      selfservice: { flows: { recovery: { after: { hooks: ends } } } },
    })
    const app = identity.app()
    await app.signIn(ADA)
    await browser.submit(form, { method: 'code', code })
    assert.equal((await app.send('GET', '/sessions/whoami')).status, status)
    assert.equal((await browser.whoami()).status, 200)
  }
})

test('SEC-74 a recovery ends the deletion an intruder asked for, unless a second factor is missing', async () => {
  for (const hasSecondFactor of [false, true]) {
    const identity = await createTestIdentity(SECOND_FACTORS)
    await identity.user(ADA)
    const intruder = identity.browser()
    await intruder.signIn(ADA)
    if (hasSecondFactor) await addTotp(identity, intruder)
    const { body: session } = await intruder.whoami()
    assert.equal((await identity.account.requestDeletion(session.id)).kind, 'scheduled')
    const owner = identity.browser()
    const form = await owner.submit(await owner.open('recovery'), { method: 'code', email: ADA })
    await owner.submit(form, { method: 'code', code: await identity.code(ADA) })
    assert.equal((await identity.account.deletionDue(session.identity.id)) === undefined, !hasSecondFactor)
  }
})

test('SEC-12 a recovered account may add another credential', async () => {
  const identity = await createTestIdentity(SECOND_FACTORS)
  const made = {
    traits: { email: ADA },
    verifiable_addresses: [{ value: ADA, via: 'email', verified: true }],
  }
  assert.equal((await identity.admin('POST', '/admin/identities', made)).status, 201)
  const browser = identity.browser()
  const form = await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
  await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
  await addTotp(identity, browser)
})
