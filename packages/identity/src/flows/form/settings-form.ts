import type { Context } from '../../contract/contract.ts'
import { HookRefusal } from '../../errors/errors.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import { nodeName } from '../../ui/nodes.ts'
import { sortSettings } from '../../ui/sort.ts'
import { isTrait } from '../../ui/trait-nodes.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
import type { Rejection } from './decision.ts'
import { keptValues, typedValues } from './values.ts'

export const continuesIn = storedFlowField<string>('continues_in')

export function arrangeSettings(
  ctx: Context,
  flow: Flow<'settings'>,
  nodes: readonly UiNode[],
  csrf: InputNode,
): readonly UiNode[] {
  const paths = flowSchema(ctx.schemas, flow).leaves.map((leaf) => leaf.path)
  const isLast = ({ group }: UiNode) => group === flow.memo.last_group
  const sorted = sortSettings([csrf, ...nodes], paths)
  return [...sorted.filter((node) => !isLast(node)), ...nodes.filter(isLast)]
}

/**
 * Invalid traits keep other messages, a web hook's rejection those about the whole form. Other
 * errors replace all.
 */
export function rejectSettings(
  ctx: Context,
  flow: Flow<'settings'>,
  { error, submission: { values }, previousMessages }: Rejection,
): Flow<'settings'> {
  // Kratos compatibility: an error sorts the form.
  const { last_group: _, ...memo } = flow.memo
  if (values.method !== 'profile') {
    const keptMessages =
      error instanceof HookRefusal ? previousMessages.filter(({ field }) => field === undefined) : []
    const values = { ...traitsShown(flow), ...memo.values }
    return { ...flow, memo: { ...memo, messages: [...keptMessages, ...error.entries], values } }
  }
  const rest = previousMessages.filter(({ field }) => field === undefined || !isTrait(field))
  // Traits are replaced as a whole, so omitted fields become empty.
  const fields = (flow.ui.nodes ?? []).map(nodeName).filter(isTrait)
  const emptied = Object.fromEntries(fields.map((field) => [field, null]))
  const shownValues = keptValues(memo.values, { ...emptied, ...typedValues(ctx, flow, values) })
  return { ...flow, memo: { ...memo, messages: [...rest, ...error.entries], values: shownValues } }
}

/** As rendered, without later changes elsewhere. */
function traitsShown({ ui }: Flow<'settings'>): JsonObject {
  const shownNodes = (ui.nodes ?? []).flatMap((node) =>
    node.type === 'input' && isTrait(nodeName(node)) ? [[nodeName(node), node.attributes.value ?? null]] : [],
  )
  return Object.fromEntries(shownNodes)
}
