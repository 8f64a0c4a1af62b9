import type { Caller } from '../../contract/caller.ts'
import type { Context, Finished, StepResult, Submission } from '../../contract/contract.ts'
import { maskCsrf } from '../../crypto/csrf.ts'
import { FormError, LimitReached, unreachable, WrongProof } from '../../errors/errors.ts'
import { recordRefusal } from '../../events/record.ts'
import { readObject } from '../../identities/schema/decode.ts'
import { count, forgive, forgiveEarlier, unlessRefused } from '../../limits/limits.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { messages } from '../../ui/messages.ts'
import type { FlowKind } from '../../wire/flow.ts'
import { assertOwnCaller, isOwn, redactFor } from '../form/csrf.ts'
import { render } from '../form/render.ts'
import type { Ending, FlowSpec, Outcome } from '../form/spec.ts'
import { consume, loadSubmitted, save, withoutPending } from '../form/stored.ts'
import { subjectOf } from '../form/subject-of.ts'
import { screenUrl } from '../form/urls.ts'
import { keptValues, typedValues } from '../form/values.ts'
import { autoSubmit } from './auto-submit.ts'
import { keepDevice } from './kept-device.ts'
import { pickCell } from './pick.ts'
import { traceFlow } from './trace.ts'

/** GET of the form's action. */
export async function visit<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  query: URLSearchParams,
  caller: Caller,
): Promise<Ending> {
  if (spec.visit) return await spec.visit(ctx, query, caller)
  return await submit(ctx, spec, { flow_id: query.get('flow'), caller, values: {}, problem: NO_BODY })
}

/** The message for a form sent by GET. */
export const NO_BODY = 'This form must be sent with POST.'

/** Handles a submission. */
export async function submit<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  submission: Submission,
): Promise<Ending> {
  const caller = (await spec.gate?.(ctx, submission.caller)) ?? submission.caller
  if ('kind' in caller) return caller
  // A submission kept for re-authentication belongs to the request that resumes it; any other discards it.
  const flow = withPresentSchema(withoutPending(await loadSubmitted(ctx, spec, submission.flow_id)), caller)
  traceFlow(ctx, flow)
  try {
    const refused = await spec.admit?.(ctx, flow, caller, submission.values)
    if (refused) return refused
    if (isExpired(ctx, flow)) return await spec.expired(ctx, flow, caller)
    return await advance(ctx, spec, flow, { ...submission, caller })
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    return await refuse(ctx, spec, redactFor(flow, caller), { ...submission, caller }, error)
  }
}

/** The schema that the form was opened with may be another one than the account has now (SEC-79). */
function withPresentSchema<K extends FlowKind>(flow: Flow<K>, { session }: Caller): Flow<K> {
  const isOwners = session !== undefined && session.identity.id === flow.identity_id
  return isOwners ? { ...flow, identity_schema: session.identity.schema_id } : flow
}

/**
 * Kratos compatibility: first the step, then its input, then the CSRF token. Nothing has an effect before all three.
 */
async function advance<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  loaded: Flow<K>,
  submission: Submission,
): Promise<Ending> {
  const { values, caller, problem, resumed } = submission
  if (problem !== undefined) throw new FormError(messages.generic(problem))
  const flow = spec.note?.(ctx, loaded, values) ?? loaded
  const { step, strategy } = pickCell(ctx, spec, flow, values)
  traceFlow(ctx, flow, strategy.id)
  const subject = await subjectOf(ctx, flow, caller.session)
  const input = step.parse(ctx, flow, values, subject)
  if (!resumed && !step.skipsCsrf?.(flow, input)) assertOwnCaller(ctx, flow, values, caller, step)
  const privileged = step.privileged?.(ctx, flow, input, subject) ?? false
  const earlyOutcome = await spec.admitOwner?.(ctx, flow, { values, privileged }, caller)
  if (earlyOutcome) return earlyOutcome
  return await conclude(ctx, spec, flow, await step.submit(ctx, flow, input, { caller, subject }), submission)
}

/** Turns the result of a step into the result of the request. */
export async function conclude<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
  result: StepResult<K>,
  submission: Submission,
): Promise<Ending> {
  const { caller } = submission
  switch (result.kind) {
    case 'done': {
      const outcome = await unlessRefused(ctx, result.counted, () => finish(ctx, spec, result, submission))
      countFinished(ctx, result, outcome)
      // The limit on flows counts abandoned ones; a sign-in completes one.
      if (spec.kind === 'login' && isSignIn(outcome))
        await forgiveEarlier(ctx, { kind: 'flow' }, result.counted)
      else if (result.counted) await forgive(ctx, result.counted)
      return outcome
    }
    case 'stay':
      return await continueFlow(ctx, spec, result.flow, caller, result.shown)
    case 'reload':
      return await reload(ctx, spec, result.flow, caller)
    case 'redirect':
      await count(ctx, { kind: 'provider' })
      await save(ctx, keepDevice(result.flow, caller))
      return {
        kind: 'elsewhere',
        url: result.url,
        status: 303,
        cookies: { continuity_cookie: result.continuity_cookie },
      }
    case 'refused':
      return await refuse(ctx, spec, result.flow, submission, result.error)
    case 'handoff':
      return result
    case 'replace':
      return await spec.replaced(ctx, flow, result, caller)
    default:
      return unreachable(result)
  }
}

/**
 * Consumes a single-use proof before completing the flow, so that only one of several concurrent requests completes it
 * (SEC-61).
 */
async function finish<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  { flow, done: given, singleUse }: Finished<K>,
  submission: Submission,
): Promise<Outcome> {
  const done = { transient_payload: readObject(submission.values, 'transient_payload'), ...given }
  if (!singleUse) return await spec.complete(ctx, flow, done, submission.caller)
  const consumed = await consume(ctx, await render(ctx, spec, flow))
  try {
    return await spec.complete(ctx, consumed, done, submission.caller)
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    return await refuse(ctx, spec, consumed, submission, error)
  }
}

/** A refusal, or the form to verify an address first, is no sign-in. */
function isSignIn(outcome: Outcome): boolean {
  return outcome.kind === 'finished' || ('cookies' in outcome && Boolean(outcome.cookies?.session))
}

function countFinished<K extends FlowKind>(
  { metrics }: Context,
  { flow, done }: Finished<K>,
  outcome: Outcome,
) {
  if (outcome.kind === 'form' && outcome.refused) return
  const method = 'method' in done ? done.method : (flow.active ?? 'unknown')
  metrics.add('identity_flows_finished_total', { kind: flow.kind, method })
}

/** Shows the form of the next step. */
async function continueFlow<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
  caller: Caller,
  shown: object | undefined,
): Promise<Outcome> {
  const drawn = await render(ctx, spec, withFreshToken(flow, caller))
  const next = await save(ctx, await autoSubmit(ctx, spec, drawn))
  return {
    kind: 'form',
    flow: next,
    status: spec.stayStatus,
    ...(await membersOf(ctx, spec, next, { extra: shown })),
  }
}

/** The page loads the form anew, because its script reads it only on load. */
async function reload<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
  caller: Caller,
): Promise<Outcome> {
  await save(ctx, await render(ctx, spec, withFreshToken(flow, caller)))
  return { kind: 'elsewhere', url: screenUrl(ctx, spec.kind, flow.id), status: 303 }
}

/**
 * Verification and settings keep the errors of earlier submissions, as Kratos does, but only this many: a form that
 * grows with every submission could fill the disk.
 */
const KEPT_MESSAGES = 20

/** Shows the same form with the errors and the typed values. */
export async function refuse<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
  submission: Submission,
  error: FormError,
): Promise<Outcome> {
  const { values, caller } = submission
  if (error instanceof WrongProof) recordRefusal(ctx, { event: 'sign_in', ...error.proof })
  const before = spec.keepsMessages ? (flow.memo.messages ?? []).slice(-KEPT_MESSAGES) : []
  const unclaimed = error.entries.some(({ message }) => message.id === spec.noMethod.id)
  const memo = {
    ...flow.memo,
    ...(unclaimed ? { unclaimed } : { values: keptValues(flow.memo.values, typedValues(ctx, flow, values)) }),
    messages: [...before, ...error.entries],
  }
  const noted = { ...flow, memo }
  const changed = spec.refused?.(ctx, noted, error, submission) ?? noted
  const next = await render(ctx, spec, withFreshToken(changed, caller))
  const saved = isOwn(flow, caller) ? await save(ctx, next) : next
  return { kind: 'form', flow: saved, ...refusal(error), ...(await membersOf(ctx, spec, saved)) }
}

function refusal(error: FormError) {
  if (!(error instanceof LimitReached)) return { status: 400, refused: true } as const
  return { status: 429, refused: true, limit: error } as const
}

/** Members of the response beside the flow; `identity` is its owner where just read. */
export async function membersOf<K extends FlowKind>(
  ctx: Context,
  spec: FlowSpec<K>,
  flow: Flow<K>,
  {
    extra,
    identity,
  }: { readonly extra?: object | undefined; readonly identity?: StoredIdentity | undefined } = {},
): Promise<{ readonly shown?: object }> {
  const shown = { ...(await spec.shown?.(ctx, flow, identity)), ...extra }
  return Object.keys(shown).length === 0 ? {} : { shown }
}

function withFreshToken<K extends FlowKind>(flow: Flow<K>, caller: Caller): Flow<K> {
  // Only for the browser that opened the flow: a submission from another browser must not take it over (SEC-19).
  return flow.type === 'browser' && isOwn(flow, caller)
    ? { ...flow, csrf_token: maskCsrf(caller.csrf.secret) }
    : flow
}

/** Independent of the clean-up, which may not have run yet (SEC-06). */
export function isExpired(ctx: Context, flow: Flow): boolean {
  return flow.expires_at <= ctx.now().toISOString()
}
