import type { Caller } from '../../contract/caller.ts'
import type { Context, Finished, StepResult, Submission } from '../../contract/contract.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import { UNREADABLE, UnreadableText } from '../../crypto/secrets.ts'
import {
  FormError,
  HookRefusal,
  LimitReached,
  messageOf,
  unreachable,
  WrongProof,
} from '../../errors/errors.ts'
import { recordRefusal } from '../../events/record.ts'
import { readObject } from '../../identities/schema/decode.ts'
import { attempt, storeEffect } from '../../limits/attempt.ts'
import { countAttempt, countToken, refund, refundOnFailure } from '../../limits/limits.ts'
import { exchangeId } from '../../sessions/exchange.ts'
import { type Flow, type FlowBound, insertFlow } from '../../storage/flows/flows.ts'
import { hasErrors } from '../../storage/flows/memo.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind, Method } from '../../wire/flow.ts'
import { isOwn } from '../form/csrf.ts'
import type {
  Ending,
  ErrorSource,
  FlowRequest,
  FlowStages,
  FlowStart,
  OpenFlow,
  Outcome,
} from '../form/decision.ts'
import { keepCookies } from '../form/later-failure.ts'
import { newFlow } from '../form/new-flow.ts'
import { membersOf } from '../form/public-flow.ts'
import { render, withoutForm } from '../form/render.ts'
import { formRules } from '../form/rules.ts'
import { linkMethod, stepsOf } from '../form/steps.ts'
import { saveFlow, saveOnce } from '../form/stored.ts'
import { screenUrl } from '../form/urls.ts'
import { keptValues, typedValues } from '../form/values.ts'
import { runBefore } from '../hooks/web-hooks.ts'
import { holdForApp, keptDevice } from './provider-return.ts'

export async function conclude<K extends FlowKind>(
  ctx: Context,
  stages: FlowStages<K>,
  flow: Flow<K>,
  decision: StepResult<K> | Outcome | OpenFlow,
  submission: Submission,
): Promise<Ending> {
  const { caller } = submission
  switch (decision.kind) {
    case 'completed':
      return (
        (await holdIfForApp(ctx, stages, decision, caller)) ??
        (await complete(ctx, stages, decision, submission))
      )
    case 'stay':
      return await showNextStep(ctx, decision.flow, caller, decision.members)
    case 'reload':
      return await reload(ctx, decision.flow, caller)
    case 'redirect': {
      const { continuity_token, url } = decision
      await countAttempt(ctx, { kind: 'provider' })
      // Each request to a provider is a new one, so none waits for an earlier answer.
      // The browser follows the later one of two redirects.
      await storeEffect(ctx, keptDevice.write(attempt.write(decision.flow, undefined), caller.device_cookie))
      return { kind: 'elsewhere', url, status: 303, cookies: { continuity_token } }
    }
    case 'refused':
      return await showError(ctx, decision.flow, submission, decision.error)
    case 'replace':
      return await openOther(ctx, await stages.replace(ctx, flow, caller, decision), caller)
    case 'open':
      return await openOther(ctx, decision, caller)
    case 'handoff':
    case 'opened':
    case 'form':
    case 'finished':
    case 'elsewhere':
      return decision
    default:
      return unreachable(decision)
  }
}

/** Undefined unless an app's redemption must complete it. */
async function holdIfForApp<K extends FlowKind>(
  ctx: Context,
  stages: FlowStages<K>,
  { flow, completion, proof }: Finished<K>,
  caller: Caller,
): Promise<Outcome | undefined> {
  const id = flow.type === 'api' && caller.returns ? exchangeId.read(flow) : undefined
  if (!stages.preview || !proof || id === undefined || !('method' in completion)) return undefined
  const other = await stages.preview(ctx, { flow, completion, caller })
  if (other) return await openOther(ctx, other, caller)
  return await holdForApp(ctx, id, { flow_id: flow.id, method: completion.method as Method, proof }, flow)
}

/** A `FormError` becomes a form with its message, and so does a text whose secret was dropped. */
export async function orShowError<K extends FlowKind, R>(
  ctx: Context,
  { submission, form, source = 'step' }: ErrorForm<K>,
  run: () => Promise<R>,
): Promise<R | Outcome> {
  try {
    return await run()
  } catch (error) {
    const shown = error instanceof UnreadableText ? new FormError(messages.generic(UNREADABLE)) : error
    if (!(shown instanceof FormError)) throw error
    if (shown !== error) ctx.log.error({ request_id: submission.caller.request_id }, messageOf(error))
    return await showError(ctx, form(), submission, shown, source)
  }
}

interface ErrorForm<K extends FlowKind> {
  readonly submission: Submission
  /** Throws if the caller must not see it. */
  form(): Flow<K>
  readonly source?: ErrorSource
}

async function complete<K extends FlowKind>(
  ctx: Context,
  stages: FlowStages<K>,
  result: Finished<K>,
  submission: Submission,
): Promise<Outcome> {
  const { countedAttempt } = result
  const outcome = await refundOnFailure(ctx, countedAttempt, () => finish(ctx, stages, result, submission))
  countFinished(ctx, result, outcome)
  if (countedAttempt) await refund(ctx, countedAttempt)
  return outcome
}

/** Consumes a single-use proof first, so that only one request succeeds (SEC-61). */
async function finish<K extends FlowKind>(
  ctx: Context,
  stages: FlowStages<K>,
  { flow, completion: stepResult, singleUse, token }: Finished<K>,
  submission: Submission,
): Promise<Outcome> {
  const { values, caller } = submission
  const completion = { transient_payload: readObject(values, 'transient_payload'), ...stepResult }
  const completeFlow = async (flow: Flow<K>): Promise<Outcome> => {
    const countedAttempt = token && (await countToken(ctx, token))
    return await refundOnFailure(ctx, countedAttempt, async () => {
      const decision = await stages.complete(ctx, { flow, completion, caller })
      return decision.kind === 'open' ? await openOther(ctx, decision, caller) : decision
    })
  }
  if (!singleUse) return await completeFlow(flow)
  const consumedFlow = await saveOnce(ctx, await render(ctx, flow))
  const errorForm = { submission, form: () => consumedFlow, source: 'flow' } as const
  return await orShowError(ctx, errorForm, () => completeFlow(consumedFlow))
}

function countFinished<K extends FlowKind>(
  { metrics }: Context,
  { flow, completion }: Finished<K>,
  outcome: Outcome,
) {
  if (outcome.kind === 'form' && outcome.refused) return
  const method = 'method' in completion ? completion.method : (flow.active ?? 'unknown')
  metrics.add('identity_flows_finished_total', { kind: flow.kind, method })
}

export async function openOther(ctx: Context, decision: OpenFlow, caller: Caller): Promise<Outcome> {
  const { into, request, start } = decision
  const countedAttempt = await countAttempt(ctx, { kind: 'flow' })
  const bounded = { ...request, bound: countedAttempt }
  return decision.outcomeOf(await keepCookies(decision, () => openStored(ctx, into, bounded, start, caller)))
}

/** Runs the web hooks first. */
export async function openStored<K extends FlowKind>(
  ctx: Context,
  kind: K,
  request: FlowRequest & { readonly bound: FlowBound },
  start: FlowStart<K>,
  caller: Caller,
): Promise<Flow<K>> {
  const flow = await newFlow(ctx, kind, request, start, caller)
  await runBefore(ctx, { flow, caller })
  await insertFlow(ctx.db, withoutForm(flow), request.bound)
  const submitted = await autoSubmit(ctx, flow)
  return submitted === flow ? flow : await saveFlow(ctx, submitted)
}

async function showNextStep<K extends FlowKind>(
  ctx: Context,
  flow: Flow<K>,
  caller: Caller,
  extra: object | undefined,
): Promise<Outcome> {
  const { unclaimed: _, ...memo } = flow.memo
  // A wrong code has no effect, and each one counts.
  const keptMemo = hasErrors(memo) ? { ...memo, ...attempt.entry(undefined) } : memo
  const rendered = await render(ctx, withFreshToken({ ...flow, memo: keptMemo }, caller))
  const next = await saveFlow(ctx, await autoSubmit(ctx, rendered))
  const members = { ...(await membersOf(ctx, next)), ...extra }
  return { kind: 'form', flow: next, status: formRules(flow).stayStatus, members }
}

/** Starts the only method if it needs no input. */
async function autoSubmit<K extends FlowKind>(ctx: Context, flow: Flow<K>): Promise<Flow<K>> {
  if (flow.state !== 'choose_method') return flow
  const buttons = (flow.ui.nodes ?? []).filter(
    ({ attributes }) => 'type' in attributes && ['submit', 'button'].includes(attributes.type),
  )
  const groups = new Set(buttons.map(({ group }) => group))
  if (groups.size !== 1) return flow
  const only = stepsOf(ctx, flow.kind as K).find(({ strategy }) => groups.has(strategy.group))
  try {
    const submitted = await only?.step.autoSubmit?.(ctx, flow)
    return submitted ? await render(ctx, submitted) : flow
  } catch (error) {
    // Pressing the button shows the limit.
    if (error instanceof LimitReached) return flow
    throw error
  }
}

/** The page script reads the form only on load. */
async function reload<K extends FlowKind>(ctx: Context, flow: Flow<K>, caller: Caller): Promise<Outcome> {
  await saveFlow(ctx, await render(ctx, withFreshToken(flow, caller)))
  return { kind: 'elsewhere', url: screenUrl(ctx, flow.kind, flow.id), status: 303 }
}

/** Verification and settings keep earlier messages, as in Kratos. Forms must not fill the disk. */
const KEPT_MESSAGES = 20

export async function showError<K extends FlowKind>(
  ctx: Context,
  flow: Flow<K>,
  sentSubmission: Submission,
  error: FormError,
  by: ErrorSource = 'step',
): Promise<Outcome> {
  const changed = error instanceof HookRefusal ? error.traits : undefined
  const submission = changed
    ? { ...sentSubmission, values: { ...sentSubmission.values, traits: changed } }
    : sentSubmission
  const { values, caller } = submission
  const rules = formRules(flow)
  if (error instanceof WrongProof) recordRefusal(ctx, { event: 'sign_in', ...error.proof })
  const previousMessages = (flow.memo.messages ?? []).slice(-KEPT_MESSAGES)
  const unclaimed = unclaimedAfter(ctx, flow, error)
  const keeps = unclaimed !== 'default' && rules.keepsTyped(error, by)
  const { unclaimed: earlier, ...keptMemo } = flow.memo
  const memo = {
    ...keptMemo,
    ...attempt.entry(undefined),
    ...(unclaimed && { unclaimed }),
    ...(keeps && { values: keptValues(flow.memo.values, typedValues(ctx, flow, values)) }),
    messages: error.entries,
  }
  const nextFlow = { ...flow, memo }
  const rejection = { error, by, submission, previousMessages, wasUnclaimed: earlier !== undefined }
  const rejectedFlow = rules.reject?.(ctx, nextFlow, rejection) ?? nextFlow
  const renderedFlow = await render(ctx, withCallersToken(rejectedFlow, caller))
  const savedFlow = isOwn(flow, caller) ? await saveFlow(ctx, renderedFlow) : renderedFlow
  const members = await membersOf(ctx, savedFlow)
  const limit = error instanceof LimitReached ? error : undefined
  return { kind: 'form', flow: savedFlow, status: limit ? 429 : 400, refused: true, limit, members }
}

/** Kratos compatibility: once no method claimed a submission, links report the next error. */
function unclaimedAfter<K extends FlowKind>(ctx: Context, flow: Flow<K>, { entries }: FormError) {
  const { noMethod } = formRules(flow)
  if (entries.some(({ message }) => message.id === noMethod.id)) return 'default'
  return flow.memo.unclaimed && linkMethod(ctx, flow.kind)
}

/** Another browser must not see the owner's token (SEC-34). */
function withCallersToken<K extends FlowKind>(flow: Flow<K>, caller: Caller): Flow<K> {
  return flow.type === 'browser' && !flow.memo.by_operator
    ? { ...flow, csrf_token: maskCsrf(caller.csrf.secret) }
    : withFreshToken(flow, caller)
}

function withFreshToken<K extends FlowKind>(flow: Flow<K>, caller: Caller): Flow<K> {
  // Another browser must not take the flow over (SEC-19).
  return flow.type === 'browser' && isOwn(flow, caller)
    ? { ...flow, csrf_token: maskCsrf(caller.csrf.secret) }
    : flow
}

export function traceFlow(
  { tracing }: Context,
  { kind, type }: Pick<Flow, 'kind' | 'type'>,
  method?: Method,
): void {
  const attributes = { 'identity.flow.kind': kind, 'identity.flow.type': type }
  tracing?.note(method === undefined ? attributes : { ...attributes, 'identity.flow.method': method })
}
