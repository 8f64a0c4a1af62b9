import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import { fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'

const ADA = 'ada@example.com'
const TRAITS = { email: ADA, name: 'Ada' }
const STEPS = { selfservice: { flows: { registration: { style: 'profile_first' } } } }

test('a registration asks for the traits, then for a sign-in method', async () => {
  const browser = (await createTestIdentity(STEPS)).browser()
  const first = await browser.open('registration')
  assert.deepEqual(names(first), ['csrf_token', 'traits.email', 'traits.name', 'method=profile'])
  const second = await browser.submit(first, { method: 'profile', traits: TRAITS })
  assert.deepEqual([second.status, messageIds(second)], [400, [1040009]])
  assert.deepEqual(
    ['email', 'name'].map((name) => [
      nodeOf(second, `traits.${name}`)?.type,
      nodeOf(second, `traits.${name}`)?.value,
    ]),
    [
      ['hidden', ADA],
      ['hidden', 'Ada'],
    ],
  )
  assert.ok(names(second).includes('password') && names(second).includes('screen=previous'))
  const done: Answer = await browser.submit(second, {
    method: 'password',
    traits: TRAITS,
    password: PASSWORD,
  })
  assert.deepEqual([done.status, done.body.identity.traits], [200, TRAITS])
})

test('going back shows no field of the second screen', async () => {
  const browser = (await createTestIdentity(STEPS)).browser()
  const first = await browser.open('registration')
  const early = await browser.submit(first, { method: 'password', traits: TRAITS })
  assert.ok(nodeOf(early, 'password'))
  const second = await browser.submit(early, { method: 'profile', traits: TRAITS })
  const back = await browser.submit(second, { screen: 'previous', traits: TRAITS })
  assert.deepEqual(names(back), names(first))
})

test('going back keeps the values', async () => {
  const browser = (await createTestIdentity(STEPS)).browser()
  const first = await browser.open('registration')
  const second = await browser.submit(first, { method: 'profile', traits: TRAITS })
  const back = await browser.submit(second, { screen: 'previous', traits: TRAITS })
  assert.deepEqual(names(back), names(first))
  assert.deepEqual([nodeOf(back, 'traits.name')?.type, nodeOf(back, 'traits.name')?.value], ['text', 'Ada'])
  assert.deepEqual(messageIds(back), [])
  const again = await browser.submit(back, { method: 'profile', traits: { email: ADA } })
  assert.deepEqual(
    [nodeOf(again, 'traits.name')?.type, nodeOf(again, 'traits.name')?.value],
    ['hidden', undefined],
  )
  const byMethod = await browser.submit(again, { method: 'profile:back', traits: { email: ADA } })
  assert.deepEqual(names(byMethod), names(first))
})

test("SEC-34 every screen has the form's token", async () => {
  const browser = (await createTestIdentity(STEPS)).browser()
  const first = await browser.open('registration')
  const forged = { csrf_token: 'forged', traits: TRAITS }
  assert.equal((await browser.submit(first, { ...forged, method: 'profile' })).status, 403)
  const second = await browser.submit(first, { method: 'profile', traits: TRAITS })
  assert.equal((await browser.submit(second, { ...forged, screen: 'previous' })).status, 403)
})

test('reports invalid traits on the first screen', async () => {
  const browser = (await createTestIdentity(STEPS)).browser()
  const refused = await browser.submit(await browser.open('registration'), {
    method: 'profile',
    traits: { email: 'nobody', name: 'Ada' },
  })
  assert.deepEqual(fieldMessageIds(refused, 'traits.email'), [4000040])
  assert.equal(nodeOf(refused, 'traits.name')?.value, 'Ada')
})

test('a client with all values registers on the first screen', async () => {
  const browser = (await createTestIdentity(STEPS)).browser()
  const first = await browser.open('registration')
  const short = await browser.submit(first, { method: 'password', traits: TRAITS, password: 'a' })
  assert.deepEqual(fieldMessageIds(short, 'password'), [4000032])
  const done = await browser.submit(first, { method: 'password', traits: TRAITS, password: PASSWORD })
  assert.equal(done.status, 200)
})

test('repeats no field that has an error on the first screen', async () => {
  const browser = (await createTestIdentity(STEPS)).browser()
  const first = await browser.open('registration')
  await browser.submit(first, { method: 'password', traits: TRAITS, password: 'a' })
  const second = await browser.submit(first, { method: 'profile', traits: TRAITS })
  assert.equal(names(second).filter((name) => name === 'password').length, 1)
})

test('the code form hides a field of the first screen that had an error', async () => {
  const methods = { code: { passwordless_enabled: true } }
  const identity = await createTestIdentity({ selfservice: { ...STEPS.selfservice, methods } })
  const browser = identity.browser()
  const first = await browser.open('registration')
  await browser.submit(first, { method: 'password', traits: TRAITS, password: 'a' })
  const sent = await browser.submit(first, { method: 'code', traits: TRAITS })
  assert.equal(nodeOf(sent, 'password')?.type, 'hidden')
})

test('the code form leads back and revokes its code', async () => {
  const identity = await createTestIdentity({
    selfservice: { ...STEPS.selfservice, methods: { code: { passwordless_enabled: true } } },
  })
  const browser = identity.browser()
  const first = await browser.open('registration')
  const sent = await browser.submit(first, { method: 'code', traits: TRAITS })
  const code = await identity.code(ADA)
  const choice = await browser.submit(sent, { screen: 'credential-selection', traits: TRAITS })
  assert.deepEqual([choice.body.state, messageIds(choice)], ['choose_method', [1040009]])
  const resent = await browser.submit(choice, { method: 'code', traits: TRAITS })
  const second = await identity.code(ADA)
  if (code !== second) {
    const old = await browser.submit(resent, { method: 'code', traits: TRAITS, code })
    assert.deepEqual(messageIds(old), [4040003])
  }
  const done = await browser.submit(resent, { method: 'code', traits: TRAITS, code: second })
  assert.equal(done.status, 200)
})

test('a page continues with 303 and returns with 302', async () => {
  const browser = (await createTestIdentity(STEPS)).browser()
  const form = await browser.open('registration')
  const csrf_token = String(nodeOf(form, 'csrf_token')?.value)
  const page = (fields: Record<string, string>) =>
    browser.post(form.body.ui.action, { csrf_token, ...fields })
  assert.equal((await page({ method: 'profile', 'traits.email': 'nobody' })).status, 302)
  assert.equal((await page({ method: 'profile', 'traits.email': ADA })).status, 303)
  assert.equal((await page({ screen: 'previous', 'traits.email': ADA })).status, 303)
})

test('enable_legacy_one_step of older versions gives one screen', async () => {
  const registration = { style: 'profile_first', enable_legacy_one_step: true }
  const form = { selfservice: { flows: { registration } } }
  assert.ok(names(await (await createTestIdentity(form)).browser().open('registration')).includes('password'))
})

/** In order. */
function names(flow: FlowAnswer): string[] {
  return flow.body.ui.nodes.map(({ attributes }) => {
    if (!('name' in attributes)) return attributes.id
    return attributes.type === 'submit' ? `${attributes.name}=${attributes.value}` : attributes.name
  })
}
