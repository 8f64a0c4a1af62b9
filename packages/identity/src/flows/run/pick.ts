import type { Context, Submission } from '../../contract/contract.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import { readText } from '../../identities/schema/decode.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { FlowSpec } from '../form/spec.ts'
import type { Cell } from '../form/steps.ts'
import { disabledCells, stepsFor } from '../form/steps.ts'

/** The cell that takes a submission: one that claims it, then the named method, then one that claims the rest. */
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
  const off = findDisabledCell(ctx, flow, values)
  if (off) {
    const field = off.step.whenDisabled?.needs
    if (field && readText(values, field) === undefined) throw new FormError(messages.required(field), field)
    throw new ProtocolError({ status: 404, reason: 'This method is disabled on this site.' })
  }
  const rest = cells.find(({ step }) => step.claimsRest?.(flow, values))
  if (rest) return rest
  spec.assertFit?.(ctx, flow, values)
  throw new FormError(spec.noMethod)
}

/** Kratos compatibility: submissions for a disabled method get 404, also those recognised by their fields alone. */
function findDisabledCell<K extends FlowKind>(
  ctx: Context,
  flow: Flow<K>,
  values: Submission['values'],
): Cell<K> | undefined {
  return disabledCells(ctx, flow.kind as K).find(({ strategy: { id }, step }) => {
    const { named, claimed } = step.whenDisabled ?? {}
    if (step.fits?.(flow) === false) return false
    if (named && values.method === id) return true
    return claimed && step.claims?.(flow, values) === true
  })
}
