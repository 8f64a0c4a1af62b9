import type { Context, Submission } from '../../contract/contract.ts'
import { newId } from '../../crypto/random.ts'
import { createSecrets } from '../../crypto/secrets.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { readText } from '../../identities/schema/decode.ts'
import { attempt } from '../../limits/attempt.ts'
import { findLiveSession } from '../../sessions/find.ts'
import { type Flow, findFlow, storeAnswer, updateFlow } from '../../storage/flows/flows.ts'
import type { FlowKind } from '../../wire/flow.ts'
import type { Outcome } from '../form/decision.ts'
import { withoutForm } from '../form/render.ts'
import { isExpired } from '../form/stored.ts'

// A browser or proxy repeats a submission whose answer was lost, or sends it twice at once. The repetition gets
// the first answer and has no effect (SEC-113).

/** One request that submits a form. */
export interface Attempt {
  readonly kind: FlowKind
  readonly flow_id: string
  readonly mark: string
  readonly id: string
  /** Opens the answer. Not stored. */
  readonly key: string
  readonly caller: Submission['caller']
  readonly values: Submission['values']
}

/** Later submissions are deliberate. */
const REPEATED_WITHIN_MS = 5 * 60_000
const PURPOSE = 'first answer'

/**
 * Requests with equal marks share every proof of the sender: the browser's cookies, the form's
 * token, the app's session. Undefined for a browser without a cookie, and for an app without a session, which
 * nothing but its form's id proves: another use of its code or key is refused. What it registers with, only the app
 * knows, and the answer to a request for a code is its form.
 */
export function attemptOf(
  { secrets }: Context,
  { id: flow_id, kind, type }: Flow,
  { values, problem, caller }: Submission,
): Attempt | undefined {
  const { csrf, credential, json, accepts_json, accepts_page } = caller
  const isKnownApp = credential !== undefined || kind === 'registration' || requestsCode(values)
  const isKnown = type === 'browser' ? csrf.sent : isKnownApp
  if (problem !== undefined || csrf.foreign_origin || !isKnown) return undefined
  const sender = [csrf.sent && csrf.secret, credential?.token, json, accepts_json, accepts_page]
  const text = JSON.stringify([flow_id, values, sender])
  const mark = secrets.mac('submission', text)
  const key = secrets.mac('submission key', text)
  return { kind, flow_id, mark, id: newId(), key, caller, values }
}

function requestsCode(values: Submission['values']): boolean {
  const method = readText(values, 'method')
  return (method === 'code' || method === 'link') && values.code === undefined && values.token === undefined
}

export async function findFirstAnswer(
  ctx: Context,
  ownAttempt: Attempt,
  flow: Flow,
): Promise<Outcome | undefined> {
  const isKnown = readAnswer(flow)?.mark === ownAttempt.mark || attempt.read(flow)?.mark === ownAttempt.mark
  const first = isKnown ? await waitForAnswer(ctx, ownAttempt) : undefined
  return first && !asksAgain(ownAttempt, flow, first.outcome)
    ? await repeatOutcome(ctx, ownAttempt, first)
    : undefined
}

/**
 * Scripts may keep their first token, pages that go back do, and apps have none, so a request for another code may equal
 * an earlier one. In recovery and verification, that of a script or app may even equal the first, which was answered.
 */
function asksAgain({ kind, mark, caller, values }: Attempt, flow: Flow, outcome: Outcome): boolean {
  if (caller.json && (values.resend !== undefined || values.pending_address === 'resend')) return true
  if (outcome.kind !== 'form' || outcome.flow.state !== 'sent_email') return false
  const hasMoved = outcome.flow.id === flow.id && outcome.flow.version < flow.version
  const resendsByAddress = caller.json && (kind === 'recovery' || kind === 'verification')
  return hasMoved || (resendsByAddress && readAnswer(flow)?.mark === mark)
}

/** Of equal attempts at once, only one has an effect, and all get its answer. */
export async function answerOnce(
  ctx: Context,
  ownAttempt: Attempt,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const result = await settleOutcome(work)
  const outcome = 'kind' in result ? result : undefined
  const flow = outcome?.kind === 'finished' ? undefined : await storedFlow(ctx, ownAttempt, outcome)
  const stored = flow && attempt.read(flow)
  if (stored?.mark === ownAttempt.mark && stored.id !== ownAttempt.id) {
    const first = await waitForAnswer(ctx, ownAttempt)
    const again = first && (await repeatOutcome(ctx, ownAttempt, first))
    if (again) return again
  }
  if (!outcome) {
    await allowAnother(ctx, ownAttempt, flow)
    throw result
  }
  if (outcome.kind === 'finished' || stored?.id === ownAttempt.id) await record(ctx, ownAttempt, outcome)
  return outcome
}

interface FirstAnswer {
  readonly outcome: Outcome
  readonly at: string
}

async function settleOutcome(work: () => Promise<Outcome>): Promise<Outcome | ProtocolError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ProtocolError) return error
    throw error
  }
}

/** After an effect whose answer is lost: a web hook failed. */
async function allowAnother(ctx: Context, { id }: Attempt, flow: Flow | undefined): Promise<void> {
  if (flow && attempt.read(flow)?.id === id) await updateFlow(ctx.db, attempt.write(flow, undefined))
}

/** A form that was shown again has just been stored. */
async function storedFlow(ctx: Context, ownAttempt: Attempt, outcome: Outcome | undefined) {
  const isOwn = outcome?.kind === 'form' && outcome.flow.id === ownAttempt.flow_id
  return isOwn ? outcome.flow : await findFlow(ctx.db, ownAttempt.kind, ownAttempt.flow_id)
}

interface StoredAnswer {
  readonly mark: string
  readonly at: string
  readonly sealed: string
}

function readAnswer({ answer }: Flow): StoredAnswer | undefined {
  return answer === undefined ? undefined : (JSON.parse(answer) as StoredAnswer)
}

/** Only the same submission can open it, because it may contain a session's token. */
function sealing({ key }: Attempt) {
  return createSecrets({ default: [key], cookie: [], cipher: [], pagination: [] })
}

async function record(ctx: Context, ownAttempt: Attempt, outcome: Outcome): Promise<void> {
  const sealed = sealing(ownAttempt).encrypt(PURPOSE, JSON.stringify(withoutCopies(outcome)))
  const answer: StoredAnswer = { mark: ownAttempt.mark, at: ctx.now().toISOString(), sealed }
  await storeAnswer(ctx.db, { id: ownAttempt.flow_id, answer: JSON.stringify(answer) })
}

/** With the answer before, it would grow by a third with each submission. A finished flow's body contains its form. */
function withoutCopies(outcome: Outcome): Outcome {
  if (outcome.kind !== 'finished' && outcome.kind !== 'form') return outcome
  const { answer: _, ...flow } = outcome.flow
  return { ...outcome, flow: outcome.kind === 'finished' ? withoutForm(flow) : flow }
}

/** Few, because a thousand equal requests may wait. */
const PAUSES_MS = [50, 100, 200, 400, 800, 1600, 3200, 0]

/** The effect is stored before the answer, which may wait for web hooks. */
async function waitForAnswer(ctx: Context, ownAttempt: Attempt): Promise<FirstAnswer | undefined> {
  for (const pause of PAUSES_MS) {
    const flow = await findFlow(ctx.db, ownAttempt.kind, ownAttempt.flow_id)
    if (!flow || isExpired(ctx, flow)) return undefined
    const stored = readAnswer(flow)
    if (stored?.mark === ownAttempt.mark) {
      const isLate = Date.parse(stored.at) + REPEATED_WITHIN_MS < ctx.now().getTime()
      if (isLate) return undefined
      const outcome = JSON.parse(sealing(ownAttempt).decrypt(PURPOSE, stored.sealed)) as Outcome
      return { outcome, at: stored.at }
    }
    if (attempt.read(flow)?.mark !== ownAttempt.mark) return undefined
    await ctx.sleep(pause)
  }
  return undefined
}

/** Undefined if the session has ended since, or the account changed, as by an operator. */
async function repeatOutcome(
  ctx: Context,
  { kind, caller }: Attempt,
  { outcome, at }: FirstAnswer,
): Promise<Outcome | undefined> {
  const { session: _, ...sender } = caller
  const token = tokenIn(outcome)
  const ownCredential = kind === 'settings' ? caller.credential : undefined
  const credential = token === undefined ? ownCredential : ({ from: 'header', token } as const)
  if (!credential) return outcome
  const foundSession = await findLiveSession(ctx, { ...sender, credential })
  return foundSession && foundSession.identity.updated_at <= at ? outcome : undefined
}

/** The token of a session that the answer begins or continues. */
function tokenIn(outcome: Outcome): string | undefined {
  const session = 'cookies' in outcome ? outcome.cookies?.session : undefined
  if (session && session !== 'removed') return session.token
  const body =
    (outcome.kind === 'finished' ? outcome.body : 'members' in outcome ? outcome.members : undefined) ?? {}
  const { session_token, continue_with } = body as SessionMembers
  return session_token ?? continue_with?.find((one) => one.ory_session_token)?.ory_session_token
}

interface SessionMembers {
  readonly session_token?: string
  readonly continue_with?: readonly { readonly ory_session_token?: string }[] | null
}
