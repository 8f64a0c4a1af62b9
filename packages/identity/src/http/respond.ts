import type { Caller } from '../contract/caller.ts'
import type { Context } from '../contract/contract.ts'
import { type LimitReached, ProtocolError, unreachable } from '../errors/errors.ts'
import type { Outcome } from '../flows/form/decision.ts'
import { flowFor } from '../flows/form/public-flow.ts'
import { screenUrl } from '../flows/form/urls.ts'
import type { Flow } from '../storage/flows/flows.ts'
import type { GenericError } from '../wire/error.ts'
import { errorBody, limitParts } from './errors.ts'
import { redirect } from './headers.ts'
import type { Http } from './request.ts'
import { setCookies } from './set-cookies.ts'

export function respond(ctx: Context, c: Http, outcome: Outcome, caller: Caller): Response {
  if ('cookies' in outcome) setCookies(ctx, c, outcome.cookies)
  ctx.tracing?.note({ 'identity.flow.outcome': wordFor(outcome) })
  switch (outcome.kind) {
    case 'opened':
      return outcome.flow.type === 'api' || caller.accepts_json
        ? c.json(flowFor(caller, outcome))
        : redirect(c, screenUrl(ctx, outcome.flow.kind, outcome.flow.id), 303)
    case 'form':
      return formInJson(outcome, caller)
        ? c.json({ ...flowFor(caller, outcome), ...limited(ctx, c, outcome.limit) }, outcome.status)
        : redirect(c, screenUrl(ctx, outcome.flow.kind, outcome.flow.id), formStatus(outcome))
    case 'finished':
      return readsJson(outcome.flow, caller) ? c.json(outcome.body) : redirect(c, outcome.url, 303)
    case 'elsewhere':
      if (outcome.always || !caller.json) return redirect(c, outcome.url, outcome.status)
      throw locationChange(outcome.url)
    default:
      return unreachable(outcome)
  }
}

function wordFor(outcome: Outcome): string {
  if (outcome.kind === 'elsewhere') return 'redirected'
  if (outcome.kind !== 'form') return outcome.kind
  if (outcome.limit) return 'limited'
  return outcome.refused ? 'refused' : 'continued'
}

function readsJson({ type }: Flow, { json }: Caller): boolean {
  return type === 'api' || json
}

/**
 * A continuing verification is a page unless JSON is requested: the link in an app's email opens in
 * a browser.
 */
function formInJson({ flow, refused }: Extract<Outcome, { kind: 'form' }>, caller: Caller): boolean {
  const byAccept = flow.kind === 'verification' && !refused
  return byAccept ? !caller.accepts_page : readsJson(flow, caller)
}

/** Adds the error where clients without support for forms expect it. */
function limited(ctx: Context, c: Http, limit: LimitReached | undefined): { readonly error?: GenericError } {
  if (!limit) return {}
  const parts = limitParts(limit)
  c.header('Retry-After', String(parts.retryAfter))
  return { error: errorBody(ctx, parts, c.req.header('x-request-id')) }
}

function locationChange(redirect_browser_to: string): ProtocolError {
  return new ProtocolError({
    id: 'browser_location_change_required',
    status: 422,
    reason: 'Redirect the browser to redirect_browser_to.',
    kratos_reason: `In order to complete this flow please redirect the browser to: ${redirect_browser_to}`,
    extra: { redirect_browser_to },
  })
}

/** Kratos compatibility: an invalid registration returns 302. */
function formStatus({ flow, refused }: Extract<Outcome, { kind: 'form' }>): 302 | 303 {
  return flow.kind === 'registration' && refused ? 302 : 303
}
