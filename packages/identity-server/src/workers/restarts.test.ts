import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRestarts } from './restarts.ts'

/** Returns the pause before each start. */
function pausesOf(runs: readonly number[]): number[] {
  let now = 0
  const restarts = createRestarts(() => now)
  return runs.map((ran) => {
    restarts.started(1)
    now += ran
    const pause = restarts.pause(1)
    now += pause
    return pause
  })
}

test('FLT-31 restarts a failing worker at most every ten seconds', () => {
  const pauses = pausesOf(Array.from({ length: 2000 }, () => 0))
  assert.deepEqual(pauses.slice(0, 6), [0, 1000, 2000, 4000, 8000, 10_000])
  assert.deepEqual([...new Set(pauses.slice(6))], [10_000])
})

test('FLT-31 replaces a hung worker almost at once', () => {
  const pauses = pausesOf(Array.from({ length: 100 }, () => 9500))
  assert.ok(Math.max(...pauses) <= 500)
})

test('replaces a worker at once after a minute', () => {
  assert.deepEqual(pausesOf([0, 0, 0, 60_000, 0, 0]), [0, 1000, 2000, 0, 1000, 2000])
  const restarts = createRestarts(() => 0)
  for (const worker of [1, 2]) {
    restarts.started(worker)
    assert.equal(restarts.pause(worker), 0)
  }
})
