import type { Context } from '../../contract/contract.ts'
import { NIL_ID } from '../../crypto/random.ts'
import { badRequest, FormError, ProtocolError } from '../../errors/errors.ts'
import { canonicalUuid } from '../../input/plain-text.ts'
import { usedMeanwhile } from '../../limits/attempt.ts'
import { type Flow, findFlow, updateFlow } from '../../storage/flows/flows.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import type { FlowKind } from '../../wire/flow.ts'
import { withForm } from './render.ts'

/** Encrypted, until re-authentication. */
export const pendingSubmission = storedFlowField<string>('pending')

/** After a concurrent change, returns the stored version. */
export async function saveFlow<K extends FlowKind>(ctx: Context, flow: Flow<K>): Promise<Flow<K>> {
  const stored = await updateFlow(ctx.db, flow)
  return stored ?? (await loadFlow(ctx, flow.kind as K, flow.id))
}

/** Throws `FormError` after a concurrent change. */
export async function saveOnce<K extends FlowKind>(ctx: Context, flow: Flow<K>): Promise<Flow<K>> {
  const stored = await updateFlow(ctx.db, flow)
  if (!stored) throw new FormError(usedMeanwhile)
  return stored
}

/** Throws 404. */
export async function loadFlow<K extends FlowKind>(
  ctx: Context,
  kind: K,
  id: string | null,
): Promise<Flow<K>> {
  const flow = await find(ctx, kind, id)
  if (!flow) throw new ProtocolError({ status: 404, message: NO_FLOW })
  return flow
}

/** Throws 400 for a missing or malformed id, otherwise 404. */
export async function loadSubmitted<K extends FlowKind>(
  ctx: Context,
  kind: K,
  id: string | null,
  stored?: Flow<K>,
): Promise<Flow<K>> {
  const flowId = readFlowId(id)
  if (flowId === undefined) {
    throw badRequest('The address of this form contains no flow id. Please start again.')
  }
  const flow = stored ?? (await findFlow(ctx.db, kind, flowId))
  // Kratos compatibility: only these kinds give a reason.
  const reason = WITH_REASON.includes(kind) ? { reason: NO_FLOW } : {}
  if (!flow) throw new ProtocolError({ status: 404, message: NO_FLOW, ...reason })
  return await withForm(ctx, flow)
}

export async function find<K extends FlowKind>(
  ctx: Context,
  kind: K,
  id: string | null,
): Promise<Flow<K> | undefined> {
  const flowId = readFlowId(id)
  return flowId === undefined ? undefined : await findFlow(ctx.db, kind, flowId)
}

const NO_FLOW = 'This form does not exist. Please start again.'
const WITH_REASON: readonly FlowKind[] = ['verification', 'recovery', 'settings']

/** Kratos compatibility: the nil UUID counts as malformed. */
export function readFlowId(id: string | null): string | undefined {
  const canonical = canonicalUuid(id ?? '')
  return canonical === NIL_ID ? undefined : canonical
}

export function withoutPending<K extends FlowKind>(flow: Flow<K>): Flow<K> {
  return pendingSubmission.write(flow, undefined)
}

/** The clean-up may not have run yet (SEC-06). */
export function isExpired(ctx: Context, flow: Flow): boolean {
  return flow.expires_at <= ctx.now().toISOString()
}
