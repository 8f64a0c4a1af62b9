import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSweep } from './sweep.ts'

test('a slow sweep rests between removals, but not if nothing was removed', async () => {
  assert.equal(await countRests(1), 3)
  assert.equal(await countRests(0), 0)
})

/** Sweeps three rows, each for longer than a batch. */
async function countRests(removedEach: number): Promise<number> {
  const sweep = createSweep<number, number>({
    list: async () => ({ found: [1, 2, 3], last: undefined }),
    async remove() {
      const end = performance.now() + 15
      while (performance.now() < end);
      return removedEach
    },
  })
  let rests = 0
  const rest = async () => {
    rests += 1
  }
  await sweep({ rest, count: () => {}, signal: undefined })
  return rests
}
