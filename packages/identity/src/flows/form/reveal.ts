import type { Context } from '../../contract/contract.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { Ui } from '../../wire/node.ts'
import { stepsOf } from './steps.ts'

/** The form with the secrets that are stored encrypted beside it. */
export function revealed<K extends FlowKind>(ctx: Context, flow: Flow<K>): Ui {
  const steps = new Map(stepsOf(ctx, flow.kind as K).map(({ strategy, step }) => [strategy.group, step]))
  const nodes = flow.ui.nodes?.map((node) => steps.get(node.group)?.reveal?.(ctx, flow, node) ?? node)
  return { ...flow.ui, nodes: nodes ?? null }
}
