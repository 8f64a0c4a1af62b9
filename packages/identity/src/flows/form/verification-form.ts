import { asksAddress } from '../../codes/memo.ts'
import type { Context } from '../../contract/contract.ts'
import { LimitReached } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
import type { Rejection } from './decision.ts'
import { stepNamed } from './steps.ts'
import { keptValues } from './values.ts'

export function arrangeVerification(
  ctx: Context,
  flow: Flow<'verification'>,
  nodes: readonly UiNode[],
  csrf: InputNode,
): readonly UiNode[] {
  return stepNamed(ctx, flow, flow.active)?.arrange?.(ctx, flow, nodes, csrf) ?? [csrf, ...nodes]
}

/** The form for an operator's code gets a CSRF token once a browser enters it. */
export function arrangeRecovery(
  _ctx: Context,
  flow: Flow<'recovery'>,
  nodes: readonly UiNode[],
  csrf: InputNode,
): readonly UiNode[] {
  if (!flow.memo.by_operator) return [csrf, ...nodes]
  return flow.csrf_token === '' ? nodes : [...nodes, csrf]
}

/** Keeps earlier messages. A limit changes nothing else, because the emailed code may still be entered. */
export function rejectVerification(
  _ctx: Context,
  rejected: Flow<'verification'>,
  { error, submission: { values, problem }, before }: Rejection,
): Flow<'verification'> {
  const { entries } = error
  const missing = messages.required('').id
  // Kratos compatibility: an omitted address renews its field.
  const renewed = new Set(entries.filter(({ message }) => message.id === missing).map(({ field }) => field))
  const kept = before.filter(({ field }) => field === undefined || !renewed.has(field))
  const flow = { ...rejected, memo: { ...rejected.memo, messages: [...kept, ...entries] } }
  if (error instanceof LimitReached) return flow
  const isRead = entries.some(({ message, field }) => field === undefined || message.id === missing)
  if (problem !== undefined || !isRead) return flow
  const email = typeof values.email === 'string' ? values.email : ''
  const memo = { ...flow.memo, ...asksAddress.entry(true), values: keptValues(flow.memo.values, { email }) }
  return { ...flow, memo }
}
