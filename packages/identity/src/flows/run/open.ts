import { publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context, Scene } from '../../contract/contract.ts'
import { count } from '../../limits/limits.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { insertFlow } from '../../storage/flows/flows.ts'
import type { FlowKind, FlowType } from '../../wire/flow.ts'
import type { FlowRequest } from '../form/new-flow.ts'
import { blankFlow } from '../form/new-flow.ts'
import { render, withoutForm } from '../form/render.ts'
import { checkReturnTo } from '../form/return-to.ts'
import type { FlowSpec, FlowStart, Outcome } from '../form/spec.ts'
import { stepsOf } from '../form/steps.ts'
import { save } from '../form/stored.ts'
import { subjectOf } from '../form/subject-of.ts'
import { runBefore } from '../hooks/web-hooks.ts'
import { autoSubmit } from './auto-submit.ts'
import { membersOf } from './entries.ts'
import { openExchangeOf } from './native-return.ts'
import { traceFlow } from './trace.ts'

/** Opens a flow, if this caller may. */
export async function open<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  type: FlowType,
  query: URLSearchParams,
  caller: Caller,
): Promise<Outcome> {
  traceFlow(ctx, { kind: spec.kind, type })
  spec.assertEnabled?.(ctx)
  await count(ctx, { kind: 'flow' })
  const start = await spec.start(ctx, query, caller, type)
  if ('kind' in start) return start
  for (const name of ['return_to', 'after_verification_return_to']) checkReturnTo(ctx, query.get(name))
  const flow = await beginStored(ctx, spec, { type, request_url: publicUrl(ctx, caller.url) }, start, caller)
  const extra = await openExchangeOf(ctx, flow)
  const pressed = await autoSubmit(ctx, spec, flow)
  const opened = pressed === flow ? flow : await save(ctx, pressed)
  const identity = start.known?.identity
  return { kind: 'opened', flow: opened, ...(await membersOf(ctx, spec, opened, { extra, identity })) }
}

/** A new flow with its form, not yet stored. */
export async function begin<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  request: FlowRequest,
  start: FlowStart<K>,
  caller: Caller,
): Promise<Flow<K>> {
  const blank = blankFlow(ctx, spec, request, start, caller)
  const subject = await subjectOf(ctx, blank, start.known)
  const flow = await render(ctx, spec, prepared(ctx, spec, blank, { caller, subject }), subject)
  const labels = { kind: spec.kind, type: request.type }
  ctx.afterCommit(() => ctx.metrics.add('identity_flows_opened_total', labels))
  return flow
}

/** The same, after the web hooks before this kind of flow, and stored. */
export async function beginStored<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  request: FlowRequest,
  start: FlowStart<K>,
  caller: Caller,
): Promise<Flow<K>> {
  const flow = await begin(ctx, spec, request, start, caller)
  await runBefore(ctx, { flow, caller })
  await insertFlow(ctx.db, withoutForm(flow))
  return flow
}

/** Opens and stores a flow that takes over from another one: same client, same destination. */
export async function openAfter<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  { type, request_url, return_to }: Flow,
  start: FlowStart<K>,
  caller: Caller,
  request: Partial<FlowRequest> = {},
): Promise<Flow<K>> {
  spec.assertEnabled?.(ctx)
  const fields = { ...start.fields, ...(return_to === undefined ? {} : { return_to }) }
  return await beginStored(ctx, spec, { type, request_url, ...request }, { ...start, fields }, caller)
}

/** Lets each strategy store what its form needs: fresh secrets and challenges. */
function prepared<K extends FlowKind>(ctx: Context, spec: FlowSpec<K>, flow: Flow<K>, scene: Scene): Flow<K> {
  let next = flow
  for (const { step } of stepsOf(ctx, spec.kind)) {
    if (step.prepare) next = step.prepare(ctx, next, scene)
  }
  return next
}
