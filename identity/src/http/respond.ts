import type { Caller, Context } from '../contract.ts'
import { ProtocolError, unreachable } from '../errors.ts'
import { publicFlow } from '../flows/public-flow.ts'
import type { CookieChanges, Outcome } from '../flows/spec.ts'
import { screenUrl } from '../flows/urls.ts'
import type { FlowKind } from '../wire/flow.ts'
import { csrfCookie, endedSessionCookie, sessionCookie } from './cookies.ts'
import { redirect } from './redirect.ts'
import type { Http } from './request.ts'

/** Outcome → response, for pages, scripts and apps. */
export function respond(ctx: Context, c: Http, outcome: Outcome, caller: Caller): Response {
  if ('cookies' in outcome) setCookies(ctx, c, outcome.cookies)
  switch (outcome.kind) {
    case 'opened': {
      const { flow } = outcome
      if (flow.type === 'api' || caller.accepts_json) return c.json({ ...publicFlow(flow), ...outcome.shown })
      return redirect(c, screenUrl(ctx, flow.kind, flow.id), 303)
    }
    case 'form': {
      const { flow } = outcome
      if (flow.type === 'api' || caller.json) {
        return c.json({ ...publicFlow(flow), ...outcome.shown }, outcome.status)
      }
      return redirect(c, screenUrl(ctx, flow.kind, flow.id), formStatus(flow.kind))
    }
    case 'finished':
      if (outcome.flow.type === 'api' || caller.json) return c.json(outcome.body)
      return redirect(c, outcome.url, 303)
    case 'elsewhere':
      if (outcome.always || !caller.json) return redirect(c, outcome.url, outcome.status)
      throw new ProtocolError({
        id: 'browser_location_change_required',
        status: 422,
        reason: 'Please send the browser to the address in redirect_browser_to.',
        extra: { redirect_browser_to: outcome.url },
      })
    default:
      return unreachable(outcome)
  }
}

/** Recorded: a refused registration form is the one that answers 302. */
function formStatus(kind: FlowKind): 302 | 303 {
  return kind === 'registration' ? 302 : 303
}

/** Changes of a browser's cookies, as headers. */
export function setCookies(ctx: Context, c: Http, changes: CookieChanges | undefined): void {
  if (!changes) return
  const add = (value: string) => c.header('set-cookie', value, { append: true })
  if (changes.csrf !== undefined) add(csrfCookie(ctx.config, changes.csrf))
  if (changes.session === 'removed') add(endedSessionCookie(ctx.config))
  else if (changes.session) {
    add(sessionCookie(ctx.config, changes.session.token, changes.session.session, ctx.now()))
  }
}
