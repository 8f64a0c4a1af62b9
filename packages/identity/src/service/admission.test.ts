import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ProtocolError } from '../errors/errors.ts'
import { createAdmission } from './admission.ts'

test('FLT-20 rejects new work while requests wait for the processor', async (t) => {
  const { admission, turn } = onClock(t, 100)
  await admission.assertCapacity('read')
  for (const late of [200, 200, 200]) turn(late)
  await assert.rejects(() => admission.assertCapacity('read'), isBusy)
  turn(0)
  await admission.assertCapacity('read')
  admission.stop()
})

test('FLT-20 rejects nothing after a single stall, such as a suspended machine', async (t) => {
  const { admission, turn } = onClock(t, 100)
  for (const late of [0, 0, 0, 400, 0]) {
    turn(late)
    await admission.assertCapacity('read')
  }
  admission.stop()
})

test('FLT-21 rejects new work while requests wait for a connection', async () => {
  let waiting = 400
  const admission = createAdmission(500, () => waiting)
  await admission.assertCapacity('read')
  waiting = 501
  await assert.rejects(() => admission.assertCapacity('read'), isBusy)
  const unbounded = createAdmission(0, () => waiting)
  await unbounded.assertCapacity('read')
  for (const { stop } of [admission, unbounded]) stop()
})

test('FLT-20 rejects forms but answers look-ups while writers wait', async () => {
  const admission = createAdmission(500, (need) => (need === 'write' ? 501 : 0))
  await assert.rejects(() => admission.assertCapacity('write'), isBusy)
  await admission.assertCapacity('read')
  admission.stop()
})

test('FLT-21 does not delay database responses in a flood', async () => {
  const admission = createAdmission(500, () => 501)
  const flood = Array.from({ length: 100 }, () => admission.assertCapacity('read'))
  let refused = 0
  for (const one of flood) one.catch(() => (refused += 1))
  let before = 0
  for (let turn = 1; refused < flood.length; turn += 1) {
    await nextTurn()
    assert.ok(refused - before <= 10, `${refused - before} in turn ${turn}`)
    before = refused
  }
  admission.stop()
})

test('FLT-21 sends every rejection within half a second', async () => {
  let now = 0
  const admission = createAdmission(
    500,
    () => 501,
    () => now,
  )
  let refused = 0
  const flood = (count: number) => {
    for (let one = 0; one < count; one += 1) admission.assertCapacity('read').catch(() => (refused += 1))
  }
  flood(100)
  now = 400
  flood(100)
  await nextTurn()
  assert.equal(refused, 10)
  now = 500
  await nextTurn()
  assert.equal(refused, 100, 'those that came first')
  await nextTurn()
  assert.equal(refused, 110)
  admission.stop()
})

function isBusy(error: unknown): boolean {
  return error instanceof ProtocolError && error.parts.status === 503 && error.parts.retryAfter === 1
}

function onClock(t: TestContext, limit: number) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  let now = 0
  const admission = createAdmission(
    limit,
    () => 0,
    () => now,
  )
  const turn = (late: number) => {
    now += 50 + late
    t.mock.timers.tick(50)
  }
  return { admission, turn }
}
