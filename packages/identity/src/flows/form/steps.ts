import type { Context, Step, Strategy } from '../../contract/contract.ts'
import type { FormError } from '../../errors/errors.ts'
import { findSubject, type KnownSubject, type Subject } from '../../identities/subject.ts'
import { canonicalUuid } from '../../input/plain-text.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { FlowKind, Method } from '../../wire/flow.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'
import type { ErrorSource, Rejection } from './decision.ts'

// biome-ignore lint/suspicious/noExplicitAny: see `Strategy.steps`: the input goes to the step that parsed it
export type AnyStep<K extends FlowKind> = Step<K, any>

export interface StrategyStep<K extends FlowKind> {
  readonly strategy: Strategy
  readonly step: AnyStep<K>
}

/** The form of a kind of flow, where it has a special rule. */
export interface FormRules<K extends FlowKind> {
  /** The status when a form continues with its next step. */
  readonly stayStatus: 200 | 400
  readonly noMethod: UiText
  rendersStep?(ctx: Context, flow: Flow<K>, step: StrategyStep<K>): boolean
  arrange(ctx: Context, flow: Flow<K>, nodes: readonly UiNode[], csrf: InputNode): readonly UiNode[]
  /** Kratos compatibility: whether an error leaves what was typed in the form. */
  keepsTyped(error: FormError, by: ErrorSource): boolean
  /** Changes what the form shows after an error. */
  reject?(ctx: Context, flow: Flow<K>, rejection: Rejection): Flow<K>
}

export function stepsOf<K extends FlowKind>(ctx: Context, kind: K): StrategyStep<K>[] {
  return allSteps(ctx, kind).filter(({ strategy }) => strategy.enabled(ctx.config, kind))
}

export function disabledSteps<K extends FlowKind>(ctx: Context, kind: K): StrategyStep<K>[] {
  return allSteps(ctx, kind).filter(({ strategy }) => !strategy.enabled(ctx.config, kind))
}

function allSteps<K extends FlowKind>(ctx: Context, kind: K): StrategyStep<K>[] {
  return ctx.strategies.flatMap((strategy) => {
    const step = strategy.steps[kind] as AnyStep<K> | undefined
    return step ? [{ strategy, step }] : []
  })
}

export function stepNamed<K extends FlowKind>(
  ctx: Context,
  { kind }: Flow<K>,
  method: unknown,
): AnyStep<K> | undefined {
  return stepsOf(ctx, kind as K).find(({ strategy }) => strategy.id === method)?.step
}

/** Whether the flow emails a link rather than a code. */
export function isByLink(ctx: Context, flow: Flow): boolean {
  return stepNamed(ctx, flow, flow.active)?.byLink ?? false
}

export function linkMethod(ctx: Context, kind: FlowKind): string | undefined {
  return allSteps(ctx, kind).find(({ step }) => step.byLink)?.strategy.id
}

/** Recoveries and verifications keep their method. */
export function stepsFor<K extends FlowKind>(ctx: Context, flow: Flow<K>): StrategyStep<K>[] {
  const steps = stepsOf(ctx, flow.kind as K)
  return keepsMethod(flow.kind) ? steps.filter(({ strategy }) => strategy.id === flow.active) : steps
}

/** The UUID of the organization whose members a login or registration is for. */
export function organizationOf({ kind, request_url, requested_aal }: Flow): string | undefined {
  if ((kind !== 'login' && kind !== 'registration') || requested_aal === 'aal2') return undefined
  return canonicalUuid(new URL(request_url).searchParams.get('organization') ?? '')
}

export function fixedMethod({ config }: Pick<Context, 'config'>, kind: FlowKind): { active?: Method } {
  return keepsMethod(kind) ? { active: config.selfservice.flows[kind].use } : {}
}

export function keepsMethod(kind: FlowKind): kind is 'recovery' | 'verification' {
  return kind === 'recovery' || kind === 'verification'
}

/** Undefined for unknown users and flows that need at most one address. */
export async function subjectOf(
  ctx: Context,
  { kind, identity_id }: Flow,
  knownSubject?: KnownSubject,
): Promise<Subject | undefined> {
  if (identity_id === undefined || (kind !== 'login' && kind !== 'settings')) return undefined
  return await findSubject(ctx, identity_id, knownSubject)
}
