import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds. However busy the machine is, only what never happens takes so long. */
const PATIENCE = 120_000

/** Waits for what happens beside the test. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE; !(await isSo()); await delay(10))
    assert.ok(performance.now() < end, `it did not happen: ${isSo}`)
}

/** Sends a request again while the service is too busy for it: clients that are told to come back do. */
export async function untilServed<Answer extends { readonly status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await send()
    if (answer.status !== 503) return answer
    await delay(10)
  }
}
