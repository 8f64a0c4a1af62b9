import { publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { UiText } from '../../wire/text.ts'
import { csrfCookieIfMissing } from './csrf.ts'
import type { FlowRequest, FlowStart, OpenFlow, Outcome, Reason } from './decision.ts'
import { fixedMethod } from './steps.ts'
import { find, loadSubmitted, readFlowId } from './stored.ts'
import { screenUrl } from './urls.ts'

export function replacement<K extends FlowKind>(
  ctx: Context,
  into: K,
  request: FlowRequest,
  message: UiText,
  outcomeOf: (next: Flow<K>) => Outcome,
  start: FlowStart<K> = { fields: fixedMethod(ctx, into) },
): OpenFlow<K> {
  return { kind: 'open', into, request, start: { ...start, messages: [message] }, outcomeOf }
}

/** Redirects browsers to the new form. Scripts and apps get 410 with `use_flow_id`. */
export function sameAgain<K extends FlowKind>(
  ctx: Context,
  flow: Flow<K>,
  { message, expired_at = flow.expires_at }: Reason,
  caller: Caller,
  start?: FlowStart<K>,
): OpenFlow<K> {
  const outcomeFor = (next: Flow<K>): Outcome => {
    if (next.type === 'api' || caller.json) throw expiredError(ctx, expired_at, next.id)
    return { kind: 'elsewhere', url: screenUrl(ctx, next.kind, next.id), status: 303 }
  }
  return replacement(ctx, flow.kind as K, flow, message, outcomeFor, start)
}

/** Pages of deleted flows get a new form. */
export async function flowOfLink<K extends FlowKind>(
  ctx: Context,
  kind: K,
  { query, caller }: { readonly query: URLSearchParams; readonly caller: Caller },
  expired: (expired_at: string) => UiText,
): Promise<Flow<K> | OpenFlow<K>> {
  const id = query.get('flow')
  const isPage =
    caller.accepts_page && readFlowId(id) !== undefined && (query.has('code') || query.has('token'))
  if (!isPage || (await find(ctx, kind, id))) return await loadSubmitted(ctx, kind, id)
  const request_url = publicUrl(ctx, `/self-service/${kind}/browser`)
  const outcomeFor = (next: Flow<K>) => redirectTo(ctx, next, caller, 'page')
  return replacement(
    ctx,
    kind,
    { type: 'browser', request_url },
    expired(ctx.now().toISOString()),
    outcomeFor,
  )
}

/** By default, browsers go to the flow's page, others to its data. */
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

/** 410 `self_service_flow_expired`. */
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
    kratos_reason: `The self-service flow expired ${(since / 60_000_000_000).toFixed(2)} minutes ago, initialize a new one.`,
    extra: { expired_at, since, use_flow_id },
    csrf,
  })
}

/** 410 `self_service_flow_replaced`. */
export function replacedError(use_flow_id: string, csrf?: string): ProtocolError {
  return new ProtocolError({
    id: 'self_service_flow_replaced',
    status: 410,
    reason: 'This form can no longer be used. Continue with the new one.',
    extra: { use_flow_id },
    csrf,
  })
}

export function expiredOnRead(ctx: Context, flow: Flow): ProtocolError {
  const path = `/self-service/${flow.kind}/${flow.type}`
  const { kind, type } = flow
  // Kratos compatibility: verification, settings and browser recovery omit the id.
  const isNamed = kind === 'login' || kind === 'registration' || (kind === 'recovery' && type === 'api')
  const query = flow.return_to === undefined ? '' : `?${new URLSearchParams({ return_to: flow.return_to })}`
  return new ProtocolError({
    id: isNamed ? 'self_service_flow_expired' : undefined,
    status: 410,
    reason: 'This form has expired. Please start again.',
    kratos_reason: `The ${flow.kind} flow has expired. ${flow.type === 'api' ? 'Call' : 'Redirect the user to'} the ${flow.kind} flow init ${flow.type === 'api' ? 'API ' : ''}endpoint to initialize a new ${flow.kind} flow.`,
    details:
      flow.type === 'api'
        ? { api: publicUrl(ctx, path) }
        : { redirect_to: publicUrl(ctx, path + query), return_to: flow.return_to ?? '' },
  })
}
