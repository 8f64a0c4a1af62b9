import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { type ExchangeCodes, findHeld, keepForExchange } from '../../sessions/exchange.ts'
import { claimExchange, unclaimExchange } from '../../storage/sessions/session-exchanges.ts'
import type { Outcome } from '../form/decision.ts'
import { withForm } from '../form/render.ts'
import { find, isExpired } from '../form/stored.ts'
import { continueWithProof, followHandoffs } from './handoff.ts'
import { sessionIn } from './provider-return.ts'
import { flowStages } from './stages.ts'

/**
 * Completes the registration that a browser began for an app (SEC-98). Undefined if the codes now stand for a
 * session, or for nothing.
 */
export async function completeHeld(
  ctx: Context,
  codes: ExchangeCodes,
  caller: Caller,
): Promise<Outcome | undefined> {
  const heldRegistration = await findHeld(ctx, codes)
  const flow = heldRegistration && (await find(ctx, 'registration', heldRegistration.flow_id))
  if (!heldRegistration || !flow || isExpired(ctx, flow)) return undefined
  if (!(await claimExchange(ctx.db, heldRegistration.id, ctx.now().toISOString())))
    return await waitForOther(ctx, codes)
  try {
    const form = await withForm(ctx, flow)
    const ending = await continueWithProof(ctx, flowStages.registration, form, {
      ...heldRegistration,
      caller,
    })
    const outcome = await followHandoffs(ctx, ending, caller)
    const issued = outcome.kind === 'finished' ? sessionIn(outcome.body) : undefined
    if (!issued) return outcome
    await keepForExchange(ctx, heldRegistration.id, issued, codes.return_to_code)
    return undefined
  } finally {
    await unclaimExchange(ctx.db, heldRegistration.id)
  }
}

const WAIT_MS = 100
const MOST_WAITS = 50

/** An app may send the request again before it is answered. */
async function waitForOther(ctx: Context, codes: ExchangeCodes): Promise<undefined> {
  for (let waits = 0; waits < MOST_WAITS && (await findHeld(ctx, codes)); waits += 1) await ctx.sleep(WAIT_MS)
}
