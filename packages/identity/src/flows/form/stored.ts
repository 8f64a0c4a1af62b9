import type { Context } from '../../contract/contract.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { findFlow, updateFlow } from '../../storage/flows/flows.ts'
import { memoPart } from '../../storage/flows/memo.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind } from '../../wire/flow.ts'
import { withForm } from './render.ts'

/** The submission that waits for re-authentication; encrypted. */
export const pendingSubmission = memoPart<string>('pending')

/** Stores the flow. If it changed concurrently, returns the stored version: nothing is overwritten unseen. */
export async function save<K extends FlowKind>(ctx: Context, flow: Flow<K>): Promise<Flow<K>> {
  const stored = await updateFlow(ctx.db, { ...flow, updated_at: ctx.now().toISOString() })
  return stored ?? (await load(ctx, flow.kind as K, flow.id))
}

/** Stores a flow whose single-use proof was removed. Throws `FormError` if it changed concurrently. */
export async function consume<K extends FlowKind>(ctx: Context, flow: Flow<K>): Promise<Flow<K>> {
  const stored = await updateFlow(ctx.db, { ...flow, updated_at: ctx.now().toISOString() })
  if (!stored) throw new FormError(messages.generic('This form was used a moment ago. Please try again.'))
  return stored
}

/** Throws 404 if there is no such flow. */
export async function load<K extends FlowKind>(ctx: Context, kind: K, id: string | null): Promise<Flow<K>> {
  const flow = await find(ctx, kind, id)
  if (!flow) throw new ProtocolError({ status: 404, message: NO_FLOW })
  return flow
}

/** The flow with its form. Throws 400 if the id is missing or malformed, and 404. */
export async function loadSubmitted<K extends FlowKind>(
  ctx: Context,
  kind: K,
  id: string | null,
): Promise<Flow<K>> {
  if (!isFlowId(id)) {
    throw new ProtocolError({
      status: 400,
      reason: 'The address of this form contains no flow id. Please start again.',
    })
  }
  const flow = await find(ctx, kind, id)
  // Kratos compatibility: only these three kinds give a reason.
  const reason = WITH_REASON.includes(kind) ? { reason: NO_FLOW } : {}
  if (!flow) throw new ProtocolError({ status: 404, message: NO_FLOW, ...reason })
  return await withForm(ctx, flow)
}

/** The flow with this id; undefined also for a malformed id. */
export async function find<K extends FlowKind>(
  ctx: Context,
  kind: K,
  id: string | null,
): Promise<Flow<K> | undefined> {
  return isFlowId(id) ? await findFlow(ctx.db, kind, id) : undefined
}

const NO_FLOW = 'This form does not exist. Please start again.'
const WITH_REASON: readonly FlowKind[] = ['verification', 'recovery', 'settings']

export function isFlowId(id: string | null): id is string {
  return id !== null && UUID.test(id)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Without what the previous submission left: the one kept for re-authentication, and that it matched no method. */
export function withoutPending<K extends FlowKind>(flow: Flow<K>): Flow<K> {
  const { unclaimed: _, ...memo } = pendingSubmission.write(flow, undefined).memo
  return { ...flow, memo }
}

/** Independent of the clean-up, which may not have run yet (SEC-06). */
export function isExpired(ctx: Context, flow: Flow): boolean {
  return flow.expires_at <= ctx.now().toISOString()
}
