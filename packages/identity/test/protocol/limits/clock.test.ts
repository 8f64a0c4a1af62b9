import assert from 'node:assert/strict'
import { messageIds } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { ADA, addTotp, atSecondFactor, codeOf, STEP_MS, withAda } from '../../kit/factors.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { askForCode, letsIn } from '../../kit/recovery-kit.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const JUMPS = [30 * MINUTE, -30 * MINUTE, DAY, -DAY, -365 * DAY]

test('FLT-12 TOTP codes work once each after the clock is corrected', async () => {
  const { identity, browser } = await withAda()
  const secret = await addTotp(identity, browser)
  const enter = async (code: string) => {
    const { browser, flow } = await atSecondFactor(identity)
    return await browser.submit(flow, { method: 'totp', totp_code: code })
  }
  for (const jump of JUMPS) {
    identity.advance(jump)
    const early = await enter(codeOf(identity, secret, -jump / STEP_MS))
    assert.deepEqual([early.status, messageIds(early)], [400, [4000008]], `after a jump of ${jump} ms`)
    identity.advance(-jump)
    const code = codeOf(identity, secret)
    assert.equal((await enter(code)).status, 200, `after a jump of ${jump} ms and back`)
    assert.equal((await enter(code)).status, 400, 'the same code again')
    identity.advance(10 * MINUTE)
  }
})

test('FLT-12 accepts an emailed code when the clock is thirty seconds behind', async () => {
  const { identity, browser, form, code } = await askForCode()
  identity.advance(-MINUTE / 2)
  assert.ok(letsIn(await browser.submit(form, { method: 'code', code })))
  assert.ok(!letsIn(await browser.submit(form, { method: 'code', code })))
})

for (const jump of JUMPS) {
  test(`FLT-12 a jump of ${jump / MINUTE} minutes expires an emailed code`, async () => {
    const { identity, form, browser, code } = await askForCode({
      selfservice: {
        flows: { recovery: { lifespan: '48h' } },
        methods: { code: { config: { lifespan: '15m' } } },
      },
    })
    identity.advance(jump)
    assert.ok(!letsIn(await browser.submit(form, { method: 'code', code })))
    const other = identity.browser()
    const again = await other.submit(await other.open('recovery'), { method: 'code', email: ADA })
    const codes = (await identity.mails(ADA)).map(({ body }) => /\b\d{6}\b/.exec(body)?.[0])
    const newCode = codes.find((one) => one !== code)
    assert.ok(letsIn(await other.submit(again, { method: 'code', code: newCode })))
  })
}

test('FLT-12 a clock set back by an hour stops no sign-ups', async () => {
  const identity = await createTestIdentity()
  const statuses = []
  for (let n = 0; n < 10; n++) {
    if (n === 5) identity.advance(-60 * MINUTE)
    statuses.push((await identity.app().register(`user${n}@example.com`)).status)
  }
  assert.deepEqual(new Set(statuses), new Set([200]))
})
