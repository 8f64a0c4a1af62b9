import type { Context } from '../contract/contract.ts'
import { FormError } from '../errors/errors.ts'
import { type Flow, findFlow, updateFlow } from '../storage/flows/flows.ts'
import { storedFlowField } from '../storage/flows/memo.ts'
import { messages } from '../ui/messages.ts'
import type { FlowKind } from '../wire/flow.ts'

/** The last submission with an effect, stored together with the effect. */
export const attempt = storedFlowField<{
  /** Equal for a repetition. */
  readonly mark: string
  /** Of this request. */
  readonly id: string
}>('attempt')

/**
 * Returns the flow with its new version, and `other`, as another submission stored it since the flow was read. Throws
 * `FormError` if the same submission had its effect meanwhile (SEC-113). Call inside `transact`.
 */
export async function storeEffect<K extends FlowKind>(
  ctx: Context,
  flow: Flow<K>,
  seen?: Flow<K>,
): Promise<{ readonly flow: Flow<K>; readonly other: Flow<K> | undefined }> {
  const stored = await updateFlow(ctx.db, flow)
  if (stored) return { flow: { ...flow, version: stored.version }, other: seen }
  const other = await findFlow(ctx.db, flow.kind as K, flow.id)
  if (!other) return { flow, other }
  const ownAttempt = attempt.read(flow)
  if (ownAttempt && attempt.read(other)?.mark === ownAttempt.mark) throw new FormError(usedMeanwhile)
  return await storeEffect(ctx, { ...flow, version: other.version }, other)
}

/** For an effect that the flow shows later, such as an email. Call inside `transact`. */
export async function claimEffect<K extends FlowKind>(ctx: Context, flow: Flow<K>): Promise<Flow<K>> {
  return attempt.read(flow) ? (await storeEffect(ctx, flow)).flow : flow
}

export const usedMeanwhile = messages.generic('This form was used a moment ago. Please try again.')
