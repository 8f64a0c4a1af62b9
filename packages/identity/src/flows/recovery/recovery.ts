import { rejectedCode } from '../../codes/check.ts'
import { recipientChoice } from '../../codes/memo.ts'
import { publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import { readAddress } from '../../identities/schema/decode.ts'
import { isEmail } from '../../identities/schema/formats.ts'
import { findLiveSession } from '../../sessions/find.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { UiText } from '../../wire/text.ts'
import { assertFlowEnabled, assertMethodEnabled, sessionAlreadyAvailable } from '../form/admission.ts'
import { assertOwnCaller, csrfCookieIfMissing, mayUse, misuseOf, withNewSecret } from '../form/csrf.ts'
import type { FlowStages, OpenFlow, ParsedSubmission, Reason, Redirect } from '../form/decision.ts'
import { NO_BODY } from '../form/decision.ts'
import { expiredError, flowOfLink, redirectTo, replacement } from '../form/replacement.ts'
import { fixedMethod, isByLink } from '../form/steps.ts'
import { isExpired } from '../form/stored.ts'
import { recover } from './complete.ts'

export const recoveryStages: FlowStages<'recovery'> = {
  kind: 'recovery',

  async start(ctx, _query, caller, type) {
    if (!(await findLiveSession(ctx, caller))) {
      assertFlowEnabled(ctx, 'recovery')
      assertMethodEnabled(ctx, ctx.config.selfservice.flows.recovery.use)
      return { fields: fixedMethod(ctx, 'recovery') }
    }
    if (caller.accepts_json || type === 'api') throw sessionAlreadyAvailable('recovery')
    return { kind: 'elsewhere', url: ctx.config.selfservice.default_browser_return_url, status: 302 }
  },

  /** Kratos compatibility: a page gets a new flow instead of an app's, unless that emails a link. */
  async admitSubmission(ctx, flow, caller, values) {
    const isOwnApp = flow.type !== 'api' || flow.memo.by_operator || isByLink(ctx, flow)
    const message = isOwnApp ? undefined : misuseOf(ctx.config, caller)
    // The page may be an attacker's.
    if (message) {
      const why = { message, cookie_names: caller.origin === undefined ? caller.cookie_names : undefined }
      return replaceRecovery(ctx, { ...flow, type: 'browser' }, withoutCookies(caller), why)
    }
    // Kratos compatibility: apps, and forms that email links, are refused whatever they send.
    if ((flow.type === 'browser' && !isByLink(ctx, flow)) || isExpired(ctx, flow)) return undefined
    return await admitRecoveryOwner(ctx, flow, { values, privileged: false }, caller)
  },

  /**
   * Kratos compatibility: checks the CSRF token and the session before the method. Once a submission named no method,
   * links are sent without the token.
   */
  async admitUnclaimed(ctx, flow, values, caller) {
    const email = readAddress(values, 'email')
    const isLate = flow.memo.unclaimed !== undefined
    if (isLate && email !== undefined && !isEmail(email))
      throw new FormError(messages.invalidEmail(email), 'email')
    if (!isLate && !isByLink(ctx, flow)) assertOwnCaller(ctx, flow, values, caller)
    const isOwners = mayUse(flow, caller) && !caller.csrf.foreign_origin
    return isOwners ? await admitRecoveryOwner(ctx, flow, { values, privileged: false }, caller) : undefined
  },

  admitOwner: admitRecoveryOwner,

  /** Links open in a browser, whichever client requested them. */
  async visit(ctx, query, caller) {
    const flow = await flowOfLink(ctx, 'recovery', { query, caller }, messages.recoveryFlowExpired)
    if (flow.kind === 'open') {
      assertFlowEnabled(ctx, 'recovery')
      return flow
    }
    // Kratos compatibility: a form that a submission without a method ended reads no body.
    if (!flow.memo.unclaimed && !isByLink(ctx, flow))
      return { kind: 'submit', flow_id: flow.id, values: {}, problem: NO_BODY }
    const token = query.get('token') || undefined
    if (token !== undefined && isExpired(ctx, flow) && !caller.json) {
      const message = messages.recoveryFlowExpired(flow.expires_at)
      return replaceRecovery(ctx, flow, caller, { message, byLink: true })
    }
    return { kind: 'submit', flow_id: flow.id, values: token === undefined ? {} : { token } }
  },

  async complete(ctx, step) {
    const { flow, completion, caller } = step
    const outcome = await recover(ctx, step)
    if (outcome) return outcome
    const byLink = completion.method === 'link_recovery' || undefined
    const message = byLink ? messages.recoveryLinkWrong : rejectedCode.used
    return replaceRecovery(ctx, flow, caller, { message, byLink })
  },

  replace: replaceRecovery,
}

/** Signed-in users may use an emailed code but not request one. */
async function admitRecoveryOwner(
  ctx: Context,
  flow: Flow<'recovery'>,
  { values: { email, token } }: ParsedSubmission,
  caller: Caller,
): Promise<Redirect | undefined> {
  const asksForAddress =
    flow.state === 'choose_method' || email !== undefined || recipientChoice.read(flow) !== undefined
  if (!asksForAddress || token !== undefined || flow.memo.by_operator) return undefined
  if (!(await findLiveSession(ctx, caller))) return undefined
  if (flow.type === 'api' || caller.json) throw sessionAlreadyAvailable('recovery')
  return { kind: 'elsewhere', url: ctx.config.selfservice.default_browser_return_url, status: 302 }
}

function replaceRecovery(
  ctx: Context,
  flow: Flow<'recovery'>,
  sender: Caller,
  why?: Reason & { readonly cookie_names?: readonly string[] | undefined },
): OpenFlow<'recovery'> {
  if (!why) return replaceExpired(ctx, flow, sender)
  const { message, byLink, cookie_names } = why
  const caller = withNewSecret(sender)
  const type = byLink ? 'browser' : flow.type
  const request = { type, request_url: publicUrl(ctx, caller.url), csrf_secret: caller.csrf.secret } as const
  const outcomeOf = (next: Flow<'recovery'>) => {
    if (byLink || !caller.json) return redirectTo(ctx, next, caller, 'page')
    if (!ctx.config.feature_flags.use_continue_with_transitions) return redirectTo(ctx, next, caller)
    throw flowReplaced(next, message, { caller, cookie_names })
  }
  // An operator chose the method, whatever users request.
  const { active } = flow
  const start = flow.memo.by_operator && active ? { fields: { active } } : undefined
  return replacement(ctx, 'recovery', request, message, outcomeOf, start)
}

/**
 * Kratos compatibility: scripts and apps go to the new flow's data. With
 * `use_continue_with_transitions`, apps get an error.
 */
function replaceExpired(ctx: Context, flow: Flow<'recovery'>, caller: Caller): OpenFlow<'recovery'> {
  const { type, expires_at } = flow
  return replacement(ctx, 'recovery', flow, messages.recoveryFlowExpired(expires_at), (next) => {
    if (type === 'browser' || !ctx.config.feature_flags.use_continue_with_transitions) {
      return redirectTo(ctx, next, withoutCookies(caller))
    }
    const { parts } = expiredError(ctx, expires_at, next.id)
    throw new ProtocolError({ ...parts, details: showRecovery(next) })
  })
}

/** For clients with `use_continue_with_transitions`. */
function flowReplaced(
  next: Flow<'recovery'>,
  { text }: UiText,
  { caller, cookie_names }: { readonly caller: Caller; readonly cookie_names: readonly string[] | undefined },
): ProtocolError {
  const details = { ...(cookie_names && { 'found cookies': cookie_names }), ...showRecovery(next) }
  return new ProtocolError({ status: 400, reason: text, details, ...csrfCookieIfMissing(caller) })
}

function showRecovery({ id }: Flow<'recovery'>) {
  return { continue_with: [{ action: 'show_recovery_ui', flow: { id } }] }
}

/** Cross-site forms carry no cookies; the browser's stay. */
function withoutCookies(caller: Caller): Caller {
  return { ...caller, csrf: { ...caller.csrf, sent: true } }
}
