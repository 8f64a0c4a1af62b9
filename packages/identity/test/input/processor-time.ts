import assert from 'node:assert/strict'

const LITTLE_MS = 20
const BYTES = 6_000

/** The slowest reference so far. */
let much = 0

/**
 * Fails if `work` takes more processor time than quadratic work on 6,000 bytes. The fastest of five
 * runs excludes garbage collection.
 */
export async function assertCheap(name: string, work: () => unknown): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  let most = Math.max(LITTLE_MS, much)
  for (let tries = 0; tries < 5 && least >= most; tries++) {
    least = Math.min(least, await processorTime(work))
    if (least >= most) most = Math.max(most, await measureMuch())
  }
  assert.ok(least < most, `${Math.round(least)} ms, where ${Math.round(most)} ms would be much: ${name}`)
}

async function measureMuch(): Promise<number> {
  const measured = await processorTime(lookAgain)
  much = much === 0 ? measured : Math.min(much, measured)
  return measured
}

/** Milliseconds of the event loop's thread, which ignore other programs and garbage collection threads. */
async function processorTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

function lookAgain(): void {
  const text = 'x'.repeat(BYTES)
  let different = 0
  for (let one = 0; one < BYTES; one++)
    for (let other = 0; other < BYTES; other++)
      if (text.charCodeAt(one) !== text.charCodeAt(other)) different += 1
  assert.equal(different, 0)
}
