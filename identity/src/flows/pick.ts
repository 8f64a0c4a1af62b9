import type { Context, Submission } from '../contract.ts'
import { FormError, ProtocolError } from '../errors.ts'
import type { Flow } from '../storage/flows.ts'
import { messages } from '../ui/messages.ts'
import type { FlowKind } from '../wire/flow.ts'
import type { Cell } from './cells.ts'
import { cellsOff, stepsFor } from './cells.ts'
import type { FlowSpec } from './spec.ts'

/** Who takes a submission: whoever claims it, then the method that it names, then whoever takes the rest. */
export function pickCell<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
  values: Submission['values'],
): Cell<K> {
  const cells = stepsFor(ctx, spec, flow)
  const claimed = cells.find(({ step }) => step.claims?.(flow, values))
  if (claimed) return claimed
  const named = cells.find(
    ({ strategy, step }) => strategy.id === values.method && (step.fits?.(flow) ?? true),
  )
  if (named) return named
  const rest = cells.find(({ step }) => step.claimsRest?.(flow))
  if (rest) return rest
  const { method } = values
  const possible = spec.methods?.(flow)
  if (isForOneThatIsOff(ctx, spec, flow, values)) {
    throw new ProtocolError({ status: 404, reason: 'This way of doing it is switched off on this site.' })
  }
  if (possible && isNamed(method) && !possible.some((one) => one === method)) {
    throw new FormError(messages.generic(`The method must be one of: ${possible.join(', ')}.`), 'method')
  }
  spec.assertFit?.(ctx, flow, values)
  throw new FormError(spec.noMethod)
}

function isNamed(method: unknown): boolean {
  return method !== undefined && method !== null && method !== ''
}

/** Recorded: whether what was sent belongs to a method that this site does not offer. */
function isForOneThatIsOff<K extends FlowKind>(
  ctx: Context,
  { kind, switchable = {} }: FlowSpec<K>,
  flow: Flow<K>,
  values: Submission['values'],
): boolean {
  const { named = [], claimed = [] } = switchable
  return cellsOff(ctx, kind).some(({ strategy: { id }, step }) => {
    if (named.includes(id) && values.method === id) return true
    return claimed.includes(id) && step.claims?.(flow, values) === true
  })
}
