import type { Context } from '../contract/contract.ts'

/** Longer than storing an email and handing it to a nearby mail server takes, even under load. */
const TIME_MS = 100

/**
 * Runs `work` and returns after a fixed time, which covers accounts that exist and those that do not: the response time
 * must not tell them apart (SEC-14). Nothing that only one case starts is left running for the next request to reveal.
 */
export async function withMinimumDuration<Result>(
  ctx: Context,
  work: () => Promise<Result>,
): Promise<Result> {
  const [result] = await Promise.all([work(), ctx.sleep(TIME_MS)])
  return result
}
