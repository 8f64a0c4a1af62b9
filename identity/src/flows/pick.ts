import type { Context, Submission } from '../contract.ts'
import { FormError } from '../errors.ts'
import type { Flow } from '../storage/flows.ts'
import { messages } from '../ui/messages.ts'
import type { FlowKind } from '../wire/flow.ts'
import type { AnyStep } from './cells.ts'
import { stepsOf } from './cells.ts'
import type { FlowSpec } from './spec.ts'

/** Who takes a submission: whoever claims it, then the method that it names, then whoever takes the rest. */
export function pickStep<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
  values: Submission['values'],
): AnyStep<K> {
  const cells = stepsOf(ctx, spec.kind)
  const claimed = cells.find(({ step }) => step.claims?.(flow, values))
  if (claimed) return claimed.step
  const named = cells.find(({ strategy }) => strategy.id === values.method)
  if (named) return named.step
  const rest = cells.find(({ step }) => step.claimsRest?.(flow))
  if (rest) return rest.step
  const { method } = values
  if (spec.methods && typeof method === 'string' && method !== '' && !spec.methods.includes(method)) {
    throw new FormError(messages.generic(`The method must be one of: ${spec.methods.join(', ')}.`), 'method')
  }
  throw new FormError(spec.noMethod)
}
