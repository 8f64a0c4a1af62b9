import type { Caller } from '../../contract/caller.ts'
import type { Context, StepContext } from '../../contract/contract.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import { newId } from '../../crypto/random.ts'
import type { KnownSubject } from '../../identities/subject.ts'
import { exchangeId } from '../../sessions/exchange.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { Memo } from '../../storage/flows/memo.ts'
import type { FlowKind, FlowType } from '../../wire/flow.ts'
import type { UiText } from '../../wire/text.ts'
import type { FlowRequest, FlowStart } from './decision.ts'
import { render } from './render.ts'
import { stepsOf, subjectOf } from './steps.ts'

export const EXCHANGE_PARAMETER = 'return_session_token_exchange_code'

export function wantsExchange(type: FlowType, isRequested: boolean): Memo {
  return type === 'api' && isRequested ? exchangeId.entry(newId()) : {}
}

export function settingsOf(subject: KnownSubject, messages: readonly UiText[] = []): FlowStart<'settings'> {
  const { id, schema_id } = subject.identity
  return {
    fields: { identity_id: id, identity_schema: schema_id, state: 'show_form' },
    messages,
    knownSubject: subject,
  }
}

/** Does not store the flow. */
export async function newFlow<K extends FlowKind>(
  ctx: Context,
  kind: K,
  request: FlowRequest,
  start: FlowStart<K>,
  caller: Caller,
): Promise<Flow<K>> {
  const blank = blankFlow(ctx, kind, request, start, caller)
  const subject = await subjectOf(ctx, blank, start.knownSubject)
  const flow = await render(ctx, prepared(ctx, blank, { caller, subject }), subject)
  const labels = { kind, type: request.type }
  ctx.afterCommit(() => ctx.metrics.add('identity_flows_opened_total', labels))
  return flow
}

function prepared<K extends FlowKind>(ctx: Context, flow: Flow<K>, scene: StepContext): Flow<K> {
  let next = flow
  for (const { step } of stepsOf(ctx, flow.kind as K)) {
    if (step.prepare) next = step.prepare(ctx, next, scene)
  }
  return next
}

function blankFlow<K extends FlowKind>(
  ctx: Context,
  kind: K,
  request: FlowRequest,
  start: FlowStart<K>,
  { csrf }: Caller,
): Flow<K> {
  const now = ctx.now()
  const issued_at = now.toISOString()
  const { searchParams } = new URL(request.request_url)
  const return_to = searchParams.get('return_to')
  const { memo, ...fields } = start.fields ?? {}
  // The account of a second step is known.
  const identity_schema = fields.requested_aal === 'aal2' ? null : searchParams.get('identity_schema')
  return {
    id: newId(),
    kind,
    type: request.type,
    state: 'choose_method',
    issued_at,
    expires_at: new Date(now.getTime() + ctx.config.selfservice.flows[kind].lifespan).toISOString(),
    created_at: issued_at,
    updated_at: issued_at,
    request_url: bounded(request.request_url),
    ...(return_to ? { return_to } : {}),
    ...(identity_schema ? { identity_schema } : {}),
    refresh: false,
    requested_aal: 'aal1',
    csrf_token: request.type === 'browser' ? maskCsrf(request.csrf_secret ?? csrf.secret) : '',
    ui: { action: '', method: 'POST', nodes: [] },
    memo: { ...memo, messages: (start.messages ?? []).map((message) => ({ message })) },
    version: 0,
    ...fields,
  }
}

const LONGEST_URL = 2048
/** Documented by Kratos, the short ones first. */
const PARAMETERS = [
  ...'flow aal refresh via identity_schema return_session_token_exchange_code organization'.split(' '),
  ...['login_challenge', 'login_hint', 'after_verification_return_to', 'return_to'],
]

/** Long URLs must not fill the database (SEC-66). */
function bounded(request_url: string): string {
  if (request_url.length <= LONGEST_URL) return request_url
  const { origin, pathname, searchParams } = new URL(request_url)
  const keptParameters = new URLSearchParams()
  const url = () => `${origin}${pathname}?${keptParameters}`
  for (const name of PARAMETERS) {
    const value = searchParams.get(name)
    if (value === null) continue
    keptParameters.set(name, value)
    if (url().length > LONGEST_URL) keptParameters.delete(name)
  }
  return url()
}
