import { asksAddress, continueUrl, lastRecipient, linkToConfirm } from '../../codes/memo.ts'
import { pageUrl, publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context, Replacement, Submission } from '../../contract/contract.ts'
import type { Done } from '../../contract/done.ts'
import { transact } from '../../contract/transact.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import type { FormError } from '../../errors/errors.ts'
import { LimitReached, ProtocolError } from '../../errors/errors.ts'
import { recordEvent } from '../../events/record.ts'
import { addressChange } from '../../identities/addresses/address-change.ts'
import { withProof } from '../../identities/addresses/proof.ts'
import { isPhone } from '../../identities/schema/formats.ts'
import { consumeCode } from '../../storage/flows/codes.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { updateFlow } from '../../storage/flows/flows.ts'
import type { Memo } from '../../storage/flows/memo.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { findIdentity, lockIdentity, markAddressVerified } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import { isOwn } from '../form/csrf.ts'
import { csrfCookieForVisitor, csrfCookieIfMissing } from '../form/csrf-cookie.ts'
import { assertMethodEnabled } from '../form/method-enabled.ts'
import { render } from '../form/render.ts'
import { returnUrlOr } from '../form/return-to.ts'
import { revealed } from '../form/reveal.ts'
import type { Ending, FlowSpec, Outcome } from '../form/spec.ts'
import { stepNamed } from '../form/steps.ts'
import { screenUrl } from '../form/urls.ts'
import { keptValues } from '../form/values.ts'
import { mayStop, webHooksOf } from '../hooks/hooks.ts'
import type { HookEvent } from '../hooks/web-hook-request.ts'
import { callAll } from '../hooks/web-hooks.ts'
import { completeAddressChange } from '../ownership/address-change.ts'
import type { Proving } from '../ownership/take-over.ts'
import { removesSetUp, takeOver } from '../ownership/take-over.ts'
import { isExpired, submit } from '../run/entries.ts'
import {
  expiredError,
  fixedMethod,
  openReplacement,
  redirectTo,
  replacedError,
  visitLink,
} from '../run/replace.ts'
import { openLink } from './open-link.ts'

/** Verification: proves ownership of an address. */
export const verification: FlowSpec<'verification'> = {
  kind: 'verification',
  stayStatus: 200,
  keepsMessages: true,
  noMethod: messages.noVerificationMethod,
  lifespan: (ctx) => ctx.config.selfservice.flows.verification.lifespan,
  method: (ctx) => ctx.config.selfservice.flows.verification.use,
  assertEnabled,
  async start(ctx) {
    assertMethodEnabled(ctx, ctx.config.selfservice.flows.verification.use)
    return { fields: fixedMethod(ctx, verification) }
  },
  async admit(ctx) {
    assertEnabled(ctx)
    return undefined
  },
  refused,
  complete,
  expired,
  replaced,
  visit: (ctx, query, caller) =>
    visitLink(ctx, verification, messages.verificationFlowExpired, { query, caller }, (flow) =>
      visit(ctx, flow, query, caller),
    ),
  target(_ctx, flow) {
    const url = continueUrl.read(flow)
    return url === undefined ? undefined : { action: url, method: 'GET' }
  },
  arrange: (ctx, flow, nodes, csrf) =>
    stepNamed(ctx, flow, flow.active)?.arrange?.(ctx, flow, nodes, csrf) ?? [csrf, ...nodes],
  shown: async (ctx, flow) => (linkToConfirm.read(flow) ? { ui: revealed(ctx, flow) } : {}),
}

function assertEnabled(ctx: Context): void {
  if (ctx.config.selfservice.flows.verification.enabled) return
  throw new ProtocolError({ status: 400, reason: 'Address verification is disabled.' })
}

/** An invalid submission shows the address field again. A limit changes nothing: the emailed code can be entered. */
function refused(
  _ctx: Context,
  flow: Flow<'verification'>,
  error: FormError,
  { values, problem }: Submission,
): Flow<'verification'> {
  if (error instanceof LimitReached) return flow
  const { entries } = error
  const missing = messages.required('').id
  const isRead = entries.some(({ message, field }) => field === undefined || message.id === missing)
  if (problem !== undefined || !isRead) return flow
  const email = typeof values.email === 'string' ? values.email : ''
  const memo = { ...flow.memo, ...asksAddress.entry(true), values: keptValues(flow.memo.values, { email }) }
  return { ...flow, memo }
}

async function complete(
  ctx: Context,
  flow: Flow<'verification'>,
  done: Done['verification'],
  caller: Caller,
): Promise<Outcome> {
  const change = addressChange.read(flow)
  if (change) {
    const changed = await completeAddressChange(ctx, { spec: verification, flow, change, done, caller })
    return changed ?? (await replaced(ctx, flow, { message: messages.verificationAlreadyDone }, caller))
  }
  const before = await findIdentity(ctx.db, done.identity_id)
  const ends = before !== undefined && (await removesSetUp(ctx, before, { flow, caller }))
  const drawn = await render(ctx, verification, passedFlow(ctx, flow, ends, caller))
  const hooks = webHooksOf(ctx.config.selfservice.flows.verification.after.hooks)
  const event = hooks.length === 0 ? undefined : eventOf(ctx, drawn, before, { done, caller })
  if (event) await callAll(ctx, hooks.filter(mayStop), event)
  const now = ctx.now().toISOString()
  const won = await transact(ctx, async (ctx) => {
    // Consumed in the transaction that uses it: only one of several concurrent requests succeeds, and a crash consumes
    // nothing (SEC-04).
    if (!(await consumeCode(ctx.db, done.consume.code_id, now))) return false
    await proveAddress(ctx, done, { flow, caller })
    const { identity_id } = done
    await recordEvent(ctx, { event: 'address_verified', outcome: 'ok', identity_id })
    await updateFlow(ctx.db, drawn)
    return true
  })
  const cookies = flow.type === 'browser' && !caller.csrf.sent ? { csrf: caller.csrf.secret } : {}
  if (!won) return await replaced(ctx, flow, { message: messages.verificationAlreadyDone }, caller)
  const following = hooks.filter((hook) => !mayStop(hook))
  if (event) await callAll(ctx, following, event)
  return { kind: 'form', flow: drawn, status: 200, cookies }
}

function passedFlow(
  ctx: Context,
  flow: Flow<'verification'>,
  ends: boolean,
  caller: Caller,
): Flow<'verification'> {
  const { verification, recovery } = ctx.config.selfservice.flows
  const next = returnUrlOr(ctx, flow.return_to, verification.after.default_browser_return_url)
  // No credential is left, so the user sets a new password next.
  const toRecovery = ends && recovery.enabled
  const verified = isPhone(lastRecipient.read(flow)?.address ?? '')
    ? messages.verifiedPhone
    : messages.verified
  const said = [verified, ...(ends ? [ownMessages.setUpEnded] : [])]
  return {
    ...flow,
    state: 'passed_challenge',
    // The code may have been entered in another browser than the one that opened the form: that browser continues.
    csrf_token: flow.type === 'browser' ? maskCsrf(caller.csrf.secret) : '',
    memo: {
      ...continueUrl.entry(toRecovery ? pageUrl(ctx, 'recovery') : next),
      messages: said.map((message) => ({ message })),
    },
  }
}

async function proveAddress(
  ctx: Context,
  { identity_id, address_id }: Done['verification'],
  proving: Proving,
): Promise<void> {
  await lockIdentity(ctx.db, identity_id)
  const before = await findIdentity(ctx.db, identity_id)
  if (!before || address_id === undefined) return
  const now = ctx.now().toISOString()
  await markAddressVerified(ctx.db, address_id, now)
  await takeOver(ctx, before, withProof(before, address_id, now), proving)
}

/** For web hooks: the identity with the address verified. */
function eventOf(
  ctx: Context,
  flow: Flow<'verification'>,
  before: StoredIdentity | undefined,
  { done, caller }: { readonly done: Done['verification']; readonly caller: Caller },
): HookEvent {
  const identity = before && withProof(before, done.address_id, ctx.now().toISOString())
  return { flow, caller, identity, transient_payload: done.transient_payload }
}

/** Kratos compatibility: pages are redirected to the new flow, scripts and apps to its data. */
async function expired(ctx: Context, flow: Flow<'verification'>, caller: Caller): Promise<Outcome> {
  // The new flow keeps the type: an app could not fetch a browser's flow (documented difference).
  const message = messages.verificationFlowExpired(flow.expires_at)
  return redirectTo(ctx, await openReplacement(ctx, verification, flow, message, caller), caller)
}

async function replaced(
  ctx: Context,
  flow: Flow<'verification'>,
  why: Omit<Replacement, 'kind'>,
  caller: Caller,
): Promise<Outcome> {
  const type = why.byLink ? 'browser' : flow.type
  const request = { type, request_url: publicUrl(ctx, caller.url) }
  const next = await openReplacement(ctx, verification, request, why.message, caller)
  // Kratos compatibility: with links, scripts and apps are redirected to the new flow like a page.
  if (stepNamed(ctx, flow, flow.active)?.fromLink || !caller.json) {
    return redirectTo(ctx, next, caller, type === 'api' && caller.json ? 'data' : 'page')
  }
  const { csrf } = csrfCookieIfMissing(caller)
  throw why.expired_at === undefined
    ? replacedError(next.id, csrf)
    : expiredError(ctx, why.expired_at, next.id, csrf)
}

/**
 * An emailed link: fills the code in and binds the flow to this browser. Consumes nothing, because mail scanners open
 * links too; the user presses the button.
 */
async function visit(
  ctx: Context,
  flow: Flow<'verification'>,
  query: URLSearchParams,
  caller: Caller,
): Promise<Ending> {
  assertEnabled(ctx)
  const code = query.get('code')
  const page = { ...caller, json: false }
  if (isExpired(ctx, flow))
    return await expired(ctx, caller.json ? flow : { ...flow, type: 'browser' }, caller)
  const { token } = stepNamed(ctx, flow, flow.active)?.fromLink?.(query) ?? {}
  if (typeof token === 'string') return await openLink(ctx, verification, flow, token, caller)
  if (flow.state === 'passed_challenge' && code !== null) {
    return await replaced(
      ctx,
      { ...flow, type: 'browser' },
      { message: messages.verificationAlreadyDone },
      page,
    )
  }
  const url = screenUrl(ctx, 'verification', flow.id)
  if (code === null) {
    return isOwn(flow, caller)
      ? await submit(ctx, verification, { flow_id: flow.id, values: {}, caller })
      : { kind: 'elsewhere', url, status: 303, always: true }
  }
  const csrf = caller.csrf.secret
  const memo = memoOfLink(flow, code, caller)
  const taken = { ...flow, memo, csrf_token: maskCsrf(csrf) }
  await updateFlow(ctx.db, await render(ctx, verification, taken))
  return { kind: 'elsewhere', url, status: 303, always: true, cookies: csrfCookieForVisitor(caller) }
}

/**
 * Fills the code in. In another browser than the requesting one, also warns of what the verification may remove. The
 * warning appears whether or not there is an account to remove it from: otherwise it would reveal accounts (SEC-13).
 */
function memoOfLink(flow: Flow<'verification'>, code: string, caller: Caller): Memo {
  const { memo } = flow
  const recipient = lastRecipient.read(flow)
  const filled = recipient ? { ...memo, ...lastRecipient.entry({ ...recipient, prefilled: code }) } : memo
  if (addressChange.read(flow) || (flow.type === 'browser' && isOwn(flow, caller))) return filled
  return { ...filled, messages: [...(memo.messages ?? []), { message: ownMessages.provesElsewhere }] }
}
