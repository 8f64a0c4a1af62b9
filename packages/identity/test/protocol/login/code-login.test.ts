import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import { fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, SHARED_LIMITS, type TestIdentity, VERIFIED_ONLY } from '../../kit/kit.ts'

const ADA = 'ada@example.com'
const BEN = 'ben@example.com'
const PASSWORDLESS = { selfservice: { methods: { code: { passwordless_enabled: true } } } }
const PRIVATE = { ...PASSWORDLESS, security: { account_enumeration: { mitigate: true } } }

test('signs in with the emailed code, which verifies the address', async () => {
  const identity = await createTestIdentity(PASSWORDLESS)
  await unverified(identity, ADA)
  const browser = identity.browser()
  const form = await asked(browser, '  ADA@example.com ')
  assert.deepEqual([form.status, form.body.state, messageIds(form)], [400, 'sent_email', [1010014]])
  const done: Answer = await browser.submit(form, {
    method: 'code',
    identifier: ADA,
    code: await identity.code(ADA),
  })
  assert.equal(done.status, 200)
  assert.deepEqual(
    done.body.session.authentication_methods.map((one: { method: string; aal: string }) => [
      one.method,
      one.aal,
    ]),
    [['code', 'aal1']],
  )
  assert.equal(done.body.session.identity.verifiable_addresses[0].verified, true)
  assert.equal((await browser.whoami()).body.identity.verifiable_addresses[0].status, 'completed')
})

test('SEC-07 emails the stored address', async () => {
  const identity = await createTestIdentity(PASSWORDLESS)
  await identity.user(ADA)
  await asked(identity.browser(), 'ADA@EXAMPLE.COM')
  assert.deepEqual(
    (await identity.mails(ADA)).map(({ template_type }) => template_type),
    ['login_code_valid'],
  )
  for (const twin of ['ada@exampIe.com', 'ａda@example.com', 'ada＠example.com', 'adа@example.com']) {
    const refused = await asked(identity.browser(), twin)
    assert.deepEqual(messageIds(refused), [4000035], twin)
  }
  assert.equal((await identity.listMails(100)).length, 1)
})

test('another value of the resend button sends no code', async () => {
  const identity = await createTestIdentity(PASSWORDLESS)
  await identity.user(ADA)
  const browser = identity.browser()
  const form = await asked(browser, ADA)
  const refused = await browser.submit(form, { method: 'code', identifier: ADA, resend: 'email' })
  assert.deepEqual(fieldMessageIds(refused, 'resend'), [4000001])
  assert.equal((await identity.mails(ADA)).length, 1)
})

test('reports a missing address or code at its field', async () => {
  const identity = await createTestIdentity(PASSWORDLESS)
  await identity.user(ADA)
  const browser = identity.browser()
  const nameless = await browser.submit(await browser.open('login'), { method: 'code' })
  assert.deepEqual(fieldMessageIds(nameless, 'identifier'), [4000002])
  const form = await asked(browser, ADA)
  const empty = await browser.submit(form, { method: 'code', identifier: ADA, code: '' })
  assert.deepEqual(fieldMessageIds(empty, 'code'), [4000002])
  assert.equal(nodeOf(empty, 'identifier')?.value, ADA)
  const bare = await browser.submit(empty, { method: 'code', identifier: '' })
  assert.deepEqual([fieldMessageIds(bare, 'code'), fieldMessageIds(bare, 'identifier')], [[4000002], []])
})

test('SEC-03 refuses a correct code after five wrong ones', async () => {
  const { identity, browser, form } = await underWay()
  const code = await identity.code(ADA)
  for (let i = 0; i < 5; i++) {
    const wrong = await browser.submit(form, { method: 'code', identifier: ADA, code: other(code) })
    assert.deepEqual(messageIds(wrong), [4010008])
  }
  assert.deepEqual(
    messageIds(await browser.submit(form, { method: 'code', identifier: ADA, code })),
    [4000001],
  )
  await browser.submit(form, { method: 'code', identifier: ADA, resend: 'code' })
  const again = await browser.submit(form, {
    method: 'code',
    identifier: ADA,
    code: await identity.code(ADA),
  })
  assert.deepEqual(messageIds(again), [4000001])
  assert.equal((await browser.whoami()).status, 401)
})

test('SEC-03 any address gets ten guesses and ten codes', async () => {
  for (const [limits, mails] of [
    [SHARED_LIMITS, 10],
    [{ ...SHARED_LIMITS, mail: 'off' }, 30],
  ] as const) {
    for (const identifier of [ADA, 'no-account@example.com']) {
      const identity = await createTestIdentity({ ...PRIVATE, limits })
      await identity.user(ADA)
      const browser = identity.browser()
      const told: number[] = []
      for (let n = 0; n < 30; n++) {
        const form = await asked(browser, identifier)
        told.push(...messageIds(await browser.submit(form, { method: 'code', identifier, code: 'abcdef' })))
      }
      const expected = Array.from({ length: 30 }, (_, n) => (n < 10 ? 4010008 : 4290001))
      assert.deepEqual(told, expected, identifier)
      assert.equal((await identity.mails(identifier)).length, identifier === ADA ? mails : 0)
    }
  }
})

test('SEC-05 a code expires after ten minutes', async () => {
  const early = await underWay({ selfservice: { flows: { login: { lifespan: '1h' } } } })
  early.identity.advance(10 * 60_000 - 1000)
  const code = await early.identity.code(ADA)
  const inTime = await early.browser.submit(early.form, { method: 'code', identifier: ADA, code })
  assert.equal(inTime.status, 200)

  const late = await underWay({ selfservice: { flows: { login: { lifespan: '1h' } } } })
  late.identity.advance(10 * 60_000)
  const values = { method: 'code', identifier: ADA, code: await late.identity.code(ADA) }
  const refused: Answer = await late.browser.submit(late.form, values)
  assert.deepEqual([refused.status, refused.body.error.id], [410, 'self_service_flow_expired'])
  const next = await late.browser.get(`/self-service/login/flows?id=${refused.body.use_flow_id}`)
  assert.deepEqual(messageIds(next), [4010001])
})

test('SEC-02 a code signs in its recipient only', async () => {
  const { identity, browser, form } = await underWay()
  await identity.user(BEN)
  const code = await identity.code(ADA)
  const asBen = await browser.submit(form, { method: 'code', identifier: BEN, code })
  assert.deepEqual(messageIds(asBen), [4010008])
  const sent = await browser.submit(form, { method: 'code', identifier: BEN, resend: 'code' })
  assert.deepEqual(messageIds(sent), [1010014])
  if (code !== (await identity.code(BEN))) {
    const dead = await browser.submit(form, { method: 'code', identifier: ADA, code })
    assert.deepEqual(messageIds(dead), [4010008])
  }
})

test('SEC-02 an unknown address revokes the code', async () => {
  const { identity, browser, form } = await underWay(PRIVATE)
  const code = await identity.code(ADA)
  await browser.submit(form, { method: 'code', identifier: 'nobody@example.com', resend: 'code' })
  const dead = await browser.submit(form, { method: 'code', identifier: ADA, code })
  assert.deepEqual(messageIds(dead), [4010008])
})

test('SEC-19 a code cannot switch the account', async () => {
  const identity = await createTestIdentity(PASSWORDLESS)
  await identity.user(ADA)
  await identity.user(BEN)
  const browser = identity.browser()
  await browser.signIn(ADA)
  const refresh = await browser.open('login', '?refresh=true')
  const foreign = await browser.submit(refresh, { method: 'code', identifier: BEN })
  assert.deepEqual(messageIds(foreign), [4000035])
  assert.equal((await identity.mails(BEN)).length, 0)
  const own = await browser.submit(refresh, { method: 'code', identifier: ADA })
  const code = await identity.code(ADA)
  const done: Answer = await browser.submit(own, { method: 'code', identifier: ADA, code })
  assert.deepEqual([done.status, done.body.session?.identity.traits.email], [200, ADA])
})

test("a deactivated account's code creates no session", async () => {
  const { identity, browser, form } = await underWay(PASSWORDLESS, { state: 'inactive' })
  const code = await identity.code(ADA)
  const refused = await browser.submit(form, { method: 'code', identifier: ADA, code })
  assert.equal(refused.status, 401)
  assert.equal((await browser.whoami()).status, 401)
})

test('a code satisfies the hook that requires verification', async () => {
  const flows = VERIFIED_ONLY.selfservice.flows
  const identity = await createTestIdentity({ selfservice: { ...PASSWORDLESS.selfservice, flows } })
  await unverified(identity, ADA)
  const browser = identity.browser()
  const form = await asked(browser, ADA)
  const done = await browser.submit(form, { method: 'code', identifier: ADA, code: await identity.code(ADA) })
  assert.equal(done.status, 200)
})

test('input that is not an address leaves the emailed code valid', async () => {
  const identity = await createTestIdentity(PASSWORDLESS)
  await identity.user(ADA)
  const browser = identity.browser()
  const form = await asked(browser, ADA)
  const refused = await browser.submit(form, { method: 'code', identifier: 'x y' })
  assert.deepEqual([refused.body.state, fieldMessageIds(refused, 'code')], ['sent_email', [4000002]])
  const values = { method: 'code', identifier: ADA, code: await identity.code(ADA) }
  assert.equal((await browser.submit(refused, values)).status, 200)
})

test('a finished form of an app sends another code on request', async () => {
  const identity = await createTestIdentity(PASSWORDLESS)
  await identity.user(ADA)
  const app = identity.app()
  const form = await app.submit(await app.open('login'), { method: 'code', identifier: ADA })
  for (const resend of [false, true]) {
    if (resend) await app.submit(form, { method: 'code', identifier: ADA, resend: 'code' })
    const sent = { method: 'code', identifier: ADA, code: await identity.code(ADA) }
    assert.equal((await app.submit(form, sent)).status, 200)
    const refused = await app.submit(form, { ...sent, code: '000000' })
    assert.deepEqual([messageIds(refused), nodeOf(refused, 'identifier')?.required], [[4010002], true])
    assert.equal(nodeOf(refused, 'csrf_token'), undefined)
  }
})

test('a password still works after a code is requested', async () => {
  const { browser, form } = await underWay()
  const wrong = await browser.submit(form, { method: 'password', identifier: ADA, password: 'wrong' })
  assert.deepEqual([wrong.body.state, messageIds(wrong)], ['sent_email', [4000006]])
  assert.equal(nodeOf(wrong, 'method')?.value, 'code')
  const done = await browser.submit(form, { method: 'password', identifier: ADA, password: PASSWORD })
  assert.equal(done.status, 200)
})

test('an account without a code credential needs the setting to sign in', async () => {
  const marks = { verification: { via: 'email' } }
  const email = { type: 'string', format: 'email', 'ory.sh/kratos': marks }
  const schema = { type: 'object', properties: { traits: { type: 'object', properties: { email } } } }
  for (const missing_credential_fallback_enabled of [false, true]) {
    const code = { passwordless_enabled: true, config: { missing_credential_fallback_enabled } }
    const identity = await createTestIdentity({
      selfservice: { methods: { code } },
      identity: { schemas: [{ id: 'default', schema }] },
    })
    await unverified(identity, ADA)
    const answer = await asked(identity.browser(), ADA)
    assert.deepEqual(messageIds(answer), [missing_credential_fallback_enabled ? 1010014 : 4000035])
  }
})

test('an account without a code credential needs the setting as second factor', async () => {
  const credentials = { password: { identifier: true } }
  const marks = { credentials, verification: { via: 'email' } }
  const email = { type: 'string', format: 'email', 'ory.sh/kratos': marks }
  const schema = { type: 'object', properties: { traits: { type: 'object', properties: { email } } } }
  for (const missing_credential_fallback_enabled of [false, true]) {
    const code = { mfa_enabled: true, config: { missing_credential_fallback_enabled } }
    const identity = await createTestIdentity({
      selfservice: { methods: { code } },
      identity: { schemas: [{ id: 'default', schema }] },
    })
    await identity.user(ADA)
    const browser = identity.browser()
    await browser.signIn(ADA)
    const form: FlowAnswer = await browser.open('login', '?aal=aal2')
    assert.equal(form.body.state, missing_credential_fallback_enabled ? 'sent_email' : 'choose_method')
    if (!missing_credential_fallback_enabled) continue
    const done: Answer = await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
    assert.equal(done.body.session.authenticator_assurance_level, 'aal2')
  }
})

async function asked(browser: Browser, identifier: string): Promise<FlowAnswer> {
  return await browser.submit(await browser.open('login'), { method: 'code', identifier })
}

async function underWay(overrides: object = {}, more: object = {}) {
  const merged = { ...PASSWORDLESS, ...overrides } as { selfservice: object }
  const selfservice = { ...PASSWORDLESS.selfservice, ...merged.selfservice }
  const identity = await createTestIdentity({ ...merged, selfservice })
  await unverified(identity, ADA, { credentials: { password: { config: { password: PASSWORD } } }, ...more })
  const browser = identity.browser()
  return { identity, browser, form: await asked(browser, ADA) }
}

async function unverified(identity: TestIdentity, email: string, more: object = {}): Promise<void> {
  const made = await identity.admin('POST', '/admin/identities', { traits: { email }, ...more })
  assert.equal(made.status, 201)
}

function other(code: string): string {
  return String((Number(code) + 1) % 1_000_000).padStart(6, '0')
}

test('SEC-13 sends a code to a corrected address, whether or not the first has an account', async () => {
  for (const first of ['nobody@example.com', BEN]) {
    const identity = await createTestIdentity(PRIVATE)
    await identity.user(ADA)
    await identity.user(BEN)
    for (const client of [identity.browser(), identity.app()]) {
      const form = await client.submit(await client.open('login'), { method: 'code', identifier: first })
      const corrected = await client.submit(form, { method: 'code', identifier: ADA.toUpperCase() })
      assert.deepEqual([corrected.body.state, messageIds(corrected)], ['sent_email', [1010014]])
      const values = { method: 'code', identifier: ADA, code: await identity.code(ADA) }
      assert.equal((await client.submit(corrected, values)).status, 200)
    }
  }
})
