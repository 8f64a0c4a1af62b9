import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import { fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, SHARED_LIMITS, userSchema } from '../../kit/kit.ts'

const ADA = 'ada@example.com'
const BEN = 'ben@example.com'
const code = { passwordless_enabled: true }
const flows = {
  registration: { lifespan: '1h', after: { code: { hooks: [{ hook: 'session' }] } } },
}

test('a code registers and verifies the address', async () => {
  const { identity, browser, form, submit } = await underWay()
  assert.deepEqual([form.status, form.body.state, messageIds(form)], [400, 'sent_email', [1040005]])
  assert.deepEqual([nodeOf(form, 'traits.email')?.type, nodeOf(form, 'traits.email')?.value], ['hidden', ADA])
  const done: Answer = await submit({ code: await identity.code(ADA) })
  assert.equal(done.status, 200)
  assert.equal(done.body.identity.verifiable_addresses[0].verified, true)
  assert.equal((await browser.whoami()).status, 200)
  assert.deepEqual(
    (await identity.mails(ADA)).map(({ template_type }) => template_type),
    ['registration_code_valid'],
  )
})

test('a user who registered by code signs in by code', async () => {
  const { identity, submit } = await underWay()
  await submit({ code: await identity.code(ADA) })
  const browser = identity.browser()
  const sent = await browser.submit(await browser.open('login'), { method: 'code', identifier: ADA })
  const values = { method: 'code', identifier: ADA, code: await identity.code(ADA) }
  assert.equal((await browser.submit(sent, values)).status, 200)
})

test('the form asks for the code until a new email is requested', async () => {
  const { identity, submit } = await underWay()
  const repeated = await submit({})
  assert.deepEqual(fieldMessageIds(repeated, 'code'), [4000002])
  assert.equal((await identity.mails(ADA)).length, 1)
  const resent = await submit({ resend: 'code' })
  assert.deepEqual(messageIds(resent), [1040005])
  assert.equal((await identity.mails(ADA)).length, 2)
})

test('a field that an error added precedes the code, hidden', async () => {
  const registration = { ...flows.registration, style: 'profile_first' }
  const identity = await createTestIdentity({ selfservice: { methods: { code }, flows: { registration } } })
  const browser = identity.browser()
  const traits = { email: ADA }
  const refused = await browser.submit(await browser.open('registration'), { method: 'password', traits })
  assert.equal(nodeOf(refused, 'password')?.type, 'text')
  const sent = await browser.submit(refused, { method: 'code', traits })
  const names = sent.body.ui.nodes.map(({ attributes }) => ('name' in attributes ? attributes.name : ''))
  assert.deepEqual(names.slice(0, 6), [
    'csrf_token',
    'traits.email',
    'password',
    'traits.name',
    'method',
    'code',
  ])
  assert.equal(nodeOf(sent, 'password')?.type, 'hidden')
  const named = await browser.submit(sent, { method: 'password', traits })
  assert.equal(nodeOf(named, 'password')?.type, 'text')
})

test('another value of the resend button sends no code', async () => {
  const { identity, submit } = await underWay()
  const refused = await submit({ resend: 'email' })
  assert.deepEqual(fieldMessageIds(refused, 'resend'), [4000001])
  assert.equal((await identity.mails(ADA)).length, 1)
})

test('SEC-02 a code registers its recipient only', async () => {
  const { identity, browser, form } = await underWay()
  const right = await identity.code(ADA)
  const values = { method: 'code', traits: { email: BEN }, code: right }
  assert.deepEqual(messageIds(await browser.submit(form, values)), [4000036])
  assert.deepEqual(messageIds(await browser.submit(form, values)), [4040003])
  assert.equal((await identity.admin('GET', '/admin/identities')).body.length, 0)
})

test('SEC-03 refuses a correct code after five wrong ones', async () => {
  const { identity, submit } = await underWay()
  const right = await identity.code(ADA)
  for (let i = 0; i < 5; i++) assert.deepEqual(messageIds(await submit({ code: other(right) })), [4040003])
  assert.deepEqual(messageIds(await submit({ code: right })), [4000001])
  assert.equal((await identity.admin('GET', '/admin/identities')).body.length, 0)
})

test('SEC-03 an address gets ten codes and ten guesses an hour', async () => {
  for (const [limits, most, mails] of [
    [SHARED_LIMITS, 10, 10],
    [{ ...SHARED_LIMITS, mail: 'off' }, 10, 30],
  ] as const) {
    const config = { selfservice: { methods: { code }, flows }, ...twoAddresses(), limits }
    const identity = await createTestIdentity(config)
    const told: number[] = []
    for (let n = 0; n < 30; n++) {
      const browser = identity.browser()
      const values = { method: 'code', traits: { email: `a${n}@example.com`, second: BEN } }
      const form = await browser.submit(await browser.open('registration'), values)
      told.push(...messageIds(await browser.submit(form, { ...values, code: 'abcdef' })))
    }
    const expected = Array.from({ length: 30 }, (_, n) => (n < most ? 4040003 : 4290001))
    assert.deepEqual(told, expected)
    assert.equal((await identity.mails(BEN)).length, mails)
  }
})

test('SEC-05 a code registers for ten minutes', async () => {
  const early = await underWay()
  early.identity.advance(10 * 60_000 - 1000)
  assert.equal((await early.submit({ code: await early.identity.code(ADA) })).status, 200)

  const late = await underWay()
  late.identity.advance(10 * 60_000)
  const refused: Answer = await late.submit({ code: await late.identity.code(ADA) })
  assert.deepEqual([refused.status, refused.body.error.id], [410, 'self_service_flow_expired'])
  const next = await late.browser.get(`/self-service/registration/flows?id=${refused.body.use_flow_id}`)
  assert.deepEqual(messageIds(next), [4040001])
})

test('the correct code reveals a taken address', async () => {
  const { identity, submit } = await underWay()
  await identity.user(ADA)
  const right = await identity.code(ADA)
  const refused = await submit({ code: right })
  assert.deepEqual([refused.status, messageIds(refused), refused.body.state], [400, [4000007], 'sent_email'])
  assert.deepEqual(messageIds(await submit({ resend: 'code' })), [1040005])
})

test("verifies the recipient's address only", async () => {
  const identity = await createTestIdentity({ selfservice: { methods: { code }, flows }, ...twoAddresses() })
  const browser = identity.browser()
  const values = { method: 'code', traits: { email: ADA, second: BEN } }
  const form = await browser.submit(await browser.open('registration'), values)
  const [first, second] = [await identity.code(ADA), await identity.code(BEN)]
  assert.notEqual(first, second)
  const done: Answer = await browser.submit(form, { ...values, code: second })
  const proven = done.body.identity.verifiable_addresses.filter((one: { verified: boolean }) => one.verified)
  assert.deepEqual(
    proven.map(({ value }: { value: string }) => value),
    [BEN],
  )
})

test('asking for a code keeps the traits of the first screen', async () => {
  const registration = { ...flows.registration, style: 'profile_first' }
  const settings = { selfservice: { methods: { code }, flows: { registration } } }
  const identity = await createTestIdentity(settings)
  const browser = identity.browser()
  const traits = { email: ADA, name: 'Ada' }
  const second = await browser.submit(await browser.open('registration'), { method: 'profile', traits })
  const sent = await browser.submit(second, { method: 'code', traits: { email: ADA } })
  assert.equal(nodeOf(sent, 'traits.name')?.value, 'Ada')
  const values = { method: 'code', traits, code: await identity.code(ADA) }
  const done: Answer = await browser.submit(sent, values)
  assert.deepEqual(done.body.identity?.traits, traits)
})

function twoAddresses() {
  const traits = structuredClone(userSchema.properties.traits)
  const properties = { ...traits.properties, second: traits.properties.email }
  const schema = { ...userSchema, properties: { traits: { ...traits, properties } } }
  return { identity: { schemas: [{ id: 'default', schema }] } }
}

async function underWay(method: object = code) {
  const identity = await createTestIdentity({ selfservice: { methods: { code: method }, flows } })
  const browser = identity.browser()
  const values = { method: 'code', traits: { email: ADA } }
  const form = await browser.submit(await browser.open('registration'), values)
  const submit = (more: object): Promise<FlowAnswer> => browser.submit(form, { ...values, ...more })
  return { identity, browser, form, submit }
}

function other(digits: string): string {
  return String((Number(digits) + 1) % 1_000_000).padStart(6, '0')
}
