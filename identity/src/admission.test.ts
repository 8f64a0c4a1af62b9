import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createAdmission } from './admission.ts'
import { ProtocolError } from './errors.ts'

test('FLT-20 while the processor keeps requests waiting new work is refused, and taken again afterwards', async () => {
  const admission = createAdmission(100, () => 0)
  admission.assertRoom()
  for (let turn = 0; turn < 4; turn++) {
    compute(250)
    await delay(1)
  }
  assert.throws(() => admission.assertRoom(), isBusy)
  for (let waited = 0; waited < 10_000 && isFull(admission); waited += 100) await delay(100)
  admission.assertRoom()
  admission.stop()
})

test('FLT-21 while requests wait for a connection new work is refused at once', () => {
  let waiting = 400
  const admission = createAdmission(500, () => waiting)
  admission.assertRoom()
  waiting = 501
  assert.throws(() => admission.assertRoom(), isBusy)
  const unbounded = createAdmission(0, () => waiting)
  unbounded.assertRoom()
  for (const { stop } of [admission, unbounded]) stop()
})

function isBusy(error: unknown): boolean {
  return error instanceof ProtocolError && error.parts.status === 503 && error.parts.retryAfter === 1
}

function isFull(admission: ReturnType<typeof createAdmission>): boolean {
  try {
    admission.assertRoom()
    return false
  } catch {
    return true
  }
}

function compute(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}
