import assert from 'node:assert/strict'
import {
  type FlowAnswer,
  fieldMessageIds,
  messageIds,
  nodeOf,
  tokenOf,
  verificationIn,
} from '../../../src/testing/answers.ts'
import type { Browser } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { ADA } from '../../kit/recovery-kit.ts'

test('the correct code verifies the address', async () => {
  const { identity, browser, form } = await afterRegistration()
  const done = await browser.submit(form, { method: 'code', code: await identity.code('ada@example.com') })
  assert.equal(done.body.state, 'passed_challenge')
  assert.deepEqual(messageIds(done), [1080002])
  assert.deepEqual([done.body.ui.method, done.body.ui.action], ['GET', 'http://app.test/'])
  const who = await browser.whoami()
  assert.equal(who.body.identity.verifiable_addresses[0].verified, true)
})

test('a wrong code may be corrected', async () => {
  const { identity, browser, form } = await afterRegistration()
  const code = await identity.code('ada@example.com')
  const wrong = await browser.submit(form, { method: 'code', code: other(code) })
  assert.deepEqual([wrong.status, messageIds(wrong)], [200, [4070006]])
  const right = await browser.submit(form, { method: 'code', code })
  assert.equal(right.body.state, 'passed_challenge')
})

test('SEC-03 refuses a correct code after five wrong ones', async () => {
  const { identity, browser, form } = await afterRegistration()
  const code = await identity.code('ada@example.com')
  for (let i = 0; i < 5; i++) await browser.submit(form, { method: 'code', code: other(code) })
  const sixth = await browser.submit(form, { method: 'code', code })
  assert.equal(sixth.status, 410)
  assert.equal((await browser.whoami()).body.identity.verifiable_addresses[0].verified, false)
})

test('SEC-05 a code is valid for ten minutes', async () => {
  const early = await afterRegistration()
  const code = await early.identity.code('ada@example.com')
  early.identity.advance(10 * 60_000 - 1000)
  const inTime = await early.browser.submit(early.form, { method: 'code', code })
  assert.equal(inTime.body.state, 'passed_challenge')

  const late = await afterRegistration()
  const expired = await late.identity.code('ada@example.com')
  late.identity.advance(10 * 60_000)
  const refused = await late.browser.submit(late.form, { method: 'code', code: expired })
  assert.equal(refused.status, 410)
})

test('SEC-05 a code is valid for at most fifteen minutes', async () => {
  const methods = { code: { config: { lifespan: '1h' } } }
  const long = { selfservice: { methods, flows: { verification: { lifespan: '2h' } } } }
  const { identity, browser, form } = await afterRegistration(long)
  const code = await identity.code('ada@example.com')
  identity.advance(15 * 60_000)
  const late = await browser.submit(form, { method: 'code', code })
  const { error } = late.body as unknown as { error: { id: string } }
  assert.deepEqual([late.status, error.id], [410, 'self_service_flow_expired'])
})

test("an app's link continues in its browser", async () => {
  const identity = await createTestIdentity()
  await identity.admin('POST', '/admin/identities', { traits: { email: 'ada@example.com' } })
  const app = identity.app()
  await app.submit(await app.open('verification'), { method: 'code', email: 'ada@example.com' })
  const [mail] = await identity.mails('ada@example.com')
  const browser = identity.browser()
  const opened = await browser.navigate(
    /http\S+\/self-service\/verification\S+/.exec(mail?.body ?? '')?.[0] ?? '',
  )
  const screen = new URL(opened.location ?? '')
  const path = `/self-service/verification/flows${screen.search.replace('flow=', 'id=')}`
  const form = (await browser.get(path)) as FlowAnswer
  const csrf_token = String(tokenOf(form))
  const code = await identity.code('ada@example.com')
  for (const typed of [other(code), code]) {
    const sent = await browser.post(form.body.ui.action, { method: 'code', code: typed, csrf_token })
    assert.deepEqual([sent.status, sent.location], [303, screen.href])
  }
  assert.equal((await browser.get(path)).body.state, 'passed_challenge')
})

test('a used code leads to a new form', async () => {
  const { identity, browser, form } = await afterRegistration()
  const code = await identity.code('ada@example.com')
  await browser.submit(form, { method: 'code', code })
  const shown = await browser.get(`/self-service/verification/flows?id=${form.body.id}`)
  const again = await browser.submit(form, { method: 'code', code, csrf_token: tokenOf(shown) })
  const replaced = again.body as unknown as { error: { id: string }; use_flow_id: string }
  assert.deepEqual([again.status, replaced.error.id], [410, 'self_service_flow_replaced'])
  const next = await browser.get(`/self-service/verification/flows?id=${replaced.use_flow_id}`)
  assert.deepEqual(messageIds(next), [4070002])
})

test('a new code replaces the previous', async () => {
  const { identity, browser, form } = await afterRegistration()
  const first = await identity.code('ada@example.com')
  const resent = await browser.submit(form, { method: 'code', email: 'ada@example.com' })
  assert.equal(resent.body.state, 'sent_email')
  const second = await identity.code('ada@example.com')
  const old = await browser.submit(resent, { method: 'code', code: first })
  if (first !== second) assert.deepEqual(messageIds(old), [4070006])
  const done = await browser.submit(resent, { method: 'code', code: second })
  assert.equal(done.body.state, 'passed_challenge')
})

test('a code leaves the address in the form that asks for it', async () => {
  const { browser, form } = await afterRegistration()
  const refused = await browser.submit(form, { email: 'ada@example.com' })
  assert.equal(refused.status, 400)
  const next = await browser.submit(form, { method: 'code', code: '123456' })
  assert.equal(nodeOf(next, 'email')?.value, 'ada@example.com')
})

test('the emailed link fills in the code without using it', async () => {
  const { identity, browser, form } = await afterRegistration()
  const [mail] = await identity.mails('ada@example.com')
  const link = mail?.body.match(/http\S+/)?.[0] ?? ''
  const elsewhere = identity.browser()
  const opened = await elsewhere.navigate(link)
  assert.equal(opened.location, `http://app.test/verify?flow=${form.body.id}`)
  await identity.browser().navigate(link)
  await elsewhere.navigate(link)
  const filled = (await elsewhere.get(`/self-service/verification/flows?id=${form.body.id}`)) as FlowAnswer
  assert.equal(nodeOf(filled, 'code')?.value, await identity.code('ada@example.com'))
  const done = await browser.submit(form, { method: 'code', code: nodeOf(filled, 'code')?.value })
  assert.equal(done.body.state, 'passed_challenge')
})

test('reports an invalid address at its field', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const refused = await browser.submit(await browser.open('verification'), { method: 'code', email: 'ada' })
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'email')], [400, [4000040]])
  assert.equal(nodeOf(refused, 'email')?.value, undefined)
})

async function afterRegistration(
  overrides: Parameters<typeof createTestIdentity>[0] = {},
): Promise<{ identity: TestIdentity; browser: Browser; form: FlowAnswer }> {
  const identity = await createTestIdentity(overrides)
  const browser = identity.browser()
  const flow = verificationIn(await browser.register('ada@example.com'))
  const form = (await browser.get(`/self-service/verification/flows?id=${flow?.id}`)) as FlowAnswer
  return { identity, browser, form }
}

function other(code: string): string {
  return code === '000000' ? '000001' : '000000'
}

test('SEC-34 a refused verification of another site leaves other forms unchanged', async () => {
  const { identity, browser, form } = await afterRegistration()
  const code = await identity.code('ada@example.com')
  await browser.submit(form, { method: 'code', code })
  const before = new Map(browser.cookies)
  const other = await browser.open('verification')
  const headers = { cookie: 'other=1', origin: 'http://evil.test' }
  assert.equal((await browser.submit(form, { method: 'code', code }, { headers })).status, 403)
  assert.deepEqual(browser.cookies, before)
  const sent = await browser.submit(other, { method: 'code', email: 'ada@example.com' })
  assert.deepEqual([sent.status, sent.body.state], [200, 'sent_email'])
  const shown = await browser.get(`/self-service/verification/flows?id=${form.body.id}`)
  const refused = await browser.submit(form, { method: 'code', code, csrf_token: tokenOf(shown) })
  assert.deepEqual([refused.status, refused.headers.getSetCookie().length], [410, 1])
})

for (const kind of ['recovery', 'verification'] as const) {
  test(`a page that goes back after a wrong code gets another ${kind} code`, async () => {
    const identity = await createTestIdentity()
    await identity.user(ADA)
    const browser = identity.browser()
    const flow = await browser.open(kind)
    const send = async (values: object) =>
      await browser.post(flow.body.ui.action, {
        csrf_token: String(tokenOf(flow)),
        method: 'code',
        ...values,
      })
    const mails = async () => (await identity.mails(ADA)).length
    await send({ email: ADA })
    await send({ email: ADA })
    const before = await mails()
    await send({ code: '000000' })
    await send({ email: ADA })
    assert.equal(await mails(), before + 1)
  })
}
