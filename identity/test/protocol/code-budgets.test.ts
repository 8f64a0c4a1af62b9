import assert from 'node:assert/strict'
import type { FlowAnswer } from '../answers.ts'
import { messageIds } from '../answers.ts'
import { test } from '../databases.ts'
import type { TestIdentity } from '../kit.ts'
import { createTestIdentity } from '../kit.ts'
import { ADA, letsIn, other } from '../recovery-kit.ts'

const HOUR_MS = 3_600_000
const NOBODY = 'eve@example.com'

test('SEC-03 at most ten codes go to an address within any hour, whatever the form', async () => {
  const identity = await createTestIdentity()
  await identity.person(ADA)
  const sent: number[] = []
  for (let n = 0; n < 60; n++) {
    const kind = n % 2 === 0 ? 'recovery' : 'verification'
    const caller = n % 3 === 0 ? identity.app() : identity.browser()
    const before = (await identity.mails(ADA)).length
    const form = await caller.submit(await caller.open(kind), { method: 'code', email: ADA })
    assert.deepEqual([form.status, form.body.state], [200, 'sent_email'])
    if ((await identity.mails(ADA)).length > before) sent.push(identity.now().getTime())
    identity.advance(4 * 60_000)
  }
  const inAnHour = sent.map((at) => sent.filter((one) => one >= at && one < at + HOUR_MS).length)
  assert.equal(Math.max(...inAnHour), 10)
})

test('SEC-03 of guesses in a hundred forms at one address at most twenty are compared', async () => {
  const { identity, forms } = await manyForms(ADA, 100)
  const compared = await guessAll(identity, forms, ADA)
  assert.equal(compared, 20)
  const [form] = forms
  const right = await identity.app().submit(form as FlowAnswer, { code: await identity.code(ADA) })
  assert.equal(letsIn(right), false)
})

test('SEC-04 of guesses in a hundred forms at once at most twenty are compared', async () => {
  const { identity, forms } = await manyForms(ADA, 100)
  const app = identity.app()
  const answers = await Promise.all(forms.map((form) => app.submit(form, { code: '000000' })))
  assert.equal(answers.filter(({ status }) => status === 200).length, 20)
})

test('SEC-13 the budget of an address that nobody has is the same', async () => {
  const answers = []
  for (const email of [ADA, NOBODY]) {
    const { identity, forms } = await manyForms(email, 30)
    const app = identity.app()
    const compared = await guessAll(identity, forms, ADA)
    const refused = await app.submit(forms[0] as FlowAnswer, { code: '000000' })
    const next = await app.send('GET', refused.location ?? '')
    answers.push([compared, refused.status, messageIds(next), next.body.ui.messages[0].text])
  }
  assert.deepEqual(answers[0], answers[1])
})

test('after an hour somebody who was shut out by guesses gets in again', async () => {
  const { identity, forms } = await manyForms(ADA, 30)
  await guessAll(identity, forms, ADA)
  identity.advance(HOUR_MS + 11 * 60_000)
  const browser = identity.browser()
  const form = await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
  assert.ok(letsIn(await browser.submit(form, { code: await identity.code(ADA) })))
})

async function manyForms(email: string, count: number) {
  const identity = await createTestIdentity()
  await identity.person(ADA)
  const app = identity.app()
  const forms: FlowAnswer[] = []
  for (let n = 0; n < count; n++) {
    forms.push(await app.submit(await app.open('recovery'), { method: 'code', email }))
  }
  return { identity, forms }
}

/** One wrong code in each form; returns how many were told that they are wrong. */
async function guessAll(
  identity: TestIdentity,
  forms: readonly FlowAnswer[],
  email: string,
): Promise<number> {
  const app = identity.app()
  const mailed = (await identity.mails(email)).length > 0
  const code = mailed ? other(await identity.code(email)) : '000000'
  let compared = 0
  for (const form of forms) if ((await app.submit(form, { code })).status === 200) compared++
  return compared
}
