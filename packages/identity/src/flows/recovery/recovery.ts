import { rejectedCode } from '../../codes/check.ts'
import { recipientChoice } from '../../codes/memo.ts'
import { publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context, Replacement, Submission } from '../../contract/contract.ts'
import type { Done } from '../../contract/done.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { findLiveSession } from '../../sessions/find.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowType } from '../../wire/flow.ts'
import type { InputNode, UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'
import { misuseOf } from '../form/csrf.ts'
import { csrfCookieIfMissing } from '../form/csrf-cookie.ts'
import { assertMethodEnabled } from '../form/method-enabled.ts'
import type { Ending, FlowSpec, FlowStart, Outcome, Sent } from '../form/spec.ts'
import { stepNamed } from '../form/steps.ts'
import { sessionAlreadyAvailable } from '../login/login.ts'
import { isExpired, NO_BODY, submit } from '../run/entries.ts'
import { expiredError, fixedMethod, openReplacement, redirectTo, visitLink } from '../run/replace.ts'
import { recover } from './complete.ts'

/** Recovery: signs in a user who lost their credentials. */
export const recovery: FlowSpec<'recovery'> = {
  kind: 'recovery',
  stayStatus: 200,
  keepsMessages: false,
  noMethod: messages.noRecoveryMethod,
  lifespan: (ctx) => ctx.config.selfservice.flows.recovery.lifespan,
  method: (ctx) => ctx.config.selfservice.flows.recovery.use,
  assertEnabled,
  start,
  admit,
  admitOwner,
  complete,
  expired,
  replaced,
  visit: (ctx, query, caller) =>
    visitLink(ctx, recovery, messages.recoveryFlowExpired, { query, caller }, (flow) =>
      openLink(ctx, flow, query, caller),
    ),
  arrange,
}

function assertEnabled(ctx: Context): void {
  if (ctx.config.selfservice.flows.recovery.enabled) return
  throw new ProtocolError({ status: 400, reason: 'Account recovery is disabled.' })
}

async function start(
  ctx: Context,
  _query: URLSearchParams,
  caller: Caller,
  type: FlowType,
): Promise<FlowStart<'recovery'> | Extract<Outcome, { kind: 'elsewhere' }>> {
  if (!(await findLiveSession(ctx, caller))) {
    assertMethodEnabled(ctx, ctx.config.selfservice.flows.recovery.use)
    return { fields: fixedMethod(ctx, recovery) }
  }
  if (caller.accepts_json || type === 'api') throw sessionAlreadyAvailable()
  return { kind: 'elsewhere', url: ctx.config.selfservice.default_browser_return_url, status: 302 }
}

/** Kratos compatibility: a page that uses an app's flow gets another one that says so. */
async function admit(
  ctx: Context,
  flow: Flow<'recovery'>,
  caller: Caller,
  { token }: Submission['values'],
): Promise<Outcome | undefined> {
  const isOwnApp = flow.type !== 'api' || flow.memo.by_operator || token !== undefined
  const message = isOwnApp ? undefined : misuseOf(ctx.config, caller)
  // The page may be an attacker's: the browser's cookies stay unchanged.
  return message ? await replaced(ctx, flow, { message }, withoutCookies(caller)) : undefined
}

/** A signed-in user cannot request a code, but may use one that was already sent. */
async function admitOwner(
  ctx: Context,
  flow: Flow<'recovery'>,
  { values: { email, token } }: Sent,
  caller: Caller,
): Promise<Outcome | undefined> {
  const asks = email !== undefined || recipientChoice.read(flow) !== undefined
  if (!asks || token !== undefined || flow.memo.by_operator) return undefined
  if (!(await findLiveSession(ctx, caller))) return undefined
  if (flow.type === 'api' || caller.json) throw sessionAlreadyAvailable()
  return { kind: 'elsewhere', url: ctx.config.selfservice.default_browser_return_url, status: 302 }
}

function arrange(
  _ctx: Context,
  flow: Flow<'recovery'>,
  nodes: readonly UiNode[],
  csrf: InputNode,
): readonly UiNode[] {
  if (!flow.memo.by_operator) return [csrf, ...nodes]
  return flow.csrf_token === '' ? nodes : [...nodes, csrf]
}

async function complete(
  ctx: Context,
  flow: Flow<'recovery'>,
  done: Done['recovery'],
  caller: Caller,
): Promise<Outcome> {
  const outcome = await recover(ctx, recovery, flow, done, caller)
  if (outcome) return outcome
  const byLink = done.method === 'link_recovery'
  const message = byLink ? messages.recoveryLinkWrong : rejectedCode.used
  return await replaced(ctx, flow, { message, ...(byLink ? { byLink } : {}) }, caller)
}

/**
 * Kratos compatibility: scripts and apps are redirected to the new flow's data; with `use_continue_with_transitions`
 * apps get an error instead.
 */
async function expired(ctx: Context, flow: Flow<'recovery'>, caller: Caller): Promise<Outcome> {
  const message = messages.recoveryFlowExpired(flow.expires_at)
  const next = await openReplacement(ctx, recovery, flow, message, caller)
  if (flow.type === 'browser' || !ctx.config.feature_flags.use_continue_with_transitions) {
    return redirectTo(ctx, next, withoutCookies(caller))
  }
  const { parts } = expiredError(ctx, flow.expires_at, next.id)
  throw new ProtocolError({ ...parts, details: showRecovery(next) })
}

async function replaced(
  ctx: Context,
  flow: Flow<'recovery'>,
  why: Omit<Replacement, 'kind'>,
  caller: Caller,
): Promise<Outcome> {
  const type = why.byLink ? 'browser' : flow.type
  const request = { type, request_url: publicUrl(ctx, caller.url) }
  const next = await openReplacement(ctx, recovery, request, why.message, caller)
  if (why.byLink || !caller.json) return redirectTo(ctx, next, caller, 'page')
  if (!ctx.config.feature_flags.use_continue_with_transitions) return redirectTo(ctx, next, caller)
  throw refusal(next, why.message, caller)
}

/** The error for scripts and apps with `use_continue_with_transitions`. */
function refusal(next: Flow<'recovery'>, { text }: UiText, caller: Caller): ProtocolError {
  const csrf = csrfCookieIfMissing(caller)
  return new ProtocolError({ status: 400, reason: text, details: showRecovery(next), ...csrf })
}

function showRecovery({ id }: Flow<'recovery'>) {
  return { continue_with: [{ action: 'show_recovery_ui', flow: { id } }] }
}

/** A cross-site form comes without the browser's cookies; the response must not replace them. */
function withoutCookies(caller: Caller): Caller {
  return { ...caller, csrf: { ...caller.csrf, sent: true } }
}

/** An emailed link opens in a browser, whichever client requested it. */
async function openLink(
  ctx: Context,
  flow: Flow<'recovery'>,
  query: URLSearchParams,
  caller: Caller,
): Promise<Ending> {
  const values = stepNamed(ctx, flow, flow.active)?.fromLink?.(query)
  if (!values) return await submit(ctx, recovery, { flow_id: flow.id, values: {}, caller, problem: NO_BODY })
  if (values.token !== undefined && isExpired(ctx, flow) && !caller.json) {
    const message = messages.recoveryFlowExpired(flow.expires_at)
    return await replaced(ctx, flow, { message, byLink: true }, caller)
  }
  return await submit(ctx, recovery, { flow_id: flow.id, values, caller })
}
