import type { Context, Submission } from '../../contract/contract.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import { readText, readTraits } from '../../identities/schema/decode.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind } from '../../wire/flow.ts'
import { selectedSchema } from '../form/admission.ts'
import { formRules } from '../form/rules.ts'
import { disabledSteps, type StrategyStep, stepsFor } from '../form/steps.ts'

/** The first step that claims the submission or is named by it, otherwise one that claims the rest. */
export function pickStep<K extends FlowKind>(
  ctx: Context,
  flow: Flow<K>,
  values: Submission['values'],
): StrategyStep<K> | undefined {
  const claims = stepsFor(ctx, flow).map(
    (one) => [one, one.step.claims?.(flow, values, ctx) ?? false] as const,
  )
  const picked = claims.find(
    ([{ strategy }, claim]) => claim === true || (strategy.id === values.method && claim !== 'never'),
  )
  const off = findDisabledStep(ctx, flow, values)
  const isFirst = ({ strategy }: StrategyStep<K>) =>
    !off || ctx.strategies.indexOf(strategy) < ctx.strategies.indexOf(off.strategy)
  if (picked && isFirst(picked[0])) return picked[0]
  if (off) return undefined
  return claims.find(([, claim]) => claim === 'rest')?.[0]
}

/** The error if no step was picked. */
export function unclaimed(ctx: Context, flow: Flow, values: Submission['values']): FormError | ProtocolError {
  const off = findDisabledStep(ctx, flow, values)
  if (off) {
    const field = off.step.whenDisabled?.needs?.(values)
    if (field && readText(values, field) === undefined) return new FormError(messages.required(field), field)
    return new ProtocolError({ status: 404, reason: 'This method is disabled on this site.' })
  }
  // Reports the fields that every method requires first.
  if (flow.kind === 'registration') readTraits(selectedSchema(ctx, flow.identity_schema), values)
  return new FormError(formRules(flow).noMethod)
}

/** Kratos compatibility: a disabled method gets 404, even if only its fields identify it. */
function findDisabledStep<K extends FlowKind>(ctx: Context, flow: Flow<K>, values: Submission['values']) {
  return disabledSteps(ctx, flow.kind as K).find(({ strategy: { id }, step }) => {
    const { named, claimed } = step.whenDisabled ?? {}
    const claim = step.claims?.(flow, values, ctx) ?? false
    return claim !== 'never' && ((named && values.method === id) || (claimed && claim === true))
  })
}
