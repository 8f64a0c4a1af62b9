import type { Caller } from '../caller.ts'
import type { Context } from '../contract.ts'
import { rememberDevice } from '../devices/known-device.ts'
import type { LimitReached } from '../errors.ts'
import { ProtocolError, unreachable } from '../errors.ts'
import { publicFlow } from '../flows/engine/public-flow.ts'
import type { CookieChanges, Outcome } from '../flows/engine/spec.ts'
import { screenUrl } from '../flows/engine/urls.ts'
import { provesLess } from '../sessions/aal.ts'
import type { Flow } from '../storage/flows.ts'
import type { GenericError } from '../wire/error.ts'
import {
  authorizationCookie,
  csrfCookie,
  deviceCookie,
  endedSessionCookie,
  sessionCookie,
} from './cookies.ts'
import { errorBody, limitParts } from './errors.ts'
import { redirect } from './redirect.ts'
import type { Http } from './request.ts'

/** Outcome → response, for pages, scripts and apps. */
export function respond(ctx: Context, c: Http, outcome: Outcome, caller: Caller): Response {
  if ('cookies' in outcome) setCookies(ctx, c, outcome.cookies)
  switch (outcome.kind) {
    case 'opened':
      return outcome.flow.type === 'api' || caller.accepts_json
        ? c.json({ ...publicFlow(outcome.flow), ...outcome.shown })
        : redirect(c, screenUrl(ctx, outcome.flow.kind, outcome.flow.id), 303)
    case 'form':
      return formInJson(outcome, caller)
        ? c.json(
            { ...publicFlow(outcome.flow), ...outcome.shown, ...limited(c, outcome.limit) },
            outcome.status,
          )
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

function readsJson({ type }: Flow, { json }: Caller): boolean {
  return type === 'api' || json
}

/**
 * A verification that goes on is a page's unless JSON is asked for, whatever was sent and whichever client opened it: the link
 * of a message that an app asked for is opened in a browser.
 */
function formInJson({ flow, refused }: Extract<Outcome, { kind: 'form' }>, caller: Caller): boolean {
  const byAccept = flow.kind === 'verification' && !refused
  return byAccept ? !caller.accepts_page : readsJson(flow, caller)
}

/** A client that knows nothing of the form finds the error where every other answer has it. */
function limited(c: Http, limit: LimitReached | undefined): { readonly error?: GenericError } {
  if (!limit) return {}
  const parts = limitParts(limit)
  c.header('Retry-After', String(parts.retryAfter))
  return { error: errorBody(parts, c.req.header('x-request-id')) }
}

function locationChange(redirect_browser_to: string): ProtocolError {
  return new ProtocolError({
    id: 'browser_location_change_required',
    status: 422,
    reason: 'Please send the browser to the address in redirect_browser_to.',
    extra: { redirect_browser_to },
  })
}

/** Kratos compatibility: a refused registration form is the one that answers 302. */
function formStatus({ flow, refused }: Extract<Outcome, { kind: 'form' }>): 302 | 303 {
  return flow.kind === 'registration' && refused ? 302 : 303
}

/** Changes of a browser's cookies, as headers. */
export function setCookies(ctx: Context, c: Http, changes: CookieChanges | undefined): void {
  if (!changes) return
  const add = (value: string) => c.header('set-cookie', value, { append: true })
  if (changes.csrf !== undefined) add(csrfCookie(ctx.config, changes.csrf))
  if (changes.authorization_cookie !== undefined)
    add(authorizationCookie(ctx.config, changes.authorization_cookie))
  if (changes.session === 'removed') add(endedSessionCookie(ctx.config))
  else if (changes.session) {
    const { token, session, identity } = changes.session
    add(sessionCookie(ctx.config, token, session, ctx.now()))
    // Not before the second factor: a password alone must not buy a budget of guesses at it.
    if (!provesLess(ctx, changes.session)) {
      add(deviceCookie(ctx.config, rememberDevice(ctx, c.get('caller').device_cookie, identity.id)))
    }
  }
}
