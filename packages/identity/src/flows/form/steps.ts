import type { Context, Step, Strategy } from '../../contract/contract.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { FlowSpec } from './spec.ts'

// biome-ignore lint/suspicious/noExplicitAny: see `Strategy.steps`: the input goes to the step that parsed it
export type AnyStep<K extends FlowKind> = Step<K, any>

/** One strategy's step in one kind of flow. */
export interface Cell<K extends FlowKind> {
  readonly strategy: Strategy
  readonly step: AnyStep<K>
}

/** The enabled cells of a kind of flow, in the order of `strategies`. */
export function stepsOf<K extends FlowKind>(ctx: Context, kind: K): Cell<K>[] {
  return cellsOf(ctx, kind, (strategy) => strategy.enabled(ctx.config, kind))
}

/** The disabled cells. */
export function disabledCells<K extends FlowKind>(ctx: Context, kind: K): Cell<K>[] {
  return cellsOf(ctx, kind, (strategy) => !strategy.enabled(ctx.config, kind))
}

function cellsOf<K extends FlowKind>(
  ctx: Context,
  kind: K,
  wanted: (strategy: Strategy) => boolean,
): Cell<K>[] {
  return ctx.strategies.flatMap((strategy) => {
    const step = strategy.steps[kind] as AnyStep<K> | undefined
    return step && wanted(strategy) ? [{ strategy, step }] : []
  })
}

/** The step of a method, unless it is disabled. */
export function stepNamed<K extends FlowKind>(
  ctx: Context,
  { kind }: Flow<K>,
  method: unknown,
): AnyStep<K> | undefined {
  return stepsOf(ctx, kind as K).find(({ strategy }) => strategy.id === method)?.step
}

/** The cells that this flow may use. */
export function stepsFor<K extends FlowKind>(ctx: Context, spec: FlowSpec<K>, flow: Flow<K>): Cell<K>[] {
  const cells = stepsOf(ctx, spec.kind)
  return spec.method ? cells.filter(({ strategy }) => strategy.id === flow.active) : cells
}
