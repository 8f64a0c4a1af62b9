import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openLanes } from './lanes.ts'

test('what lanes count while others still run is in the total, in whatever order they end', async () => {
  const runs = {
    units: { ms: 20, tally: { passed: 1, failed: 0, skipped: 1 } },
    screens: { ms: 1, tally: { passed: 10, failed: 0, skipped: 0 } },
    journeys: { ms: 5, tally: { passed: 100, failed: 3, skipped: 0 } },
  }
  const names = Object.keys(runs) as (keyof typeof runs)[]
  for (const [first, second, third] of [names, names.toReversed()]) {
    const lanes = openLanes([[first!, second!], [third!]], async (name) => {
      await delay(runs[name].ms)
      return runs[name].tally
    })
    await lanes.ended
    assert.deepEqual(lanes.total(), { passed: 111, failed: 3, skipped: 1 })
  }
})
