import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds. Even a busy machine is faster unless the condition never holds. */
const PATIENCE = 120_000

/** Waits for a condition that the test does not control. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE; !(await isSo()); await delay(10))
    assert.ok(performance.now() < end, `it did not happen: ${isSo}`)
}

/** Retries a request while the service is too busy, like real clients. */
export async function untilServed<Answer extends { readonly status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await send()
    if (answer.status !== 503) return answer
    await delay(10)
  }
}
