import type { Context } from '../contract.ts'
import { countCodeUse, countEarlierCodeUses, uncountCodeUse } from '../storage/code-uses.ts'

const HOUR_MS = 3_600_000
/** The shorter, the sooner a use is forgotten after its hour, and the more rows there are. */
const SPAN_MS = HOUR_MS / 6

/**
 * What may happen to one address within an hour, over all flows, methods and kinds of callers (SEC-03). Twenty guesses
 * at six digits succeed with a chance of 2 in 100,000.
 */
export const BUDGETS = { send: 10, guess: 20, notice: 20 } as const

/**
 * Whether something may be sent to an address, or guessed at it; if so, it counts. It is counted in the database, so
 * that replicas share the budget and a restart does not renew it, and for addresses that nobody has as well: else
 * the answer would tell which have an account (SEC-13). `address` in its stored spelling.
 */
export async function withinBudget(
  ctx: Context,
  what: keyof typeof BUDGETS,
  address: string,
): Promise<boolean> {
  const now = ctx.now().getTime()
  const start = now - (now % SPAN_MS)
  const span = {
    budget: ctx.secrets.mac('budget', `${what}:${address}`),
    started_at: new Date(start).toISOString(),
  }
  const count = await countCodeUse(ctx.db, span)
  const earlier = await countEarlierCodeUses(ctx.db, span, new Date(start - HOUR_MS).toISOString())
  if (count + earlier <= BUDGETS[what]) return true
  // What is refused does not prolong the wait.
  await uncountCodeUse(ctx.db, span)
  return false
}
