import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSweep } from './sweep.ts'

test('a slow sweep always pauses, and asks for a checkpoint only after a removal', async () => {
  assert.deepEqual(await listRests(1), [true, true, true])
  assert.deepEqual(await listRests(0), [false, false, false])
})

/** Sweeps three rows, each for longer than a batch. Returns whether each rest followed a write. */
async function listRests(removedEach: number): Promise<boolean[]> {
  const sweep = createSweep<number, number>({
    list: async () => ({ found: [1, 2, 3], last: undefined }),
    async remove() {
      const end = performance.now() + 15
      while (performance.now() < end);
      return removedEach
    },
  })
  const rests: boolean[] = []
  const rest = async (_since: number, hasWritten: boolean) => {
    rests.push(hasWritten)
  }
  await sweep({ rest, count: () => {}, signal: undefined })
  return rests
}
