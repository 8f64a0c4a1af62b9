import { asksAddress } from '../../codes/memo.ts'
import type { Context, Submission } from '../../contract/contract.ts'
import type { FormError } from '../../errors/errors.ts'
import { LimitReached } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
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

/** Forms for an operator's code get a CSRF token only when a browser enters the code. */
export function arrangeRecovery(
  _ctx: Context,
  flow: Flow<'recovery'>,
  nodes: readonly UiNode[],
  csrf: InputNode,
): readonly UiNode[] {
  if (!flow.memo.by_operator) return [csrf, ...nodes]
  return flow.csrf_token === '' ? nodes : [...nodes, csrf]
}

/** A limit changes nothing, because the emailed code may still be entered. */
export function refuseVerification(
  _ctx: Context,
  flow: Flow<'verification'>,
  error: FormError,
  { values, problem }: Submission,
): Flow<'verification'> {
  if (error instanceof LimitReached) return flow
  const { entries } = error
  const missing = messages.required('').id
  const isRead = entries.some(({ message, field }) => field === undefined || message.id === missing)
  if (problem !== undefined || !isRead) return flow
  const email = typeof values.email === 'string' ? values.email : ''
  const memo = { ...flow.memo, ...asksAddress.entry(true), values: keptValues(flow.memo.values, { email }) }
  return { ...flow, memo }
}
