import { publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context, Replacement } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { count } from '../../limits/limits.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { UiText } from '../../wire/text.ts'
import { csrfCookieIfMissing } from '../form/csrf-cookie.ts'
import type { FlowRequest } from '../form/new-flow.ts'
import type { Ending, FlowSpec, FlowStart, Outcome } from '../form/spec.ts'
import { find, isFlowId, loadSubmitted } from '../form/stored.ts'
import { screenUrl } from '../form/urls.ts'
import { beginStored } from './open.ts'

/** Stores the replacement of a flow; its form shows the reason. */
export async function openReplacement<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  request: FlowRequest,
  message: UiText,
  caller: Caller,
  start: FlowStart<K> = { fields: fixedMethod(ctx, spec) },
): Promise<Flow<K>> {
  // Sending an expired form or an old link again and again must not store more flows than opening them (FLT-23).
  await count(ctx, { kind: 'flow' })
  return await beginStored(ctx, spec, request, { ...start, messages: [message] }, caller)
}

/** The first fields of a flow that keeps to one method. */
export function fixedMethod<K extends FlowKind>(ctx: Context, { method }: FlowSpec<K>) {
  return method ? { active: method(ctx) } : {}
}

/** Opens another flow of the same kind for the same request, and redirects to it. */
export async function startAgain<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
  { message, expired_at = flow.expires_at }: Omit<Replacement, 'kind'>,
  caller: Caller,
): Promise<Outcome> {
  const next = await openReplacement(ctx, spec, flow, message, caller)
  return leadToReplacement(ctx, { expires_at: expired_at }, next, caller)
}

/** Opens an emailed link. If its flow was deleted long ago, a page is led to a new form instead of an error. */
export async function visitLink<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  expired: (expired_at: string) => UiText,
  { query, caller }: { readonly query: URLSearchParams; readonly caller: Caller },
  open: (flow: Flow<K>) => Promise<Ending>,
): Promise<Ending> {
  const id = query.get('flow')
  const isPage = caller.accepts_page && isFlowId(id) && (query.has('code') || query.has('token'))
  if (!isPage || (await find(ctx, spec.kind, id))) return await open(await loadSubmitted(ctx, spec, id))
  spec.assertEnabled?.(ctx)
  const request = {
    type: 'browser' as const,
    request_url: publicUrl(ctx, `/self-service/${spec.kind}/browser`),
  }
  const next = await openReplacement(ctx, spec, request, expired(ctx.now().toISOString()), caller)
  return redirectTo(ctx, next, caller, 'page')
}

/** Redirects any client to a flow: by default a navigating browser to its page, others to its data. */
export function redirectTo(
  ctx: Context,
  { kind, id, type }: Flow,
  caller: Caller,
  to: 'page' | 'data' = type === 'browser' && !caller.json ? 'page' : 'data',
): Outcome {
  const url =
    to === 'page' ? screenUrl(ctx, kind, id) : publicUrl(ctx, `/self-service/${kind}/flows?id=${id}`)
  return { kind: 'elsewhere', url, status: 303, always: true, cookies: csrfCookieIfMissing(caller) }
}

/**
 * Tells a caller that its flow has expired: scripts and apps get 410 with `use_flow_id`, a navigating browser is
 * redirected to the new form.
 */
export function leadToReplacement(
  ctx: Context,
  old: { readonly expires_at: string },
  next: Flow,
  caller: Caller,
): Outcome {
  if (next.type === 'browser' && !caller.json) {
    return { kind: 'elsewhere', url: screenUrl(ctx, next.kind, next.id), status: 303 }
  }
  throw expiredError(ctx, old.expires_at, next.id)
}

/** 410 `self_service_flow_expired` with the id of the replacement. */
export function expiredError(
  ctx: Context,
  expired_at: string,
  use_flow_id: string,
  csrf?: string,
): ProtocolError {
  const since = (ctx.now().getTime() - Date.parse(expired_at)) * 1_000_000
  return new ProtocolError({
    id: 'self_service_flow_expired',
    status: 410,
    reason: 'This form was open for too long. Continue with the new one.',
    extra: { expired_at, since, use_flow_id },
    ...(csrf === undefined ? {} : { csrf }),
  })
}

/** 410 `self_service_flow_replaced` with the id of the replacement. */
export function replacedError(use_flow_id: string, csrf?: string): ProtocolError {
  return new ProtocolError({
    id: 'self_service_flow_replaced',
    status: 410,
    reason: 'This form can no longer be used. Continue with the new one.',
    extra: { use_flow_id },
    ...(csrf === undefined ? {} : { csrf }),
  })
}
