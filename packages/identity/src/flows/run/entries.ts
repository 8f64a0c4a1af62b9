import { publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context, Submission } from '../../contract/contract.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import { readObject } from '../../identities/schema/decode.ts'
import { attempt } from '../../limits/attempt.ts'
import { countAttempt } from '../../limits/limits.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind, FlowType, Method } from '../../wire/flow.ts'
import { assertFlowEnabled } from '../form/admission.ts'
import {
  assertNoForeignForm,
  assertOwnCaller,
  csrfViolation,
  isOwn,
  mayUse,
  redactFor,
} from '../form/csrf.ts'
import { type Decision, type Ending, type FlowStages, NO_BODY, type Outcome } from '../form/decision.ts'
import { recordStayChoice } from '../form/login-form.ts'
import { newFlow } from '../form/new-flow.ts'
import { membersOf } from '../form/public-flow.ts'
import { render, withForm } from '../form/render.ts'
import { expiredOnRead } from '../form/replacement.ts'
import { checkReturnTo } from '../form/return-to.ts'
import { keepsMethod, stepNamed, subjectOf } from '../form/steps.ts'
import { find, isExpired, loadFlow, loadSubmitted, saveFlow, withoutPending } from '../form/stored.ts'
import { screenUrl } from '../form/urls.ts'
import { conclude, openOther, openStored, orShowError, traceFlow } from './conclude.ts'
import { followHandoffs } from './handoff.ts'
import { pickStep, unclaimed } from './pick-step.ts'
import { leadToApp, openExchangeOf } from './provider-return.ts'
import { type Attempt, answerOnce, attemptOf, findFirstAnswer } from './repeat.ts'

// Entry points of a flow. `stages.` names a member of `FlowStages` (`stages.ts`), `step.` a member of the
// strategy's step (`contract.ts`). Most of them are optional.
//
// | entry            | what happens, in this order                                                                  |
// |------------------|----------------------------------------------------------------------------------------------|
// | open             | count, stages.start, return_to, new form with step.prepare, step.autoSubmit                  |
// | read             | stages.admitSession, flow enabled, load, stages.admitReader or own browser, 410 if expired   |
// | submit           | load, the first answer to a repetition (`repeat.ts`), stages.admitSession,                    |
// |                  | stages.admitSubmission, stages.replace if expired, readable body,                            |
// |                  | pick a step by step.claims or stages.admitUnclaimed, step.parse, step.csrf, stages.admitOwner, |
// |                  | step.submit, conclude                                                                        |
// | visit            | stages.visit, then submit, another flow or an outcome                                        |
// | provider returns | load, own authorization, stages.admitSession, stages.admitCallback,                          |
// |                  | stages.replace if expired, step.handleCallback, conclude                                     |
// | handed over      | `handoff.ts`: flow enabled, count, new form, step.continueWith, conclude                            |
//
// `conclude` (`conclude.ts`) carries out a decision. A finished step runs stages.complete with its hooks. For an app,
// a provider's return may run only stages.preview (`handoff.ts`).

export async function openFlow<K extends FlowKind>(
  ctx: Context,
  stages: FlowStages<K>,
  type: FlowType,
  query: URLSearchParams,
  caller: Caller,
): Promise<Outcome> {
  traceFlow(ctx, { kind: stages.kind, type })
  const countedAttempt = await countAttempt(ctx, { kind: 'flow' })
  const start = await stages.start(ctx, query, caller, type)
  if ('kind' in start) return start
  for (const name of ['return_to', 'after_verification_return_to'])
    checkReturnTo(ctx, (start.query ?? query).get(name))
  const url = start.query ? `/self-service/${stages.kind}/${type}?${start.query}` : caller.url
  const request = { type, request_url: publicUrl(ctx, url), bound: countedAttempt }
  const flow = await openStored(ctx, stages.kind, request, start, caller)
  const extra = await openExchangeOf(ctx, flow)
  const members = { ...(await membersOf(ctx, flow, start.knownSubject?.identity)), ...extra }
  return { kind: 'opened', flow, members }
}

/** Throws 404, 403 `security_csrf_violation` or `security_identity_mismatch`, 410. */
export async function readFlow<K extends FlowKind>(
  ctx: Context,
  stages: FlowStages<K>,
  id: string | null,
  reader: Caller,
): Promise<Outcome> {
  const caller = (await stages.admitSession?.(ctx, reader, 'read')) ?? reader
  if ('kind' in caller) return caller
  assertFlowEnabled(ctx, stages.kind)
  const flow = await withForm(ctx, await loadFlow(ctx, stages.kind, id))
  traceFlow(ctx, flow)
  if (stages.admitReader) await stages.admitReader(ctx, flow, caller)
  // Any browser may enter an operator's code.
  else if (!mayUse(flow, caller) && !flow.memo.by_operator) throw csrfViolation(caller, 'fetch')
  if (isExpired(ctx, flow)) throw expiredOnRead(ctx, flow)
  const ownFlow = stages.admitReader ? await adopted(ctx, flow, caller) : flow
  return { kind: 'opened', flow: ownFlow, members: await membersOf(ctx, ownFlow, caller.session?.identity) }
}

/** After a sign-in, the form needs the browser's current CSRF secret. */
async function adopted<K extends FlowKind>(ctx: Context, flow: Flow<K>, caller: Caller): Promise<Flow<K>> {
  if (isOwn(flow, caller) || caller.credential?.from !== 'cookie') return flow
  return await saveFlow(ctx, await render(ctx, { ...flow, csrf_token: maskCsrf(caller.csrf.secret) }))
}

export async function submitFlow<K extends FlowKind>(
  ctx: Context,
  stages: FlowStages<K>,
  submission: Submission,
): Promise<Outcome> {
  const storedFlow = await find(ctx, stages.kind, submission.flow_id)
  const ownAttempt = storedFlow && attemptOf(ctx, storedFlow, submission)
  const first = ownAttempt && (await findFirstAnswer(ctx, ownAttempt, storedFlow))
  if (first) return first
  const work = async () => {
    const ending = await submitTo(ctx, stages, submission, { storedFlow, ownAttempt })
    return await followHandoffs(ctx, ending, submission.caller)
  }
  return ownAttempt ? await answerOnce(ctx, ownAttempt, work) : await work()
}

interface Submitted<K extends FlowKind> {
  readonly storedFlow: Flow<K> | undefined
  readonly ownAttempt: Attempt | undefined
}

async function submitTo<K extends FlowKind>(
  ctx: Context,
  stages: FlowStages<K>,
  submission: Submission,
  { storedFlow, ownAttempt }: Submitted<K>,
): Promise<Ending> {
  const caller = (await stages.admitSession?.(ctx, submission.caller, 'submit')) ?? submission.caller
  if ('kind' in caller) return caller
  // Only the resuming request may use the kept submission.
  const loaded = withoutPending(await loadSubmitted(ctx, stages.kind, submission.flow_id, storedFlow))
  const flow = withPresentSchema(loaded, caller)
  traceFlow(ctx, flow)
  const admitted = { ...submission, caller }
  const errorForm = { submission: admitted, form: () => redactFor(flow, caller) }
  const early = await orShowError(ctx, { ...errorForm, source: 'flow' }, async () =>
    stages.admitSubmission?.(ctx, flow, caller, submission.values),
  )
  return await orShowError(ctx, errorForm, async () => {
    if (early) return await conclude(ctx, stages, flow, early, admitted)
    if (isExpired(ctx, flow))
      return await conclude(ctx, stages, flow, await stages.replace(ctx, flow, caller), admitted)
    return await runStep(ctx, stages, flow, admitted, ownAttempt)
  })
}

/** The account's schema may have changed (SEC-79). */
function withPresentSchema<K extends FlowKind>(flow: Flow<K>, { session }: Caller): Flow<K> {
  const isOwners = session !== undefined && session.identity.id === flow.identity_id
  return isOwners ? { ...flow, identity_schema: session.identity.schema_id } : flow
}

/** Kratos compatibility: checks the step, its input, then the CSRF token. Nothing has an effect before. */
async function runStep<K extends FlowKind>(
  ctx: Context,
  stages: FlowStages<K>,
  loaded: Flow<K>,
  submission: Submission,
  ownAttempt: Attempt | undefined,
): Promise<Ending> {
  const { values, caller, problem, resumed } = submission
  if (problem !== undefined) throw new FormError(messages.generic(problem))
  const flow = attempt.write(
    recordStayChoice(ctx, loaded, values),
    ownAttempt && { mark: ownAttempt.mark, id: ownAttempt.id },
  )
  const picked = pickStep(ctx, flow, values)
  if (!picked) {
    const early = await stages.admitUnclaimed?.(ctx, flow, values, caller)
    if (early) return early
    throw unclaimed(ctx, flow, values)
  }
  const { step, strategy } = picked
  traceFlow(ctx, flow, strategy.id)
  const subject = await subjectOf(ctx, flow, caller.session)
  const { input, transient_payload } = readAll(flow.kind, values, () =>
    step.parse(ctx, flow, values, subject),
  )
  const csrf = resumed ? 'none' : (step.csrf?.(flow, input) ?? 'required')
  if (csrf !== 'none') assertOwnCaller(ctx, flow, values, caller, csrf)
  else if (!resumed) assertNoForeignForm(caller)
  const privileged = step.privileged?.(ctx, flow, input, subject) ?? false
  const early = await stages.admitOwner?.(ctx, flow, { values, privileged }, caller)
  if (early) return early
  const result = await step.submit(ctx, flow, input, { caller, subject, transient_payload })
  const errorForm = { submission, form: () => redactFor(loaded, caller), source: 'flow' } as const
  return await orShowError(ctx, errorForm, () => conclude(ctx, stages, flow, result, submission))
}

/** Kratos compatibility: except where codes are sent, a payload of another type is reported with other wrong fields. */
function readAll<K extends FlowKind, I>(kind: K, values: Submission['values'], parse: () => I) {
  const payload = orErrors(() => readObject(values, 'transient_payload'))
  const isUnread = payload instanceof FormError && payload.entries[0]?.field === undefined
  if (isUnread || (payload instanceof FormError && keepsMethod(kind))) throw payload
  const input = orErrors(parse)
  if (payload instanceof FormError) {
    const others = input instanceof FormError ? input.entries.filter(({ field }) => field !== undefined) : []
    throw new FormError([...payload.entries, ...others])
  }
  if (input instanceof FormError) throw input
  return { input, transient_payload: payload }
}

function orErrors<R>(read: () => R): R | FormError {
  try {
    return read()
  } catch (error) {
    if (error instanceof FormError) return error
    throw error
  }
}

/** Also handles forms sent by GET by mistake. */
export async function submitByGet<K extends FlowKind>(
  ctx: Context,
  stages: FlowStages<K>,
  query: URLSearchParams,
  caller: Caller,
): Promise<Outcome> {
  const flow_id = query.get('flow')
  const decision: Decision = stages.visit
    ? await stages.visit(ctx, query, caller)
    : { kind: 'submit', flow_id, values: {}, problem: NO_BODY }
  if (decision.kind === 'open') return await openOther(ctx, decision, caller)
  if (decision.kind !== 'submit') return decision
  const { toPage, kind: _, ...submission } = decision
  const outcome = await submitFlow(ctx, stages, { ...submission, caller })
  if (!toPage || outcome.kind !== 'form' || caller.json) return outcome
  const { flow, cookies = {} } = outcome
  return { kind: 'elsewhere', url: screenUrl(ctx, flow.kind, flow.id), status: 303, cookies }
}

interface ProviderResponse {
  readonly method: Method
  readonly flow_id: string
  readonly answer: URLSearchParams
  /** Throws `ProtocolError` 400 if another browser or flow started the authorization. Has no effects. */
  assertOwn(flow: Flow, caller: Caller): void
}

export async function returnFromProvider<K extends FlowKind>(
  ctx: Context,
  stages: FlowStages<K>,
  response: ProviderResponse,
  sender: Caller,
): Promise<Outcome> {
  const caller = { ...sender, returns: true } as const
  const ending = await handleCallback(ctx, stages, response, caller)
  return await leadToApp(ctx, await followHandoffs(ctx, ending, caller))
}

/** Has no effect unless this browser started the authorization. */
async function handleCallback<K extends FlowKind>(
  ctx: Context,
  stages: FlowStages<K>,
  { method, flow_id, answer, assertOwn }: ProviderResponse,
  caller: Caller,
): Promise<Ending> {
  const flow = withoutPending(await withForm(ctx, await loadFlow(ctx, stages.kind, flow_id)))
  const complete = stepNamed(ctx, flow, method)?.handleCallback
  if (!complete) throw new ProtocolError({ status: 404, reason: 'This login method is disabled.' })
  traceFlow(ctx, flow, method)
  assertOwn(flow, caller)
  const submission = { flow_id, values: {}, caller }
  return await orShowError(ctx, { submission, form: () => flow }, async () => {
    const admitted = (await stages.admitSession?.(ctx, caller, 'callback')) ?? caller
    if ('kind' in admitted) return admitted
    const early = await stages.admitCallback?.(ctx, flow, admitted, method)
    if (early) return await conclude(ctx, stages, flow, early, submission)
    const result = isExpired(ctx, flow)
      ? await stages.replace(ctx, flow, caller)
      : await complete(ctx, flow, answer, caller)
    return await conclude(ctx, stages, flow, result, submission)
  })
}

export async function signInWith(
  ctx: Context,
  method: Method,
  proof: object,
  caller: Caller,
): Promise<Outcome> {
  const request = { type: 'browser' as const, request_url: publicUrl(ctx, caller.url) }
  const flow = await newFlow(ctx, 'login', request, {}, caller)
  return await followHandoffs(ctx, { kind: 'handoff', flow, into: 'login', method, proof }, caller)
}
