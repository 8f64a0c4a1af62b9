import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds; longer than any busy machine takes. */
const PATIENCE = 120_000

export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE; !(await isSo()); await delay(10))
    assert.ok(performance.now() < end, `it did not happen: ${isSo}`)
}

export async function untilServed<Answer extends { readonly status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    const answer = await send()
    if (answer.status !== 503) return answer
    await delay(10)
  }
}
