import assert from 'node:assert/strict'
import { type Answer, type FlowAnswer, messageIds, tokenOf } from '../../../src/testing/answers.ts'
import { RP } from '../../../src/testing/authenticator.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'

const CREDENTIALS = { method: 'password', identifier: 'ada@example.com', password: PASSWORD }

test('SEC-34 only the own site with the right token signs in', async () => {
  const origins = ['http://identity.test', 'http://app.test', 'null', undefined]
  const foreign = ['http://evil.test', 'http://app.test.evil.test', 'https://app.test', 'http://sub.app.test']
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  for (const origin of [...origins, ...foreign]) {
    for (const token of ['right', 'wrong', 'none'] as const) {
      const browser = identity.browser()
      const flow = await browser.open('login')
      const csrf_token = { right: tokenOf(flow), wrong: 'A'.repeat(88), none: undefined }[token]
      const headers: Record<string, string> = origin === undefined ? {} : { origin }
      const answer = await browser.submit(flow, { ...CREDENTIALS, csrf_token }, { headers })
      const allowed = origins.includes(origin) && token === 'right'
      assert.equal(answer.status, allowed ? 200 : 403, `${origin} with ${token} token`)
      assert.equal(browser.cookies.has('ory_kratos_session'), allowed)
    }
  }
})

test('SEC-34 content types without a preflight change nothing without the token', async () => {
  const types = [
    'text/plain',
    'TEXT/PLAIN',
    'application/x-www-form-urlencoded',
    'APPLICATION/X-WWW-FORM-URLENCODED',
    'multipart/form-data; boundary=x',
    'application/csp-report',
    'application/json; charset=utf-8',
    '',
  ]
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  for (const type of types) {
    const browser = identity.browser()
    const flow = await browser.open('login')
    const raw = type.toLowerCase().includes('urlencoded')
      ? new URLSearchParams(CREDENTIALS).toString()
      : JSON.stringify(CREDENTIALS)
    const headers = { 'content-type': type, origin: 'http://evil.test' }
    const answer = await browser.send('POST', flow.body.ui.action, {}, { raw, headers })
    assert.ok([400, 403].includes(answer.status), `${type}: ${answer.status}`)
    assert.equal(browser.cookies.has('ory_kratos_session'), false)
  }
})

test('SEC-35 rejects a form with another cookie from a sibling host', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const browser = identity.browser()
  const attacker = identity.browser()
  const flow = await browser.open('login')
  const planted = await attacker.open('login')
  const [name = ''] = [...browser.cookies.keys()]
  const both = `${name}=${attacker.cookies.get(name)}; ${name}=${browser.cookies.get(name)}`
  for (const [form, token] of [
    [flow, tokenOf(flow)],
    [planted, tokenOf(planted)],
  ] as const) {
    const answer = await browser.submit(
      form,
      { ...CREDENTIALS, csrf_token: token },
      { headers: { cookie: both } },
    )
    assert.equal(answer.status, 403)
  }
})

test('SEC-34 a wrong token is refused before the answer of an authenticator or a code is read', async () => {
  const identity = await createTestIdentity({
    selfservice: {
      methods: {
        code: { passwordless_enabled: true },
        passkey: { enabled: true, config: { rp: RP } },
        webauthn: { enabled: true, config: { passwordless: true, rp: RP } },
      },
    },
  })
  const traits = { email: 'ada@example.com' }
  for (const [kind, fields] of [
    ['login', { method: 'passkey', passkey_login: '{}' }],
    ['login', { method: 'code' }],
    ['registration', { method: 'passkey', traits, passkey_register: '{}' }],
    ['registration', { method: 'webauthn', traits, webauthn_register: '{}' }],
  ] as const) {
    const browser = identity.browser()
    const answer: Answer = await browser.submit(await browser.open(kind), { ...fields, csrf_token: 'wrong' })
    assert.equal(answer.body.error?.id, 'security_csrf_violation', `${kind} with ${fields.method}`)
  }
})

test('SEC-34 requires the exact token', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const spellings: ((token: string) => string)[] = [
    (token) => ` ${token}`,
    (token) => `${token} `,
    (token) => token.replace('==', ''),
    (token) => `${token.slice(0, 40)}\n${token.slice(40)}`,
    (token) => `${token.slice(0, 40)}-${token.slice(40)}`,
    (token) => `${token}====`,
  ]
  for (const spelled of spellings) {
    const browser = identity.browser()
    const flow = await browser.open('login')
    const csrf_token = spelled(String(tokenOf(flow)))
    assert.equal((await browser.submit(flow, { ...CREDENTIALS, csrf_token })).status, 403, csrf_token)
    assert.equal((await browser.submit(flow, CREDENTIALS)).status, 200)
  }
})

test("SEC-37 Ory's switch allows native flows in pages in dev mode", async () => {
  const secrets = { default: ['9f2c4b7d1e8a6c3f5b0d7e9a2c4f6b8d1e3a5c7f'] }
  for (const dev of [true, false]) {
    const identity = await createTestIdentity({ dev, secrets, dev_disable_api_flow_enforcement: true })
    await identity.user('ada@example.com')
    const app = identity.app()
    const answer = await app.submit(await app.open('login'), CREDENTIALS, { origin: 'http://app.test' })
    assert.equal(answer.status, dev ? 200 : 400)
    assert.ok(identity.logged.some((line) => line.startsWith('DEV_DISABLE_API_FLOW_ENFORCEMENT: ')))
  }
})

test('SEC-37 rejects a native flow with an Origin header or cookies', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const app = identity.app()
  for (const headers of [{ origin: 'http://app.test' }, { cookie: 'a=b' }] as Record<string, string>[]) {
    const answer = await app.submit(await app.open('login'), CREDENTIALS, headers)
    assert.deepEqual([answer.status, messageIds(answer)], [400, [4000001]])
  }
  const clean = await app.submit(await app.open('login'), CREDENTIALS, { cookie: '__cf_bm=x' })
  assert.equal(clean.status, 200)
})

test('SEC-37 a browser flow without its cookie returns 403', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const browser = identity.browser()
  const flow = await browser.open('login')
  const answer = await browser.submit(flow, CREDENTIALS, { headers: { cookie: 'other=1' } })
  const { error } = answer.body as unknown as { error: { id: string } }
  assert.deepEqual([answer.status, error.id], [403, 'security_csrf_violation'])
})

test('explains a forged request, except a cookie without a token', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const sending = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  const reason = async (body?: object, type?: typeof sending) => {
    const { status, body: told } = await browser.send(
      'DELETE',
      '/self-service/logout/browser',
      body,
      type ?? {},
    )
    return [status, told.error.details.reject_reason !== undefined]
  }
  assert.deepEqual(await reason({}), [403, true])
  await browser.open('login')
  assert.deepEqual(
    [await reason({}), await reason({}, sending)],
    [
      [403, true],
      [403, false],
    ],
  )
})

test('redirects a refused page to an error', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const flow = await browser.open('login')
  const credentials = { method: 'password', identifier: 'a', password: 'b' }
  for (const [token, isExplained] of [
    [{}, false],
    [{ csrf_token: '' }, false],
    [{ csrf_token: 'wrong' }, true],
  ] as const) {
    const led = await browser.post(flow.body.ui.action, { ...credentials, ...token })
    assert.match(led.location ?? '', /^http:\/\/app\.test\/error\?id=/)
    const id = new URL(led.location ?? '').searchParams.get('id')
    const { error } = (await browser.get(`/self-service/errors?id=${id}`)).body
    assert.equal(error.id, 'security_csrf_violation')
    assert.equal('reject_reason' in error.details, isExplained)
  }
})

test('SEC-21 a form that is shown to another browser has its own values and token only', async () => {
  const ADA = 'ada@example.com'
  const code = { passwordless_enabled: true }
  const plain = { selfservice: { methods: { code } } }
  const choosing = { ...plain, feature_flags: { choose_recovery_address: true } }
  for (const [kind, fields, settings] of [
    ['login', { method: 'code', identifier: ADA }, plain],
    ['verification', { method: 'code', email: ADA }, plain],
    ['recovery', { method: 'code', email: ADA }, plain],
    ['recovery', { recovery_address: ADA }, choosing],
  ] as const) {
    const identity = await createTestIdentity(settings)
    await identity.user(ADA)
    const browser = identity.browser()
    const sent = await browser.submit(await browser.open(kind), fields)
    const stranger = identity.browser()
    await stranger.open('login')
    const shown: Answer = await stranger.send('POST', sent.body.ui.action, undefined, { raw: '{' })
    assert.deepEqual([shown.status, JSON.stringify(shown.body).includes(ADA)], [400, false], kind)
    const values = { ...fields, csrf_token: tokenOf(shown as FlowAnswer) }
    const stolen = await browser.submit(sent, values)
    assert.equal(stolen.status, 403, kind)
  }
})

test('a code form that was left for another sign-in says so', async () => {
  const identity = await createTestIdentity({
    selfservice: { methods: { code: { passwordless_enabled: true } } },
  })
  await identity.user('ada@example.com')
  const browser = identity.browser()
  const fields = { method: 'code', identifier: 'ada@example.com' }
  const sent = await browser.submit(await browser.open('login'), fields)
  await browser.signIn('ada@example.com')
  const answer = await browser.submit(sent, { ...fields, code: await identity.code('ada@example.com') })
  assert.deepEqual([answer.status, messageIds(answer)], [400, [4000001]])
})
