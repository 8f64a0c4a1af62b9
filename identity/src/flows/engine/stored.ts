import type { Caller } from '../../caller.ts'
import type { Context } from '../../contract.ts'
import { FormError, ProtocolError } from '../../errors.ts'
import type { Flow } from '../../storage/flows.ts'
import { findFlow, updateFlow } from '../../storage/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind } from '../../wire/flow.ts'
import { withForm } from './render.ts'
import type { FlowSpec, Outcome } from './spec.ts'

/** Stores the flow. When somebody else did so first, what they stored is shown: nothing is overwritten unseen. */
export async function save<K extends FlowKind>(ctx: Context, flow: Flow<K>): Promise<Flow<K>> {
  const stored = await updateFlow(ctx.db, { ...flow, updated_at: ctx.now().toISOString() })
  return stored ?? (await load(ctx, flow.kind as K, flow.id))
}

/** Stores a flow without what was just used in it. Throws `FormError` when somebody else used it at the same time. */
export async function spend<K extends FlowKind>(ctx: Context, flow: Flow<K>): Promise<Flow<K>> {
  const stored = await updateFlow(ctx.db, { ...flow, updated_at: ctx.now().toISOString() })
  if (!stored) throw new FormError(messages.generic('This form was used a moment ago. Please try again.'))
  return stored
}

/** Throws 404. */
export async function load<K extends FlowKind>(ctx: Context, kind: K, id: string | null): Promise<Flow<K>> {
  const flow = await find(ctx, kind, id)
  if (!flow) throw new ProtocolError({ status: 404, message: NO_FLOW })
  return flow
}

/** The flow with its form. Throws 400 where the address names no flow at all, and 404. */
export async function loadSubmitted<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  id: string | null,
): Promise<Flow<K>> {
  const { kind } = spec
  if (!isFlowId(id)) {
    throw new ProtocolError({
      status: 400,
      reason: 'The address of this form names no flow. Please start again.',
    })
  }
  const flow = await find(ctx, kind, id)
  // Kratos compatibility: only these three give a reason.
  const reason = WITH_REASON.includes(kind) ? { reason: NO_FLOW } : {}
  if (!flow) throw new ProtocolError({ status: 404, message: NO_FLOW, ...reason })
  return await withForm(ctx, spec, flow)
}

/** Where a page goes that opens a mailed link long after its flow ended and was deleted. */
export async function followForgottenLink<K extends FlowKind>(
  ctx: Context,
  { kind, forgotten }: FlowSpec<K>,
  query: URLSearchParams,
  caller: Caller,
): Promise<Outcome | undefined> {
  const id = query.get('flow')
  if (!caller.accepts_page || !isFlowId(id) || !(query.has('code') || query.has('token'))) return undefined
  return (await find(ctx, kind, id)) ? undefined : await forgotten?.(ctx, caller)
}

/** The flow that an address names, if there is one. */
export async function find<K extends FlowKind>(
  ctx: Context,
  kind: K,
  id: string | null,
): Promise<Flow<K> | undefined> {
  return isFlowId(id) ? await findFlow(ctx.db, kind, id) : undefined
}

const NO_FLOW = 'There is no such flow. Please start again.'
const WITH_REASON: readonly FlowKind[] = ['verification', 'recovery', 'settings']

function isFlowId(id: string | null): id is string {
  return id !== null && UUID.test(id)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Without what was kept of an earlier submission until its sender had confirmed who they are. */
export function withoutPending<K extends FlowKind>(flow: Flow<K>): Flow<K> {
  const { pending: _, ...memo } = flow.memo
  return { ...flow, memo }
}
