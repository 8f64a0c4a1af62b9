import type { Context } from '../../contract/contract.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { asHidden, nodeName } from '../../ui/nodes.ts'
import { sortRegistration } from '../../ui/sort.ts'
import { isTrait } from '../../ui/trait-nodes.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
import { selectedSchema } from './admission.ts'
import type { StrategyStep } from './steps.ts'
import { stepNamed } from './steps.ts'

export function rendersRegistrationStep(
  ctx: Context,
  flow: Flow<'registration'>,
  { step }: StrategyStep<'registration'>,
): boolean {
  if (ctx.config.selfservice.flows.registration.style === 'unified') return true
  return step.onFirstScreen === true || flow.memo.second_screen !== undefined
}

/** Sorted, unless the step defines an order. */
export function arrangeRegistration(
  ctx: Context,
  flow: Flow<'registration'>,
  nodes: readonly UiNode[],
  csrf: InputNode,
): readonly UiNode[] {
  const settled = flow.state === 'choose_method' && !flow.memo.second_screen ? nodes : nodes.map(settledTrait)
  const own = stepNamed(ctx, flow, flow.active)?.arrange?.(ctx, flow, settled, csrf)
  if (own) return own
  const keys = selectedSchema(ctx, flow.identity_schema).leaves.map((leaf) => leaf.path)
  return sortRegistration([csrf, ...settled], keys)
}

function settledTrait(node: UiNode): UiNode {
  return isTrait(nodeName(node)) ? asHidden(node) : node
}
