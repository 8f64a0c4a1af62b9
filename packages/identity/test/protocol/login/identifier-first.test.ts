import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import { fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

const ADA = 'ada@example.com'
const BARE = 'bare@example.com'
const login = { style: 'identifier_first' }
const FIRST = { selfservice: { flows: { login } } }
const WITH_CODES = { selfservice: { flows: { login }, methods: { code: { passwordless_enabled: true } } } }
const PRIVATE = { security: { account_enumeration: { mitigate: true } } }

test('asks for the identifier first, then for the password', async () => {
  const identity = await withTwo(FIRST)
  const browser = identity.browser()
  const first = await browser.open('login')
  assert.deepEqual(names(first), ['identifier', 'method=identifier_first', 'csrf_token'])
  const second = await named(browser, ADA)
  assert.equal(second.status, 400)
  assert.deepEqual(names(second), ['identifier', 'csrf_token', 'password', 'method=password'])
  assert.deepEqual([nodeOf(second, 'identifier')?.type, nodeOf(second, 'identifier')?.value], ['hidden', ADA])
  const wrong = await browser.submit(second, { method: 'password', identifier: ADA, password: 'wrong' })
  assert.deepEqual([messageIds(wrong), names(wrong)], [[4000006], names(second)])
  const done = await browser.submit(second, { method: 'password', identifier: ADA, password: PASSWORD })
  assert.equal(done.status, 200)
})

const client = { client_id: 'id', client_secret: 'secret', mapper: () => ({ identity: {} }) }
const oidc = {
  enabled: true,
  config: { providers: [{ id: 'github', provider: 'github' as const, ...client }] },
}

test('asks for the identifier if a provider is meant but not named', async () => {
  const identity = await withTwo({ selfservice: { flows: { login }, methods: { oidc } } })
  const browser = identity.browser()
  const refused = await browser.submit(await browser.open('login'), { method: 'oidc' })
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'identifier')], [400, [4000037]])
})

test('offers no provider to an account that has none, and only its own', async () => {
  const identity = await withTwo({ selfservice: { flows: { login }, methods: { oidc } } })
  const browser = identity.browser()
  const offered = async (identifier: string) => {
    const form = await named(browser, identifier)
    return [form.status, nodeOf(form, 'provider')?.value, fieldMessageIds(form, 'identifier')]
  }
  assert.deepEqual(await offered('nobody@example.com'), [400, 'github', [4000037]])
  assert.deepEqual(await offered(BARE), [400, undefined, [4000037]])
  assert.deepEqual(await offered(ADA), [400, undefined, []])
})

test('provider buttons stay in place with hidden accounts', async () => {
  const identity = await withTwo({ ...PRIVATE, selfservice: { flows: { login }, methods: { oidc } } })
  const second = await named(identity.browser(), ADA)
  assert.deepEqual(names(second).slice(0, 3), ['identifier', 'provider=github', 'csrf_token'])
})

test('rejects an identifier without a usable method', async () => {
  const identity = await withTwo(FIRST)
  for (const identifier of ['nobody@example.com', BARE, '']) {
    const refused = await named(identity.browser(), identifier)
    assert.deepEqual([refused.status, fieldMessageIds(refused, 'identifier')], [400, [4000037]], identifier)
    assert.equal(nodeOf(refused, 'identifier')?.value, identifier)
  }
})

test('with hidden accounts, only a code needs an identifier to be sent to', async () => {
  for (const [settings, ids] of [
    [FIRST, []],
    [WITH_CODES, [4000002]],
  ] as const) {
    const identity = await withTwo({ ...PRIVATE, ...settings })
    const answer = await named(identity.browser(), '')
    assert.deepEqual([answer.status, fieldMessageIds(answer, 'identifier')], [400, ids])
  }
})

test('any method fills the field with the identifier, or empties it', async () => {
  const identity = await withTwo(FIRST)
  const browser = identity.browser()
  const refused = await named(browser, 'nobody@example.com')
  const emptied = await browser.submit(refused, { method: 'totp', totp_code: '123456' })
  assert.deepEqual(
    [fieldMessageIds(emptied, 'identifier'), nodeOf(emptied, 'identifier')?.value],
    [[4000037], ''],
  )
  const other = await browser.submit(emptied, { method: 'totp', identifier: 'other@example.com' })
  assert.equal(nodeOf(other, 'identifier')?.value, 'other@example.com')
})

test('emails a code if the user has only that method', async () => {
  const identity = await withTwo(WITH_CODES)
  const browser = identity.browser()
  const form = await named(browser, BARE)
  assert.deepEqual([form.body.state, messageIds(form)], ['sent_email', [1010014]])
  const code = await identity.code(BARE)
  const done: Answer = await browser.submit(form, { method: 'code', identifier: BARE, code })
  assert.equal(done.status, 200)
})

test('offers a choice between password and code', async () => {
  const identity = await withTwo(WITH_CODES)
  const browser = identity.browser()
  const form = await named(browser, ADA)
  assert.deepEqual(names(form), ['identifier', 'csrf_token', 'password', 'method=password', 'method=code'])
  assert.equal((await identity.mails(ADA)).length, 0)
  const sent = await browser.submit(form, { method: 'code', identifier: ADA })
  assert.deepEqual(messageIds(sent), [1010014])
})

test('treats any other submission as the first screen', async () => {
  const identity = await withTwo(FIRST)
  for (const values of [{ identifier: ADA }, { method: 'telepathy', identifier: ADA }]) {
    const browser = identity.browser()
    const form = await browser.submit(await browser.open('login'), values)
    assert.equal(nodeOf(form, 'identifier')?.type, 'hidden')
  }
})

test('a method that is only a second factor leaves the first screen to the identifier', async () => {
  const rp = { display_name: 'Test', id: 'identity.test', origins: ['https://identity.test'] }
  const methods = {
    code: { mfa_enabled: true },
    webauthn: { enabled: true, config: { passwordless: false, rp } },
  }
  for (const method of ['code', 'webauthn']) {
    for (const [flows, expected] of [
      [{ login }, [[], 'hidden']],
      [{}, [[4010002], 'text']],
    ] as const) {
      const browser = (await withTwo({ selfservice: { flows, methods } })).browser()
      const form = await browser.submit(await browser.open('login'), { method, identifier: ADA })
      const found = [messageIds(form), nodeOf(form, 'identifier')?.type]
      assert.deepEqual(found, expected, method)
    }
  }
})

test("the first screen requires the form's token", async () => {
  const identity = await withTwo(FIRST)
  const browser = identity.browser()
  const form = await browser.open('login')
  const forged = await browser.submit(form, { identifier: ADA, csrf_token: 'forged' })
  assert.equal(forged.status, 403)
})

test('reauthentication skips the identifier', async () => {
  const identity = await withTwo(FIRST)
  const browser = identity.browser()
  await browser.submit(await browser.open('login'), {
    method: 'password',
    identifier: ADA,
    password: PASSWORD,
  })
  const refresh = await browser.open('login', '?refresh=true')
  assert.deepEqual(names(refresh), ['csrf_token', 'identifier', 'password', 'method=password'])
  const lost = await browser.submit(refresh, { method: 'identifier_first', identifier: ADA })
  assert.deepEqual(messageIds(lost), [4010002])
})

for (const [what, overrides] of [
  ['with passwords', FIRST],
  ['with passwords and codes', WITH_CODES],
  ['with codes alone', onlyCodes()],
] as const) {
  test(`SEC-13 ${what} the second screen reveals no account`, async () => {
    const identity = await withTwo({ ...overrides, ...PRIVATE })
    const forms = await Promise.all(
      [ADA, BARE, 'nobody@example.com'].map(async (identifier) => {
        const form = await named(identity.browser(), identifier)
        return { status: form.status, state: form.body.state, messages: messageIds(form), nodes: names(form) }
      }),
    )
    assert.deepEqual(forms[1], forms[0])
    assert.deepEqual(forms[2], forms[0])
    assert.deepEqual(await identity.mails('nobody@example.com'), [])
  })
}

function onlyCodes() {
  const methods = { code: { passwordless_enabled: true }, password: { enabled: false } }
  return { selfservice: { flows: { login }, methods } }
}

async function named(browser: Browser, identifier: string): Promise<FlowAnswer> {
  return await browser.submit(await browser.open('login'), { method: 'identifier_first', identifier })
}

async function withTwo(overrides: object): Promise<TestIdentity> {
  const identity = await createTestIdentity(overrides as Record<string, unknown>)
  await identity.user(ADA)
  const made = await identity.admin('POST', '/admin/identities', { traits: { email: BARE } })
  assert.equal(made.status, 201)
  return identity
}

/** In order. */
function names(flow: FlowAnswer): string[] {
  return flow.body.ui.nodes.map(({ attributes }) => {
    if (!('name' in attributes)) return attributes.id
    return attributes.type === 'submit' ? `${attributes.name}=${attributes.value}` : attributes.name
  })
}
