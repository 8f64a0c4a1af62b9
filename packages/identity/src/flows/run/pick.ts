import type { Context, Submission } from '../../contract/contract.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import { readText, readTraits } from '../../identities/schema/decode.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind } from '../../wire/flow.ts'
import { selectedSchema } from '../form/admission.ts'
import { formRules } from '../form/rules.ts'
import type { StrategyStep } from '../form/steps.ts'
import { disabledSteps, stepsFor } from '../form/steps.ts'

/** Precedence: a step that claims the submission, the named method, a step that claims the rest. */
export function pickStep<K extends FlowKind>(
  ctx: Context,
  flow: Flow<K>,
  values: Submission['values'],
): StrategyStep<K> {
  const steps = stepsFor(ctx, flow)
  const claimed = steps.find(({ step }) => step.claims?.(flow, values))
  if (claimed) return claimed
  const named = steps.find(
    ({ strategy, step }) => strategy.id === values.method && (step.fits?.(flow) ?? true),
  )
  if (named) return named
  const off = findDisabledStep(ctx, flow, values)
  if (off) {
    const field = off.step.whenDisabled?.needs
    if (field && readText(values, field) === undefined) throw new FormError(messages.required(field), field)
    throw new ProtocolError({ status: 404, reason: 'This method is disabled on this site.' })
  }
  const rest = steps.find(({ step }) => step.claimsRest?.(flow, values))
  if (rest) return rest
  // Reports fields that every method requires first.
  if (flow.kind === 'registration') readTraits(selectedSchema(ctx, flow.identity_schema), values)
  throw new FormError(formRules(flow).noMethod)
}

/** Kratos compatibility: submissions for a disabled method get 404, even if only their fields identify it. */
function findDisabledStep<K extends FlowKind>(
  ctx: Context,
  flow: Flow<K>,
  values: Submission['values'],
): StrategyStep<K> | undefined {
  return disabledSteps(ctx, flow.kind as K).find(({ strategy: { id }, step }) => {
    const { named, claimed } = step.whenDisabled ?? {}
    if (step.fits?.(flow) === false) return false
    if (named && values.method === id) return true
    return claimed && step.claims?.(flow, values) === true
  })
}
