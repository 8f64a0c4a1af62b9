import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createAdmission } from './admission.ts'
import { ProtocolError } from './errors.ts'

test('FLT-20 while the processor keeps requests waiting new work is refused, and taken again afterwards', async () => {
  const admission = createAdmission(100, () => 0)
  admission.assertRoom('read')
  for (let turn = 0; turn < 4; turn++) {
    compute(250)
    await delay(1)
  }
  assert.throws(() => admission.assertRoom('read'), isBusy)
  for (let waited = 0; waited < 10_000 && isFull(admission); waited += 100) await delay(100)
  admission.assertRoom('read')
  admission.stop()
})

test('FLT-20 one long stall, such as a machine that slept, refuses nothing', async () => {
  const admission = createAdmission(100, () => 0)
  await delay(200)
  compute(400)
  admission.assertRoom('read')
  await delay(1)
  admission.assertRoom('read')
  admission.stop()
})

test('FLT-21 while requests wait for a connection new work is refused at once', () => {
  let waiting = 400
  const admission = createAdmission(500, () => waiting)
  admission.assertRoom('read')
  waiting = 501
  assert.throws(() => admission.assertRoom('read'), isBusy)
  const unbounded = createAdmission(0, () => waiting)
  unbounded.assertRoom('read')
  for (const { stop } of [admission, unbounded]) stop()
})

test('FLT-20 while writers wait new forms are refused and look-ups are answered', () => {
  const admission = createAdmission(500, (need) => (need === 'write' ? 501 : 0))
  assert.throws(() => admission.assertRoom('write'), isBusy)
  admission.assertRoom('read')
  admission.stop()
})

function isBusy(error: unknown): boolean {
  return error instanceof ProtocolError && error.parts.status === 503 && error.parts.retryAfter === 1
}

function isFull(admission: ReturnType<typeof createAdmission>): boolean {
  try {
    admission.assertRoom('read')
    return false
  } catch {
    return true
  }
}

function compute(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
