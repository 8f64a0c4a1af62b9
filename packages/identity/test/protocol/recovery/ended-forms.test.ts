import assert from 'node:assert/strict'
import type { Answer } from '../../../src/testing/answers.ts'
import { fieldMessageIds, nodeOf } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { ADA } from '../../kit/recovery-kit.ts'

test('a submission without a method ends a form for codes', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  for (const kind of ['recovery', 'verification'] as const) {
    const flow = await browser.open(kind)
    const refused: Answer = await browser.submit(flow, { email: ADA })
    assert.deepEqual([refused.status, refused.body.active], [400, 'default'], kind)
    const sent: Answer = await browser.submit(flow, { method: 'code', email: ADA })
    assert.deepEqual(
      [sent.status, sent.body.active, sent.body.state],
      [400, 'default', 'choose_method'],
      kind,
    )
  }
})

test('an ended form for codes still reports an invalid address', async () => {
  const app = (await createTestIdentity()).app()
  const flow = await app.open('recovery')
  const shown = []
  for (const values of [{}, { method: 'code', email: 'ada' }, { method: 'code', email: ADA }]) {
    const refused: Answer = await app.submit(flow, values)
    shown.push([refused.body.active, fieldMessageIds(refused, 'email')])
  }
  assert.deepEqual(shown, [
    ['default', []],
    ['link', [4000040]],
    ['default', []],
  ])
})

test('ending a verification empties its address and removes the error', async () => {
  const app = (await createTestIdentity()).app()
  const flow = await app.open('verification')
  const shown = []
  for (const values of [{ method: 'code', email: 'ada' }, {}, { method: 'code', email: ADA }]) {
    const refused = await app.submit(flow, values)
    shown.push([nodeOf(refused, 'email')?.value, fieldMessageIds(refused, 'email')])
  }
  assert.deepEqual(shown, [
    [undefined, [4000040]],
    ['', []],
    ['', []],
  ])
})

test('a form for links names its method again after a submission without one', async () => {
  const methods = { link: { enabled: true }, code: { enabled: false } }
  const flows = { recovery: { enabled: true, use: 'link' } } as const
  const identity = await createTestIdentity({ selfservice: { methods, flows } })
  const app = identity.app()
  const flow = await app.open('recovery')
  const shown = []
  for (const values of [{}, { method: 'link', email: 'nobody' }]) {
    const { status, body }: Answer = await app.submit(flow, values)
    shown.push([status, body.active])
  }
  assert.deepEqual(shown, [
    [400, 'default'],
    [400, 'link'],
  ])
})
