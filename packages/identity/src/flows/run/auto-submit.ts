import type { Context } from '../../contract/contract.ts'
import { LimitReached } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { FlowKind } from '../../wire/flow.ts'
import { render } from '../form/render.ts'
import type { FlowSpec } from '../form/spec.ts'
import { stepsOf } from '../form/steps.ts'

/** If a stored form offers a single method without input, starts it without waiting for a click. */
export async function autoSubmit<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
): Promise<Flow<K>> {
  if (flow.state !== 'choose_method') return flow
  const ways = new Set((flow.ui.nodes ?? []).filter(isButton).map(({ group }) => group))
  if (ways.size !== 1) return flow
  const only = stepsOf(ctx, spec.kind).find(({ strategy }) => ways.has(strategy.group))
  try {
    const pressed = await only?.step.autoSubmit?.(ctx, flow)
    return pressed ? await render(ctx, spec, pressed) : flow
  } catch (error) {
    // The form keeps its button: pressing it shows the limit.
    if (error instanceof LimitReached) return flow
    throw error
  }
}

function isButton({ attributes }: NonNullable<Flow['ui']['nodes']>[number]): boolean {
  return 'type' in attributes && (attributes.type === 'submit' || attributes.type === 'button')
}
