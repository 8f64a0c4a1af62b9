import type { Caller, Context, Submission } from '../contract.ts'
import { csrfTokenMatches, maskCsrf } from '../crypto/csrf.ts'
import { newId } from '../crypto/random.ts'
import { FormError, ProtocolError, unreachable } from '../errors.ts'
import type { Flow } from '../storage/flows.ts'
import { findFlow, insertFlow, updateFlow } from '../storage/flows.ts'
import { messages } from '../ui/messages.ts'
import type { FlowKind, FlowType } from '../wire/flow.ts'
import { stepsOf } from './cells.ts'
import { csrfViolation } from './csrf-violation.ts'
import { pickStep } from './pick.ts'
import { pressOnly } from './press.ts'
import { render } from './render.ts'
import { checkReturnTo } from './return-to.ts'
import type { FlowSpec, FlowStart, Outcome } from './spec.ts'
import { publicUrl } from './urls.ts'
import { typedValues } from './values.ts'

/** Opens a flow of a kind, if this caller may. */
export async function open<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  type: FlowType,
  query: URLSearchParams,
  caller: Caller,
): Promise<Outcome> {
  spec.assertEnabled?.(ctx)
  const start = await spec.start(ctx, query, caller, type)
  if ('kind' in start) return start
  checkReturnTo(ctx, query.get('return_to'))
  const request = { type, request_url: publicUrl(ctx, caller.url), csrf_secret: caller.csrf.secret }
  const flow = await begin(ctx, spec, request, start, caller)
  await insertFlow(ctx.db, flow)
  const pressed = await pressOnly(ctx, spec, flow)
  return { kind: 'opened', flow: pressed === flow ? flow : await save(ctx, pressed) }
}

/** What a flow inherits from the request that opened it. */
export interface FlowRequest {
  readonly type: FlowType
  readonly request_url: string
  /** The secret of the browser that it belongs to. */
  readonly csrf_secret: string
}

/** A new flow with its form, not stored yet. */
export async function begin<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  request: FlowRequest,
  start: FlowStart<K>,
  caller: Caller,
): Promise<Flow<K>> {
  let flow = blankFlow(ctx, spec, request, start)
  for (const { step } of stepsOf(ctx, spec.kind)) {
    if (step.prepare) flow = await step.prepare(ctx, flow, caller)
  }
  return await render(ctx, spec, flow)
}

function blankFlow<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  request: FlowRequest,
  start: FlowStart<K>,
): Flow<K> {
  const now = ctx.now()
  const issued_at = now.toISOString()
  const { searchParams } = new URL(request.request_url)
  const return_to = searchParams.get('return_to')
  const identity_schema = searchParams.get('identity_schema')
  const { memo, ...fields } = start.fields ?? {}
  return {
    id: newId(),
    kind: spec.kind,
    type: request.type,
    state: 'choose_method',
    issued_at,
    expires_at: new Date(now.getTime() + spec.lifespan(ctx)).toISOString(),
    created_at: issued_at,
    updated_at: issued_at,
    request_url: request.request_url,
    ...(return_to ? { return_to } : {}),
    ...(identity_schema ? { identity_schema } : {}),
    refresh: false,
    requested_aal: 'aal1',
    csrf_token: request.type === 'browser' ? maskCsrf(request.csrf_secret) : '',
    ui: { action: '', method: 'POST', nodes: [] },
    memo: { ...memo, messages: (start.messages ?? []).map((message) => ({ message })) },
    version: 0,
    attempts: 0,
    ...fields,
  }
}

/** The flow for whoever opened it. Throws 404, 403 `security_csrf_violation`, 410. Protocol 1, 2.3. */
export async function read<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  id: string | null,
  caller: Caller,
): Promise<Flow<K>> {
  const flow = await load(ctx, spec.kind, id)
  spec.assertEnabled?.(ctx)
  if (flow.type === 'browser' && !csrfTokenMatches(flow.csrf_token, caller.csrf.secret)) {
    throw csrfViolation(caller, 'fetch')
  }
  if (isExpired(ctx, flow)) throw expiredOnFetch(ctx, flow)
  return flow
}

/** The same by GET of the address to which the form is posted: a link from a mail. */
export async function visit<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  query: URLSearchParams,
  caller: Caller,
): Promise<Outcome> {
  if (!spec.visit)
    return await submit(ctx, spec, { flow_id: query.get('flow'), problem: NO_BODY, values: {}, caller })
  return await spec.visit(ctx, await load(ctx, spec.kind, query.get('flow')), query, caller)
}

const NO_BODY = 'This form must be sent with POST.'

/** Takes what somebody typed one step further. */
export async function submit<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  submission: Submission,
): Promise<Outcome> {
  const { caller } = submission
  const turnedAway = await spec.gate?.(ctx, caller)
  if (turnedAway) return turnedAway
  const flow = await loadSubmitted(ctx, spec.kind, submission.flow_id)
  spec.assertEnabled?.(ctx)
  try {
    const refused = await spec.admit?.(ctx, flow, caller)
    if (refused) return refused
    if (isExpired(ctx, flow)) return await spec.expired(ctx, flow, caller)
    return await advance(ctx, spec, flow, submission)
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    return await refuse(ctx, spec, flow, submission, error)
  }
}

/** The order is the recorded one: which step, well-formed, from the right browser; only then something happens. */
async function advance<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
  { values, caller, problem }: Submission,
): Promise<Outcome> {
  if (problem !== undefined) throw new FormError(messages.generic(problem))
  const step = pickStep(ctx, spec, flow, values)
  const input = await step.parse(ctx, flow, values)
  if (!step.provesItself?.(flow, input)) assertOwnCaller(flow, values, caller)
  const result = await step.submit(ctx, flow, input, caller)
  switch (result.kind) {
    case 'done':
      return await spec.complete(ctx, result.flow, result.done, caller)
    case 'stay':
      return await goOn(ctx, spec, result.flow, caller, result.shown)
    case 'leave':
      return await leave(ctx, result.flow, result.url)
    case 'replace':
      return await spec.replaced(ctx, flow, result, caller)
    default:
      return unreachable(result)
  }
}

/** A browser's form must come from the browser and the site that opened it; a native app has neither cookies nor an origin. */
function assertOwnCaller(flow: Flow, values: Submission['values'], caller: Caller): void {
  if (flow.type === 'api') {
    if (caller.origin !== undefined) throw new FormError(messages.generic(NATIVE_ORIGIN))
    if (caller.has_cookies) throw new FormError(messages.generic(NATIVE_COOKIES))
    return
  }
  const token = values.csrf_token
  const genuine =
    caller.csrf.sent &&
    !caller.csrf.foreign_origin &&
    typeof token === 'string' &&
    csrfTokenMatches(token, caller.csrf.secret) &&
    csrfTokenMatches(flow.csrf_token, caller.csrf.secret)
  if (!genuine) throw csrfViolation(caller, token === undefined ? 'no-token' : 'wrong-token')
}

// SEC-37: else a page could use a native flow to get around the CSRF check.
const NATIVE_ORIGIN =
  'A flow for native apps was used by a web page. Please open a flow for browsers instead.'
const NATIVE_COOKIES =
  'A flow for native apps was used with cookies. Please send none, or open a flow for browsers.'

/** Shows the form of the step that comes next. */
async function goOn<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
  caller: Caller,
  shown: object | undefined,
): Promise<Outcome> {
  const drawn = await render(ctx, spec, withFreshToken(flow, caller))
  const next = await save(ctx, await pressOnly(ctx, spec, drawn))
  return { kind: 'form', flow: next, status: spec.stayStatus, ...(shown ? { shown } : {}) }
}

/** Shows the same form with what must be mended, and with what was typed. */
async function refuse<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
  { values, caller }: Submission,
  error: FormError,
): Promise<Outcome> {
  const before = spec.keepsMessages ? (flow.memo.messages ?? []) : []
  const memo = {
    ...flow.memo,
    values: { ...flow.memo.values, ...typedValues(ctx, flow, values) },
    messages: [...before, ...error.entries],
  }
  const noted = { ...flow, memo }
  const changed = spec.refused?.(noted, error, values) ?? noted
  const next = await render(ctx, spec, withFreshToken(changed, caller))
  return { kind: 'form', flow: await save(ctx, next), status: 400, refused: true }
}

async function leave(ctx: Context, flow: Flow, url: string): Promise<Outcome> {
  await save(ctx, flow)
  return { kind: 'elsewhere', url, status: 303 }
}

function withFreshToken<K extends FlowKind>(flow: Flow<K>, caller: Caller): Flow<K> {
  // Only for the browser that opened the flow: a submission from elsewhere does not take it over (SEC-19).
  return flow.type === 'browser' && csrfTokenMatches(flow.csrf_token, caller.csrf.secret)
    ? { ...flow, csrf_token: maskCsrf(caller.csrf.secret) }
    : flow
}

/** Stores the flow. When somebody else did so first, what they stored is shown: nothing is overwritten unseen. */
async function save<K extends FlowKind>(ctx: Context, flow: Flow<K>): Promise<Flow<K>> {
  const stored = await updateFlow(ctx.db, { ...flow, updated_at: ctx.now().toISOString() })
  return stored ?? (await load(ctx, flow.kind as K, flow.id))
}

async function load<K extends FlowKind>(ctx: Context, kind: K, id: string | null): Promise<Flow<K>> {
  const flow = id !== null && UUID.test(id) ? await findFlow(ctx.db, kind, id) : undefined
  if (!flow) throw new ProtocolError({ status: 404, message: 'There is no such flow. Please start again.' })
  return flow
}

/** Throws 400 where the address names no flow at all: protocol 1, 2.4. */
async function loadSubmitted<K extends FlowKind>(ctx: Context, kind: K, id: string | null): Promise<Flow<K>> {
  if (id === null || !UUID.test(id)) {
    throw new ProtocolError({
      status: 400,
      reason: 'The address of this form names no flow. Please start again.',
    })
  }
  return await load(ctx, kind, id)
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Over at this moment, whether or not the clean-up has seen it (SEC-06). */
export function isExpired(ctx: Context, flow: Flow): boolean {
  return flow.expires_at <= ctx.now().toISOString()
}

function expiredOnFetch(ctx: Context, flow: Flow): ProtocolError {
  const path = `/self-service/${flow.kind}/${flow.type}`
  const query = flow.return_to === undefined ? '' : `?${new URLSearchParams({ return_to: flow.return_to })}`
  return new ProtocolError({
    // Recorded: verification tells no id here, login and registration do.
    ...(flow.kind === 'verification' ? {} : { id: 'self_service_flow_expired' as const }),
    status: 410,
    reason: 'This form was open for too long. Please start again.',
    details:
      flow.type === 'api'
        ? { api: publicUrl(ctx, path) }
        : { redirect_to: publicUrl(ctx, path + query), return_to: flow.return_to ?? '' },
  })
}
