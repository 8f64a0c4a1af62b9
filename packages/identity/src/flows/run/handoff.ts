import type { Caller } from '../../contract/caller.ts'
import type { Context, Handoff } from '../../contract/contract.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import { accountLink } from '../../identities/named-account.ts'
import { countAttempt } from '../../limits/limits.ts'
import { type ExchangeCodes, exchangeId, findHeld, keepForExchange } from '../../sessions/exchange.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { claimExchange, unclaimExchange } from '../../storage/sessions/session-exchanges.ts'
import { messages } from '../../ui/messages.ts'
import { assertFlowEnabled } from '../form/admission.ts'
import type { Ending, FlowStages, Outcome } from '../form/decision.ts'
import { oauth2Login } from '../form/oauth2-login.ts'
import { withForm } from '../form/render.ts'
import { formRules } from '../form/rules.ts'
import { stepNamed } from '../form/steps.ts'
import { find, isExpired } from '../form/stored.ts'
import { conclude, openStored, orShowError, showError, traceFlow } from './conclude.ts'
import { sessionIn } from './provider-return.ts'
import { flowStages } from './stages.ts'

export async function followHandoffs(ctx: Context, ending: Ending, caller: Caller): Promise<Outcome> {
  if (ending.kind !== 'handoff') return ending
  const nextFlow =
    ending.into === 'login'
      ? await handOver(ctx, flowStages.login, ending, caller)
      : await handOverToRegistration(ctx, ending, caller)
  return await followHandoffs(ctx, nextFlow, caller)
}

/** Kratos compatibility: the sign-in form shows disabled registration. */
async function handOverToRegistration(ctx: Context, handoff: Handoff, caller: Caller): Promise<Ending> {
  try {
    return await handOver(ctx, flowStages.registration, handoff, caller)
  } catch (error) {
    const closed = error instanceof ProtocolError && error.parts.id === 'self_service_flow_disabled'
    if (!closed || handoff.flow.kind !== 'login') throw error
    const refusal = new FormError(messages.generic(error.message))
    return await showError(ctx, handoff.flow, { flow_id: handoff.flow.id, values: {}, caller }, refusal)
  }
}

async function handOver<K extends 'login' | 'registration'>(
  ctx: Context,
  stages: FlowStages<K>,
  { flow: previousFlow, method, proof }: Handoff,
  caller: Caller,
): Promise<Ending> {
  assertFlowEnabled(ctx, stages.kind)
  const countedAttempt = await countAttempt(ctx, { kind: 'flow' })
  const request = { ...previousFlow, bound: countedAttempt }
  const flow = await openStored(ctx, stages.kind, request, { fields: fieldsKept(previousFlow) }, caller)
  traceFlow(ctx, flow, method)
  return await continueWithProof(ctx, stages, flow, { method, proof, caller })
}

interface ForeignProof extends Pick<Handoff, 'method' | 'proof'> {
  readonly caller: Caller
}

/** Ends a flow with the proof that another one took. */
async function continueWithProof<K extends 'login' | 'registration'>(
  ctx: Context,
  stages: FlowStages<K>,
  flow: Flow<K>,
  { method, proof, caller }: ForeignProof,
): Promise<Ending> {
  const submission = { flow_id: flow.id, values: {}, caller }
  return await orShowError(ctx, { submission, form: () => flow }, async () => {
    const result = await stepNamed(ctx, flow, method)?.continueWith?.(ctx, flow, proof)
    if (!result) throw new FormError(formRules(flow).noMethod)
    return await conclude(ctx, stages, flow, result, submission)
  })
}

function fieldsKept(previousFlow: Flow) {
  const { identity_schema, return_to } = previousFlow
  return {
    memo: {
      ...exchangeId.copy(previousFlow),
      ...accountLink.copy(previousFlow),
      ...oauth2Login.copy(previousFlow),
    },
    ...(identity_schema && { identity_schema }),
    ...(return_to && { return_to }),
  }
}

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
