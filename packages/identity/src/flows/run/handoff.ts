import type { Caller } from '../../contract/caller.ts'
import type { Context, Handoff } from '../../contract/contract.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import { accountLink } from '../../identities/provider-accounts.ts'
import { exchangeId } from '../../sessions/exchange.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { Memo } from '../../storage/flows/memo.ts'
import { messages } from '../../ui/messages.ts'
import type { Ending, FlowSpec, Outcome } from '../form/spec.ts'
import { stepNamed } from '../form/steps.ts'
import { login } from '../login/login.ts'
import { registration } from '../registration/registration.ts'
import { conclude, refuse } from './entries.ts'
import { openAfter } from './open.ts'
import { traceFlow } from './trace.ts'

/** Continues a sign-in that turned out to be a registration, or the reverse, and returns the final outcome. */
export async function followHandoffs(ctx: Context, ending: Ending, caller: Caller): Promise<Outcome> {
  if (ending.kind !== 'handoff') return ending
  const next =
    ending.into === 'login'
      ? await handOff(ctx, login, ending, caller)
      : await handOffToRegistration(ctx, ending, caller)
  return await followHandoffs(ctx, next, caller)
}

/** Kratos compatibility: if registration is disabled, the sign-in form shows the error. */
async function handOffToRegistration(ctx: Context, handoff: Handoff, caller: Caller): Promise<Ending> {
  try {
    return await handOff(ctx, registration, handoff, caller)
  } catch (error) {
    const closed = error instanceof ProtocolError && error.parts.id === 'self_service_flow_disabled'
    if (!closed || handoff.flow.kind !== 'login') throw error
    const refusal = new FormError(messages.generic(error.message))
    const submission = { flow_id: handoff.flow.id, values: {}, caller }
    return await refuse(ctx, login, handoff.flow as Flow<'login'>, submission, refusal)
  }
}

async function handOff<K extends 'login' | 'registration'>(
  ctx: Context,
  spec: FlowSpec<K>,
  { flow: before, method, proof }: Handoff,
  caller: Caller,
): Promise<Ending> {
  const { identity_schema } = before
  const fields = { memo: keptMemo(before), ...(identity_schema === undefined ? {} : { identity_schema }) }
  const flow = await openAfter(ctx, spec, before, { fields }, caller)
  traceFlow(ctx, flow, method)
  const submission = { flow_id: flow.id, values: {}, caller }
  try {
    const step = stepNamed(ctx, flow, method)
    if (!step?.provider?.resumeWith) throw new FormError(spec.noMethod)
    return await conclude(ctx, spec, flow, await step.provider.resumeWith(ctx, flow, proof), submission)
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    return await refuse(ctx, spec, flow, submission, error)
  }
}

/** A native app keeps its exchange, and a sign-in what it links. */
function keptMemo(before: Flow): Memo {
  return { ...exchangeId.entry(exchangeId.read(before)), ...accountLink.entry(accountLink.read(before)) }
}
