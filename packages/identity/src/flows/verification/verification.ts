import { checkToken } from '../../codes/check.ts'
import { continueUrl, lastRecipient, linkToConfirm } from '../../codes/memo.ts'
import { publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import { recordEvent } from '../../events/record.ts'
import { addressChange } from '../../identities/addresses/address-change.ts'
import { withProof } from '../../identities/addresses/proof.ts'
import { isPhone } from '../../input/phone-number.ts'
import { attempt, storeEffect } from '../../limits/attempt.ts'
import { findLiveSession } from '../../sessions/find.ts'
import { consumeCode } from '../../storage/flows/codes.ts'
import { type Flow, updateFlow } from '../../storage/flows/flows.ts'
import { findIdentity, lockIdentity, markAddress } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import { assertFlowEnabled, assertMethodEnabled } from '../form/admission.ts'
import { csrfCookieForVisitor, csrfCookieIfMissing, isOwn, openerToken, withNewSecret } from '../form/csrf.ts'
import type {
  CompletedStep,
  Decision,
  FlowStages,
  FlowStart,
  LinkSubmission,
  OpenFlow,
  Outcome,
  Reason,
} from '../form/decision.ts'
import { continueOAuth2Login, oauth2Login } from '../form/oauth2-login.ts'
import { render } from '../form/render.ts'
import { expiredError, flowOfLink, redirectTo, replacedError, replacement } from '../form/replacement.ts'
import { returnUrlOr } from '../form/return-to.ts'
import { fixedMethod, isByLink, stepNamed } from '../form/steps.ts'
import { isExpired } from '../form/stored.ts'
import { screenUrl } from '../form/urls.ts'
import { mayStop, webHooksOf } from '../hooks/hooks.ts'
import { callAll } from '../hooks/web-hooks.ts'
import { completeAddressChange } from '../ownership/carry-out-address-change.ts'
import { askToSignIn, takeOver } from '../ownership/take-over.ts'

export const verificationStages: FlowStages<'verification'> = {
  kind: 'verification',

  async start(ctx) {
    assertFlowEnabled(ctx, 'verification')
    assertMethodEnabled(ctx, ctx.config.selfservice.flows.verification.use)
    return { fields: fixedMethod(ctx, 'verification') }
  },

  admitSubmission: async (ctx, { kind }) => void assertFlowEnabled(ctx, kind),

  async complete(ctx, step) {
    const { flow, completion, caller } = step
    const change = addressChange.read(flow)
    if (change) return (await completeAddressChange(ctx, step, change)) ?? replaceUsed(ctx, flow, caller)
    const before = await findIdentity(ctx.db, completion.identity_id)
    const decision = before && (await askToSignIn(ctx, before, step))
    if (decision) return decision
    const { passed, oauth2, store, following, event } = await prepareVerification(ctx, step)
    const won = await transact(ctx, store)
    const cookies = flow.type === 'browser' && !caller.csrf.sent ? { csrf: caller.csrf.secret } : {}
    if (!won) {
      const { identity_id: _, ...orphan } = flow
      // Another user may have proven the address, which ended the account.
      return replaceUsed(ctx, (await findIdentity(ctx.db, completion.identity_id)) ? flow : orphan, caller)
    }
    await callAll(ctx, following, event)
    if (oauth2 && !oauth2.isRestart && caller.accepts_page)
      return { kind: 'elsewhere', url: oauth2.url, status: 303, always: true, cookies }
    return { kind: 'form', flow: passed, status: 200, cookies }
  },

  visit: visitLink,
  replace: replaceVerification,
}

async function visitLink(ctx: Context, query: URLSearchParams, caller: Caller): Promise<Decision> {
  return (await visitOnce(ctx, query, caller)) ?? (await visitLink(ctx, query, caller))
}

/**
 * Consumes nothing, because mail scanners open links too. The user presses the button. Undefined if another request
 * changed the form meanwhile.
 */
async function visitOnce(
  ctx: Context,
  query: URLSearchParams,
  caller: Caller,
): Promise<Decision | undefined> {
  const flow = await flowOfLink(ctx, 'verification', { query, caller }, messages.verificationFlowExpired)
  assertFlowEnabled(ctx, 'verification')
  if (flow.kind === 'open') return flow
  const code = query.get('code')
  if (isExpired(ctx, flow))
    return replaceExpired(ctx, caller.json ? flow : { ...flow, type: 'browser' }, caller)
  const token = query.get('token')
  if (token && isByLink(ctx, flow)) return await openLink(ctx, flow, token, caller)
  if (flow.state === 'passed_challenge' && code !== null) {
    return replaceUsed(ctx, { ...flow, type: 'browser' }, { ...caller, json: false })
  }
  const url = screenUrl(ctx, 'verification', flow.id)
  if (code === null) {
    return isOwn(flow, caller)
      ? { kind: 'submit', flow_id: flow.id, values: {} }
      : { kind: 'elsewhere', url, status: 303, always: true }
  }
  const recipient = lastRecipient.read(flow)
  // The link opens a form again that a submission without a method ended.
  const { unclaimed: _, ...memo } = flow.memo
  const open = { ...flow, memo }
  const filled = recipient ? lastRecipient.write(open, { ...recipient, prefilled: code }) : open
  return await openHere(ctx, filled, caller)
}

async function openHere(
  ctx: Context,
  flow: Flow<'verification'>,
  caller: Caller,
): Promise<Outcome | undefined> {
  const takenFlow = { ...flow, csrf_token: maskCsrf(caller.csrf.secret) }
  if (!(await updateFlow(ctx.db, await render(ctx, takenFlow)))) return undefined
  const url = screenUrl(ctx, 'verification', flow.id)
  return { kind: 'elsewhere', url, status: 303, always: true, cookies: csrfCookieForVisitor(caller) }
}

/** Has no effect. Throws `FormError` if a web hook refuses. */
export async function prepareVerification(ctx: Context, step: CompletedStep<'verification'>) {
  const { completion, caller } = step
  const previousIdentity = await findIdentity(ctx.db, completion.identity_id)
  const oauth2 = await findOAuth2Continuation(ctx, step)
  const passed = await render(ctx, passedFlow(ctx, step, oauth2))
  const hooks = webHooksOf(ctx.config.selfservice.flows.verification.after.hooks)
  const { transient_payload, address_id } = completion
  const identity = previousIdentity && withProof(previousIdentity, address_id, ctx.now().toISOString())
  const event = { flow: passed, caller, identity, transient_payload }
  await callAll(ctx, hooks.filter(mayStop), event)
  const following = hooks.filter((hook) => !mayStop(hook))
  return {
    passed,
    oauth2,
    /** False if the code was used before. Call inside `transact`. */
    async store(ctx: Context): Promise<boolean> {
      const { code_id } = completion.consume
      await lockIdentity(ctx.db, completion.identity_id)
      // Only one concurrent request succeeds, and a crash consumes nothing (SEC-04).
      if (!(await consumeCode(ctx.db, code_id, ctx.now().toISOString()))) return false
      await proveAddress(ctx, step)
      const { identity_id } = completion
      await recordEvent(ctx, { event: 'address_verified', outcome: 'ok', identity_id })
      await storeEffect(ctx, passed)
      return true
    },
    following,
    event,
  }
}

interface OAuth2Continuation {
  readonly url: string
  /** The URL makes a new request, because the first has ended. */
  readonly isRestart: boolean
}

/** Undefined unless an OAuth 2.0 sign-in led to this verification. */
async function findOAuth2Continuation(
  ctx: Context,
  { flow, completion: { identity_id }, caller }: CompletedStep<'verification'>,
): Promise<OAuth2Continuation | undefined> {
  const login = oauth2Login.read(flow)
  if (!login) return undefined
  const foundSession = await findLiveSession(ctx, caller)
  const ownSession = foundSession?.identity.id === identity_id ? foundSession : undefined
  const { request_url } = login.request
  const url = await continueOAuth2Login(ctx, login, ownSession, request_url)
  return { url, isRestart: url === request_url }
}

function passedFlow(
  ctx: Context,
  { flow, caller }: CompletedStep<'verification'>,
  oauth2: OAuth2Continuation | undefined,
): Flow<'verification'> {
  const { after } = ctx.config.selfservice.flows.verification
  const verified = isPhone(lastRecipient.read(flow)?.address ?? '')
    ? messages.verifiedPhone
    : messages.verified
  const notices = oauth2?.isRestart ? [verified, ownMessages.appSignInEnded] : [verified]
  const url = oauth2?.url ?? returnUrlOr(ctx, flow.return_to, after.default_browser_return_url)
  return {
    ...flow,
    state: 'passed_challenge',
    // Continues in the browser that entered the code.
    csrf_token: flow.type === 'browser' ? maskCsrf(caller.csrf.secret) : '',
    memo: {
      ...attempt.copy(flow),
      ...continueUrl.entry(url),
      messages: notices.map((message) => ({ message })),
    },
  }
}

async function proveAddress(ctx: Context, step: CompletedStep<'verification'>): Promise<void> {
  const { identity_id, address_id } = step.completion
  const previousIdentity = await findIdentity(ctx.db, identity_id)
  if (!previousIdentity || address_id === undefined) return
  const now = ctx.now().toISOString()
  await markAddress(ctx.db, address_id, true, now)
  await takeOver(ctx, previousIdentity, withProof(previousIdentity, address_id, now), step)
}

function replaceVerification(
  ctx: Context,
  flow: Flow<'verification'>,
  sender: Caller,
  why?: Reason,
): OpenFlow<'verification'> {
  if (!why) return replaceExpired(ctx, flow, sender)
  const { message, byLink, expired_at } = why
  const caller = renewed(flow, sender)
  const type = byLink ? 'browser' : flow.type
  // Kratos compatibility: with links, everyone is redirected.
  const redirects = !caller.json || Boolean(stepNamed(ctx, flow, flow.active)?.byLink)
  const request = { type, request_url: publicUrl(ctx, caller.url), csrf_secret: caller.csrf.secret } as const
  const outcomeFor = (next: Flow<'verification'>) => {
    if (redirects) return redirectTo(ctx, next, caller, type === 'api' && caller.json ? 'data' : 'page')
    const { csrf } = csrfCookieIfMissing(caller)
    throw expired_at === undefined
      ? replacedError(next.id, csrf)
      : expiredError(ctx, expired_at, next.id, csrf)
  }
  return replacement(ctx, 'verification', request, message, outcomeFor, sameOpener(ctx, flow))
}

/** The registering browser is known by its cookie, so the forms that we opened there keep it. */
function renewed(flow: Flow, caller: Caller): Caller {
  return openerToken.read(flow) ? caller : withNewSecret(caller)
}

function sameOpener(ctx: Context, flow: Flow): FlowStart<'verification'> {
  const memo = { ...openerToken.copy(flow), ...oauth2Login.copy(flow) }
  return { fields: { ...fixedMethod(ctx, 'verification'), memo } }
}

/**
 * Kratos compatibility: pages go to the new flow, scripts and apps to its data. The type stays,
 * because an app could not fetch a browser's flow (documented difference).
 */
function replaceExpired(ctx: Context, flow: Flow<'verification'>, sender: Caller): OpenFlow<'verification'> {
  const message = messages.verificationFlowExpired(flow.expires_at)
  const caller = renewed(flow, sender)
  const request = { ...flow, csrf_secret: caller.csrf.secret }
  const outcomeFor = (next: Flow<'verification'>) => redirectTo(ctx, next, caller)
  return replacement(ctx, 'verification', request, message, outcomeFor, sameOpener(ctx, flow))
}

function replaceUsed(ctx: Context, flow: Flow<'verification'>, caller: Caller): OpenFlow<'verification'> {
  return replaceVerification(ctx, flow, caller, { message: messages.verificationAlreadyDone })
}

/** Asks before restoring an address. A browser gets the page, even of an app's flow. */
async function openLink(
  ctx: Context,
  flow: Flow<'verification'>,
  token: string,
  caller: Caller,
): Promise<Outcome | LinkSubmission | undefined> {
  const check = addressChange.read(flow)?.undo ? await checkToken(ctx, flow.id, token) : undefined
  if (check?.kind === 'right') {
    const link = { token: ctx.secrets.encrypt('link token', token) }
    const messages = [{ message: ownMessages.undoAddress(check.code.address) }]
    const memo = { ...flow.memo, ...linkToConfirm.entry(link), messages }
    return await openHere(ctx, { ...flow, type: 'browser', memo }, caller)
  }
  return { kind: 'submit', flow_id: flow.id, values: { token }, toPage: true }
}
