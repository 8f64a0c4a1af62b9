import type { Caller, Context, Done, Replacement, Submission } from '../contract.ts'
import { transact } from '../contract.ts'
import { maskCsrf, newCsrfSecret } from '../crypto/csrf.ts'
import type { FormError } from '../errors.ts'
import { ProtocolError } from '../errors.ts'
import { recordEvent } from '../events/record.ts'
import { withProof } from '../identities/proven.ts'
import { spendCode } from '../storage/codes.ts'
import type { Flow } from '../storage/flows.ts'
import { updateFlow } from '../storage/flows.ts'
import { findIdentity, markAddressVerified } from '../storage/identities.ts'
import { messages } from '../ui/messages.ts'
import { nodeName } from '../ui/nodes.ts'
import type { InputNode, UiNode } from '../wire/node.ts'
import { isExpired, submit } from './engine.ts'
import { mayStop, webHooksOf } from './hooks/hooks.ts'
import type { Told } from './hooks/web-hook-request.ts'
import { callAll } from './hooks/web-hooks.ts'
import { assertMethodOn } from './method-on.ts'
import { isOwn } from './own-caller.ts'
import { render } from './render.ts'
import { expiredError, openReplacement, replacedError } from './replace.ts'
import { returnUrlAfter } from './return-to.ts'
import type { Ending, FlowSpec, Outcome } from './spec.ts'
import { publicUrl, screenUrl } from './urls.ts'

/** Proving that an address is one's own: protocol 2, section 1. */
export const verification: FlowSpec<'verification'> = {
  kind: 'verification',
  stayStatus: 200,
  keepsMessages: true,
  noMethod: messages.noVerificationMethod,
  // Recorded: where links are mailed, another method is just none.
  methods: ({ active }) => (active === 'link' ? undefined : ['code', 'link']),
  lifespan: (ctx) => ctx.config.selfservice.flows.verification.lifespan,
  firstFields,
  assertEnabled,
  async start(ctx) {
    assertMethodOn(ctx, ctx.config.selfservice.flows.verification.use)
    return { fields: firstFields(ctx) }
  },
  refused,
  complete,
  expired,
  replaced,
  visit,
  target(_ctx, flow) {
    const url = flow.memo.continue_url
    return url === undefined ? undefined : { action: url, method: 'GET' }
  },
  arrange,
}

function firstFields(ctx: Context) {
  return { active: ctx.config.selfservice.flows.verification.use }
}

function assertEnabled(ctx: Context): void {
  if (ctx.config.selfservice.flows.verification.enabled) return
  throw new ProtocolError({ status: 400, reason: 'Confirming an address is not open at the moment.' })
}

/** A submission that could be read, and was refused then, brings the field for the address back, as recorded. */
function refused(
  _ctx: Context,
  flow: Flow<'verification'>,
  { entries }: FormError,
  { values, problem }: Submission,
): Flow<'verification'> {
  const missing = messages.required('').id
  const isRead = entries.some(({ message, field }) => field === undefined || message.id === missing)
  if (problem !== undefined || !isRead) return flow
  const email = typeof values.email === 'string' ? values.email : ''
  return { ...flow, memo: { ...flow.memo, asks_address: true, values: { ...flow.memo.values, email } } }
}

/** The address, or the button to send a new code to it, stands behind the token, as recorded. */
function arrange(
  _ctx: Context,
  flow: Flow<'verification'>,
  nodes: readonly UiNode[],
  csrf: InputNode,
): readonly UiNode[] {
  if (flow.state === 'passed_challenge' || flow.active === 'link') return [csrf, ...nodes]
  if (flow.type === 'api') return flow.memo.asks_address ? [...nodes, csrf] : nodes
  const behind = flow.state === 'sent_email' ? ['email'] : (flow.memo.strays ?? [])
  const at = nodes.findIndex((node) => behind.includes(nodeName(node)))
  return at < 0 ? [...nodes, csrf] : nodes.toSpliced(at, 0, csrf)
}

async function complete(
  ctx: Context,
  flow: Flow<'verification'>,
  done: Done['verification'],
  caller: Caller,
): Promise<Outcome> {
  const { after } = ctx.config.selfservice.flows.verification
  const passed: Flow<'verification'> = {
    ...flow,
    state: 'passed_challenge',
    // The code may have been typed in another browser than that which opened the form: it goes on here.
    ...(flow.type === 'browser' ? { csrf_token: maskCsrf(caller.csrf.secret) } : {}),
    memo: {
      continue_url: returnUrlAfter(ctx, flow, after.default_browser_return_url),
      messages: [{ message: messages.verified }],
    },
  }
  const drawn = await render(ctx, verification, passed)
  const hooks = webHooksOf(after.hooks)
  const told = hooks.length === 0 ? undefined : await toldOf(ctx, drawn, done, caller)
  if (told) await callAll(ctx, hooks.filter(mayStop), told)
  const now = ctx.now().toISOString()
  const won = await transact(ctx, async (ctx) => {
    // The code is spent in the transaction that uses it: of many at once one wins, and a crash spends nothing (SEC-04).
    if (!(await spendCode(ctx.db, done.spend.code_id, now))) return false
    await markAddressVerified(ctx.db, done.address_id, now)
    const { identity_id } = done
    await recordEvent(ctx, { event: 'address_verified', outcome: 'ok', identity_id })
    await updateFlow(ctx.db, drawn)
    return true
  })
  const cookies = flow.type === 'browser' && !caller.csrf.sent ? { csrf: caller.csrf.secret } : {}
  if (!won) return await replaced(ctx, flow, { message: messages.verificationAlreadyDone }, caller)
  const following = hooks.filter((hook) => !mayStop(hook))
  if (told) await callAll(ctx, following, told)
  return { kind: 'form', flow: drawn, status: 200, cookies }
}

/** What web hooks are told: the account with the address proven. */
async function toldOf(
  ctx: Context,
  flow: Flow<'verification'>,
  { identity_id, address_id, transient_payload }: Done['verification'],
  caller: Caller,
): Promise<Told> {
  const found = await findIdentity(ctx.db, identity_id)
  const identity = found && withProof(found, address_id, ctx.now().toISOString())
  return { flow, caller, identity, transient_payload }
}

/** Recorded: the caller is sent to the new flow, scripts and apps to its data. */
async function expired(ctx: Context, flow: Flow<'verification'>, caller: Caller): Promise<Outcome> {
  // The new flow is of the old one's kind: an app could not fetch a browser's (named difference).
  const request = { type: flow.type, request_url: flow.request_url, csrf_secret: caller.csrf.secret }
  const message = messages.verificationFlowExpired(flow.expires_at)
  const next = await openReplacement(ctx, verification, request, message, caller)
  const url =
    flow.type === 'api' || caller.json
      ? publicUrl(ctx, `/self-service/verification/flows?id=${next.id}`)
      : screenUrl(ctx, 'verification', next.id)
  return { kind: 'elsewhere', url, status: 303, always: true, cookies: ownSecret(caller) }
}

async function replaced(
  ctx: Context,
  flow: Flow<'verification'>,
  why: Omit<Replacement, 'kind'>,
  caller: Caller,
): Promise<Outcome> {
  const type = why.by_link ? 'browser' : flow.type
  const request = { type, request_url: publicUrl(ctx, caller.url), csrf_secret: caller.csrf.secret }
  const { csrf } = ownSecret(caller)
  const next = await openReplacement(ctx, verification, request, why.message, caller)
  // Recorded: where links are mailed, scripts and apps are sent to the new flow like a page.
  if (flow.active === 'link' || (type === 'browser' && !caller.json)) {
    const url =
      type === 'api'
        ? publicUrl(ctx, `/self-service/verification/flows?id=${next.id}`)
        : screenUrl(ctx, 'verification', next.id)
    return { kind: 'elsewhere', url, status: 303, always: true, cookies: ownSecret(caller) }
  }
  throw why.expired_at === undefined
    ? replacedError(next.id, csrf)
    : expiredError(ctx, why.expired_at, next.id, csrf)
}

/**
 * Only who has no secret gets one: a new one would make the other open forms of a browser useless (K23). Another site
 * can send a form without the browser's cookies; its answer must not replace them either.
 */
function ownSecret({ csrf }: Caller): { readonly csrf?: string } {
  return csrf.sent || csrf.foreign_origin ? {} : { csrf: csrf.secret }
}

/**
 * The link of a mail: fills the code in and lets this browser take the flow over. Nothing is spent, because mail
 * scanners open links too; the person presses the button. Protocol 2, 1.6.
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
  const token = query.get('token')
  if (token !== null && flow.active === 'link') return await openLink(ctx, flow, token, caller)
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
  const csrf = newCsrfSecret()
  const memo = { ...flow.memo, ...(flow.memo.code ? { code: { ...flow.memo.code, prefilled: code } } : {}) }
  const taken = { ...flow, memo, ...(flow.type === 'browser' ? { csrf_token: maskCsrf(csrf) } : {}) }
  await updateFlow(ctx.db, await render(ctx, verification, taken))
  return { kind: 'elsewhere', url, status: 303, always: true, cookies: { csrf } }
}

/** An app's flow may end in a browser, which is shown the screen and not the app's data. */
async function openLink(
  ctx: Context,
  flow: Flow<'verification'>,
  token: string,
  caller: Caller,
): Promise<Ending> {
  const outcome = await submit(ctx, verification, { flow_id: flow.id, values: { token }, caller })
  if (outcome.kind !== 'form' || caller.json) return outcome
  const { cookies = {} } = outcome
  return { kind: 'elsewhere', url: screenUrl(ctx, 'verification', flow.id), status: 303, cookies }
}
