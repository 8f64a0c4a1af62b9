import assert from 'node:assert/strict'

/** Milliseconds that need no second look: the usual machine takes longer to look at 6,000 bytes once for each of them. */
const LITTLE_MS = 20
const BYTES = 6_000

/** The least that `lookAgain` has taken so far: what takes less is not compared with it again. */
let much = 0

/**
 * Fails if `work` would block the event loop for every other request: if it takes more processor time than to look at
 * each of 6,000 bytes again for every other one, on this machine. The least of five, because a garbage collection is
 * not the fault of the work.
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

/**
 * Milliseconds of processor time that the thread of the event loop uses while `work` runs. Unlike elapsed time it does
 * not grow where other programs, or the threads of the garbage collector, are busy.
 */
async function processorTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** What an expression does that looks at each character again for every other one. */
function lookAgain(): void {
  const text = 'x'.repeat(BYTES)
  let different = 0
  for (let one = 0; one < BYTES; one++)
    for (let other = 0; other < BYTES; other++)
      if (text.charCodeAt(one) !== text.charCodeAt(other)) different += 1
  assert.equal(different, 0)
}
