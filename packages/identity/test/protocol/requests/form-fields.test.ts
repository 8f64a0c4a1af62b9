import assert from 'node:assert/strict'
import {
  type Answer,
  type FlowAnswer,
  fieldMessageIds,
  messageIds,
  tokenOf,
} from '../../../src/testing/answers.ts'
import { RP } from '../../../src/testing/authenticator.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { ADA, EVE } from '../../kit/recovery-kit.ts'

test('accepts a field sent twice with one value', async () => {
  const { browser, form } = await signInForm()
  const fields = [['method', 'password'], ...credentials(), ['identifier', ADA], ['method', 'password']]
  assert.equal((await post(browser, form, fields)).location, 'http://app.test/')
  assert.equal((await browser.whoami()).status, 200)
})

test('ignores an empty field next to a filled one', async () => {
  const { browser, form } = await signInForm()
  const fields = [
    ['password', ''],
    ...credentials(),
    ['identifier', ''],
    ['identifier', ''],
    ['method', ''],
    ['method', 'password'],
  ]
  assert.equal((await post(browser, form, fields)).location, 'http://app.test/')
  assert.equal((await browser.whoami()).status, 200)
})

test('uses the first of several methods', async () => {
  const { browser, form } = await signInForm()
  const fields = [['method', 'password'], ...credentials(), ['method', 'code'], ['method', 'oidc']]
  assert.equal((await post(browser, form, fields)).location, 'http://app.test/')
})

test('reads the first JSON document, without a byte-order mark', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const signIn = async (before: string, after: string) => {
    const browser = identity.browser()
    const form = await browser.open('login')
    const values = { csrf_token: tokenOf(form), method: 'password', identifier: ADA, password: PASSWORD }
    return (await browser.submit(form, {}, { raw: before + JSON.stringify(values) + after })).status
  }
  assert.deepEqual([await signIn('', '{"method":"code"} and more'), await signIn('\ufeff', '')], [200, 400])
  const draft = `{"traits":{"email":"${EVE}"}}`
  const create = (body: string) =>
    identity.adminApp.request('http://localhost/identities', { method: 'POST', body })
  assert.deepEqual([(await create(`${draft},`)).status, (await create(`\ufeff${draft}`)).status], [201, 400])
})

test('half of a surrogate pair becomes a replacement character', async () => {
  const identity = await createTestIdentity()
  const app = identity.app()
  const traits = { email: ADA, name: 'A\ud83dda \u{1f98a}' }
  const password = { method: 'password', password: PASSWORD, traits }
  const registered: Answer = await app.submit(await app.open('registration'), password)
  assert.equal(registered.body.identity?.traits.name, 'A\ufffdda \u{1f98a}')
})

test('SEC-08 emails neither of two addresses', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  await identity.user(EVE)
  const browser = identity.browser()
  const form = await browser.open('recovery')
  const fields = [
    ['method', 'code'],
    ['email', ADA],
    ['email', EVE],
  ]
  await post(browser, form, fields)
  assert.equal(
    (await browser.get(`/self-service/recovery/flows?id=${form.body.id}`)).body.state,
    'choose_method',
  )
  assert.equal((await identity.mails(ADA)).length + (await identity.mails(EVE)).length, 0)
})

test('SEC-08 two identifiers or passwords authenticate no one', async () => {
  for (const contradiction of [
    ['identifier', EVE],
    ['password', 'another 1 of them'],
  ]) {
    const { browser, form } = await signInForm()
    await post(browser, form, [['method', 'password'], ...credentials(), contradiction])
    assert.equal((await browser.whoami()).status, 401)
  }
})

test('SEC-08 two new passwords, or one of another type, change nothing', async () => {
  const identity = await createTestIdentity()
  const browser = await identity.signedIn(ADA)
  const choices = ['first 1 of them', 'second 2 of them'].map((password) => ['password', password])
  const fields = [['method', 'password'], ...choices]
  const refused = await post(browser, await browser.open('settings'), fields, 'application/json')
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'password')], [400, [4000026]])
  for (const password of [['first 1 of them'], { a: 'first 1 of them' }, 12_345_678_901_234]) {
    const saved = await browser.submit(await browser.open('settings'), { method: 'password', password })
    assert.deepEqual([saved.status, fieldMessageIds(saved, 'password')], [400, [4000026]])
    const registration = { method: 'password', traits: { email: EVE }, password }
    const visitor = identity.browser()
    const registered = await visitor.submit(await visitor.open('registration'), registration)
    assert.deepEqual([registered.status, fieldMessageIds(registered, 'password')], [400, [4000026]])
  }
  assert.equal((await identity.browser().signIn(ADA)).status, 200)
})

test('SEC-41 rejects more than 200 fields', async () => {
  const { browser, form } = await signInForm()
  const fields = [['method', 'password'], ...credentials()]
  const padded = (count: number) => [...fields, ...Array.from({ length: count }, (_, n) => [`a${n}`, ''])]
  const refused = await post(browser, form, padded(200), 'application/json')
  assert.deepEqual([refused.status, messageIds(refused as FlowAnswer)], [400, [4000001]])
  assert.equal(refused.body.ui.messages[0].text, 'The form has more than 200 fields.')
  assert.equal((await post(browser, form, padded(196), 'application/json')).status, 200)
})

async function signInForm() {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const browser = identity.browser()
  return { browser, form: await browser.open('login') }
}

function credentials(): string[][] {
  return [
    ['identifier', ADA],
    ['password', PASSWORD],
  ]
}

async function post(
  browser: Browser,
  form: FlowAnswer,
  fields: string[][],
  accept = 'text/html',
): Promise<Answer> {
  const raw = new URLSearchParams([['csrf_token', String(tokenOf(form))], ...fields]).toString()
  const headers = { accept, 'content-type': 'application/x-www-form-urlencoded' }
  return await browser.send('POST', form.body.ui.action, {}, { raw, headers })
}

async function withKeys(): Promise<Browser> {
  const config = { passwordless: true, rp: RP }
  const methods = { webauthn: { enabled: true, config }, passkey: { enabled: true, config: { rp: RP } } }
  return (await createTestIdentity({ selfservice: { methods } })).browser()
}

test('a registration that no method takes asks for a security key', async () => {
  const browser = await withKeys()
  for (const method of ['webauthn', 'passkey', 'unknown', undefined]) {
    const values = { method, traits: { email: ADA } }
    const refused = await browser.submit(await browser.open('registration'), values)
    const asked = ['identifier', 'webauthn_register'].flatMap((field) => fieldMessageIds(refused, field))
    assert.deepEqual([asked, messageIds(refused)], [[4000002, 4000002], []], method)
  }
})

test('the response of a key counts next to a method that is not offered', async () => {
  const browser = await withKeys()
  for (const answer of ['webauthn_login', 'passkey_login'])
    for (const [method, id] of [
      ['totp', 4000001],
      ['lookup_secret', 4000001],
      ['password', 4000006],
    ] as const) {
      const values = { method, identifier: 'ada@example.com', password: 'wrong', [answer]: '{}' }
      const refused = await browser.submit(await browser.open('login'), values)
      assert.deepEqual(messageIds(refused), [id], `${method} with ${answer}`)
    }
})

test('refuses a form with a bare percent sign or semicolon', async () => {
  const browser = (await createTestIdentity()).browser()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const password of ['100%', '%zz', 'a;b']) {
    const raw = `method=password&identifier=ada@example.com&password=${password}`
    const refused = await browser.submit(await browser.open('login'), {}, { raw, headers })
    assert.deepEqual([refused.status, messageIds(refused)], [400, [4000001]], password)
  }
})

test('refuses a flag other than true and false', async () => {
  const methods = { totp: { enabled: true }, lookup_secret: { enabled: true } }
  const browser = (await createTestIdentity({ selfservice: { methods } })).browser()
  await browser.register('ada@example.com')
  for (const [method, field] of Object.entries({
    totp: 'totp_unlink',
    lookup_secret: 'lookup_secret_reveal',
  })) {
    const refused = await browser.submit(await browser.open('settings'), { method, [field]: 'on' })
    assert.deepEqual([refused.status, messageIds(refused)], [400, [4000001]], field)
  }
})
