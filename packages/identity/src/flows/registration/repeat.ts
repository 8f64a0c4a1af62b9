import type { Caller } from '../../contract/caller.ts'
import type { Context, Submission } from '../../contract/contract.ts'
import type { Done } from '../../contract/done.ts'
import { FormError } from '../../errors/errors.ts'
import { sessionState } from '../../sessions/find.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { findFlow, updateFlow } from '../../storage/flows/flows.ts'
import { memoPart } from '../../storage/flows/memo.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { findIdentity } from '../../storage/identities/identities.ts'
import { countSessions } from '../../storage/sessions/sessions.ts'
import { messages } from '../../ui/messages.ts'
import { assertActive, assertFlowEnabled } from '../form/admission.ts'
import { assertOwnCaller } from '../form/csrf.ts'
import type { Outcome } from '../form/decision.ts'
import { submissionMark } from '../form/submission-mark.ts'
import { signsIn } from '../hooks/hooks.ts'
import type { ShownVerification } from '../ownership/verify-address.ts'
import { answerRegistration, signInRegistered } from './answer.ts'

// A browser or proxy repeats a submission whose answer was lost, or sends it twice at once. The repetition
// gets the first answer, also the pretended one for a taken address (SEC-113).

type Proof = Pick<Done['registration'], 'method' | 'provider'>

interface FirstResult extends Proof {
  readonly identity: StoredIdentity
  readonly verification: ShownVerification | undefined
  /** The browser's new CSRF secret. */
  readonly csrf: string
}

const firstResult = memoPart<{ readonly mark: string; readonly at: string; readonly sealed: string }>(
  'first_result',
)
const PURPOSE = 'registration result'
/** Later submissions are deliberate. */
const REPEATED_WITHIN_MS = 5 * 60_000

interface Result {
  readonly identity: StoredIdentity
  readonly verification: ShownVerification | undefined
  readonly done: Done['registration']
  readonly csrf: string
}

/** Throws `FormError` if the same submission completed meanwhile. Call inside `transact`. */
export async function recordFirstResult(
  ctx: Context,
  flow: Flow<'registration'>,
  { identity, verification, done: { mark, method, provider }, csrf }: Result,
): Promise<void> {
  if (mark === undefined) return
  const shown = verification && {
    flow: { id: verification.flow.id, type: verification.flow.type },
    address: { value: verification.address.value },
  }
  const result: FirstResult = {
    identity,
    verification: shown,
    csrf,
    method,
    ...(provider === undefined ? {} : { provider }),
  }
  const sealed = ctx.secrets.encrypt(PURPOSE, JSON.stringify(result))
  const entry = { mark, at: ctx.now().toISOString(), sealed }
  if (await updateFlow(ctx.db, firstResult.write(flow, entry))) return
  const present = await findFlow(ctx.db, 'registration', flow.id)
  if (!present) return
  if (firstResult.read(present)?.mark === mark) throw new FormError(completedMeanwhile)
  await updateFlow(ctx.db, firstResult.write({ ...flow, version: present.version }, entry))
}

const completedMeanwhile = messages.generic('This form was used a moment ago. Please try again.')

/** Throws 403 for another browser. */
export async function repeatRegistration(
  ctx: Context,
  flow: Flow<'registration'>,
  caller: Caller,
  values: Submission['values'],
): Promise<Outcome | undefined> {
  assertFlowEnabled(ctx, 'registration')
  const mark = submissionMark(ctx, flow.id, values)
  if (firstResult.read(flow)?.mark !== mark) return undefined
  assertOwnCaller(ctx, flow, values, caller)
  return await repeated(ctx, flow, mark, caller)
}

async function repeated(
  ctx: Context,
  flow: Flow<'registration'>,
  mark: string | undefined,
  caller: Caller,
): Promise<Outcome | undefined> {
  const stored = firstResult.read(flow)
  if (!stored || stored.mark !== mark) return undefined
  if (Date.parse(stored.at) + REPEATED_WITHIN_MS < ctx.now().getTime()) return undefined
  const first = JSON.parse(ctx.secrets.decrypt(PURPOSE, stored.sealed)) as FirstResult
  if (await hasSignedOut(ctx, first)) return undefined
  const { csrf, method } = first
  const session = await signInAgain(ctx, flow, first, caller)
  return await answerRegistration(ctx, flow, { ...first, session }, { csrf, method })
}

/** The first answer arrived, so a repetition would replay its code or provider token (SEC-116). */
async function hasSignedOut(ctx: Context, { identity }: FirstResult): Promise<boolean> {
  return (await countSessions(ctx.db, { identity_id: identity.id, ...sessionState(ctx, 'ended') })) > 0
}

/** The first session's token is lost. */
async function signInAgain(ctx: Context, flow: Flow<'registration'>, first: FirstResult, caller: Caller) {
  if (!signsIn(ctx, flow, first, first.verification)) return undefined
  const identity = await findIdentity(ctx.db, first.identity.id)
  if (!identity) return undefined
  assertActive(ctx, identity, first.method)
  return await signInRegistered(ctx, identity, first, caller)
}
