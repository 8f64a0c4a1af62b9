import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { FlowKind, Method } from '../../wire/flow.ts'
import { withForm } from '../form/render.ts'
import type { Ending, FlowSpec } from '../form/spec.ts'
import { stepNamed } from '../form/steps.ts'
import { load, withoutPending } from '../form/stored.ts'
import { conclude, isExpired, refuse } from './entries.ts'
import { traceFlow } from './trace.ts'

interface ProviderCallback {
  readonly method: Method
  readonly flow_id: string
  /** The provider's response: the query of the callback URL. */
  readonly answer: URLSearchParams
  readonly caller: Caller
}

/**
 * Continues the flow of a user whom a provider redirects back. Has no effect before it is certain that this browser
 * started the authorization.
 */
export async function handleCallback<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  { method, flow_id, answer, caller }: ProviderCallback,
): Promise<Ending> {
  const flow = withoutPending(await withForm(ctx, spec, await load(ctx, spec.kind, flow_id)))
  const provider = stepNamed(ctx, flow, method)?.provider
  if (!provider) throw new ProtocolError({ status: 404, reason: 'This sign-in method is disabled.' })
  traceFlow(ctx, flow, method)
  provider.assertOwn(ctx, flow, answer, caller)
  const submission = { flow_id, values: {}, caller }
  try {
    const earlyOutcome = await admit(ctx, spec, flow, caller, method)
    if (earlyOutcome) return earlyOutcome
    if (isExpired(ctx, flow)) return await spec.expired(ctx, flow, caller)
    return await conclude(ctx, spec, flow, await provider.arrive(ctx, flow, answer, caller), submission)
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    return await refuse(ctx, spec, flow, submission, error)
  }
}

async function admit<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
  caller: Caller,
  method: Method,
) {
  if (spec.admitCallback) return await spec.admitCallback(ctx, flow, caller, method)
  const gated = (await spec.gate?.(ctx, caller)) ?? caller
  return 'kind' in gated ? gated : await spec.admit?.(ctx, flow, gated, {})
}
