import assert from 'node:assert/strict'
import {
  type Answer,
  fieldMessageIds,
  messageIds,
  nodeOf,
  tokenOf,
  verificationIn,
} from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { ADA, BY_LINK } from '../../kit/recovery-kit.ts'

const SESSION = 'ory_kratos_session'
const NO_RECOVERY_METHOD = 4010005
const NO_VERIFICATION_METHOD = 4010006
const INVALID_ADDRESS = 4000040

test('a signed-in user cannot recover, whatever the form contains', async () => {
  const { identity, browser } = await withAda()
  const form = await browser.open('recovery')
  const signedIn = identity.browser()
  await signedIn.signIn(ADA)
  browser.cookies.set(SESSION, signedIn.cookies.get(SESSION) ?? '')
  for (const values of [{}, { method: 'code' }, { method: 'password' }, { email: ADA }]) {
    const refused: Answer = await browser.submit(form, values)
    assert.deepEqual([refused.status, refused.body.error?.id], [400, 'session_already_available'])
  }
  const action = `/self-service/recovery?flow=${form.body.id}`
  const page = await browser.post(action, { csrf_token: String(tokenOf(form)) })
  assert.deepEqual([page.status, page.location], [302, 'http://app.test/'])
  const app = identity.app()
  const byApp = await app.open('recovery')
  await app.signIn(ADA)
  for (const values of [{}, { method: 'code' }, { method: 'password' }, { email: ADA }]) {
    const refused: Answer = await app.submit(byApp, values)
    assert.deepEqual([refused.status, refused.body.error?.id], [400, 'session_already_available'])
  }
})

test('a recovery without a method needs the token of its form', async () => {
  const { identity, browser } = await withAda()
  const form = await browser.open('recovery')
  const forged: Answer = await browser.submit(form, { csrf_token: 'forged' })
  assert.deepEqual([forged.status, forged.body.error.id], [403, 'security_csrf_violation'])
  const another = identity.browser()
  const own = await another.submit(await another.open('recovery'), {})
  assert.deepEqual(messageIds(own), [NO_RECOVERY_METHOD])
})

test('an invalid address is reported before a method that is not in use', async () => {
  const { browser } = await withAda(BY_LINK)
  for (const kind of ['recovery', 'verification'] as const) {
    const invalid = await browser.submit(await browser.open(kind), { method: 'code', email: 'ada' })
    assert.deepEqual([messageIds(invalid), fieldMessageIds(invalid, 'email')], [[], [INVALID_ADDRESS]])
  }
})

test('blanks alone are an invalid address', async () => {
  const identity = await createTestIdentity()
  for (const kind of ['recovery', 'verification'] as const) {
    const browser = identity.browser()
    const blank = await browser.submit(await browser.open(kind), { method: 'code', email: ' \t' })
    assert.deepEqual([blank.status, fieldMessageIds(blank, 'email')], [400, [4000040]])
  }
})

test('after a recovery without a method, the form still reports an invalid address', async () => {
  const { browser } = await withAda()
  const form = await browser.open('recovery')
  const ended = await browser.submit(form, {})
  assert.equal(activeIn(ended), 'default')
  const invalid = await browser.submit(form, { method: 'code', email: 'ada' })
  assert.deepEqual(
    [activeIn(invalid), messageIds(invalid), fieldMessageIds(invalid, 'email')],
    ['link', [], [INVALID_ADDRESS]],
  )
  const again = await browser.submit(form, { method: 'code', email: ADA })
  assert.deepEqual([activeIn(again), messageIds(again)], ['default', [NO_RECOVERY_METHOD]])
  const visited = await browser.get(`/self-service/recovery?flow=${form.body.id}`)
  assert.deepEqual([visited.status, messageIds(visited)], [400, [NO_RECOVERY_METHOD]])
})

test('a recovery by link whose token is wrong keeps the cookie', async () => {
  const { browser } = await withAda(BY_LINK)
  const form = await browser.open('recovery')
  const forged: Answer = await browser.submit(form, { method: 'link', email: ADA, csrf_token: 'forged' })
  assert.deepEqual([forged.status, forged.headers.getSetCookie()], [403, []])
})

test('a verification reports an invalid address before a missing method', async () => {
  const { browser } = await withAda()
  const form = await browser.open('verification')
  const invalid = await browser.submit(form, { email: 'ada' })
  assert.deepEqual([messageIds(invalid), fieldMessageIds(invalid, 'email')], [[], [INVALID_ADDRESS]])
})

test('after a verification without a method, the form shows no other address', async () => {
  const { browser } = await withAda()
  const form = await browser.open('verification')
  assert.equal(nodeOf(await browser.submit(form, { email: ADA }), 'email')?.value, ADA)
  const again = await browser.submit(form, { method: 'code', email: 'ben@example.com' })
  assert.deepEqual(
    [messageIds(again), nodeOf(again, 'email')?.value],
    [[NO_VERIFICATION_METHOD, NO_VERIFICATION_METHOD], ADA],
  )
})

test('after a verification without a method, the emailed link opens a form for its code', async () => {
  const identity = await createTestIdentity()
  const { browser, form } = await registered(identity)
  await browser.submit(form, {})
  const code = await identity.code(ADA)
  await browser.navigate(`/self-service/verification?flow=${form.body.id}&code=${code}`)
  const open = await browser.get(`/self-service/verification/flows?id=${form.body.id}`)
  assert.equal(nodeOf(open, 'code')?.value, code)
  assert.equal((await browser.submit(open, { method: 'code', code })).body.state, 'passed_challenge')
})

test('after a verification without a method, no link is sent', async () => {
  const { identity, browser } = await withAda(BY_LINK)
  const form = await browser.open('verification')
  await browser.submit(form, {})
  const refused = await browser.submit(form, { method: 'link', email: ADA })
  assert.deepEqual(messageIds(refused).slice(-1), [NO_VERIFICATION_METHOD])
  assert.deepEqual(await identity.mails(ADA), [])
})

async function withAda(config: Parameters<typeof createTestIdentity>[0] = {}) {
  const identity = await createTestIdentity(config)
  await identity.user(ADA)
  return { identity, browser: identity.browser() }
}

async function registered(identity: TestIdentity) {
  const browser = identity.browser()
  const flow = verificationIn(await browser.register(ADA))
  return { browser, form: await browser.get(`/self-service/verification/flows?id=${flow?.id}`) }
}

function activeIn({ body }: Answer): string {
  return body.active
}
