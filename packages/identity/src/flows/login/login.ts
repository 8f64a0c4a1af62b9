import { rejectedCode } from '../../codes/check.ts'
import { isForLaterKratos } from '../../config/version.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { newCsrfSecret } from '../../crypto/csrf.ts'
import { NIL_ID } from '../../crypto/random.ts'
import { FormError, WrongProof } from '../../errors/errors.ts'
import { recordRefusal } from '../../events/record.ts'
import { withFirstProof } from '../../identities/addresses/proof.ts'
import { accountLink } from '../../identities/named-account.ts'
import { attempt, storeEffect } from '../../limits/attempt.ts'
import { refundEarlier } from '../../limits/limits.ts'
import { isBelowChangesAal, wantsSecondFactor } from '../../sessions/aal.ts'
import { type Confirmed, type ConfirmedSession, confirm, confirmContinued } from '../../sessions/confirm.ts'
import { findLiveSession } from '../../sessions/find.ts'
import type { IssuedSession } from '../../sessions/issue.ts'
import {
  continuedSession,
  continueSession,
  newSession,
  recordSignIn,
  storeNew,
  tokenToKeep,
} from '../../sessions/issue.ts'
import { deliveredSession, publicSession } from '../../sessions/show.ts'
import { type Flow, type FlowBound, updateFlow } from '../../storage/flows/flows.ts'
import { storedFlowField } from '../../storage/flows/memo.ts'
import { findIdentity, markAddress, type StoredIdentity } from '../../storage/identities/identities.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { messages } from '../../ui/messages.ts'
import type { ContinueWith } from '../../wire/flow.ts'
import type { ProofMethod } from '../../wire/session.ts'
import { assertActive } from '../form/admission.ts'
import type { CompletedStep, CookieChanges, OpenFlow, Outcome } from '../form/decision.ts'
import { keepCookies } from '../form/later-failure.ts'
import { lifespanOf } from '../form/login-form.ts'
import { continueOAuth2Login, oauth2Login } from '../form/oauth2-login.ts'
import { withoutForm } from '../form/render.ts'
import { returnUrl } from '../form/return-to.ts'
import { loginUrl, screenUrl } from '../form/urls.ts'
import { countVerification, runAfterLogin } from '../hooks/after-login.ts'
import { hasHook, revokeSessionsAfter } from '../hooks/hooks.ts'
import { notifyOfDevice } from '../ownership/notify-owner.ts'
import { takeOver } from '../ownership/take-over.ts'
import type { StartedVerification } from '../ownership/verify-address.ts'
import { mentionedVerification, startVerification, unverifiedAddress } from '../ownership/verify-address.ts'
import { followProvider } from './follow-provider.ts'
import { addLinked, assertNamed, continueLinking } from './link-account.ts'
import { aal1Required } from './start.ts'

/** A verification that counts once this user signs in. */
interface AwaitedVerification {
  readonly address_id: string | undefined
  /** False if its code was used before. */
  store(ctx: Context): Promise<boolean>
}

/** Checks everything first: nothing has an effect before the last refusal (SEC-100). */
export async function completeLogin(
  ctx: Context,
  step: CompletedStep<'login'>,
  awaited?: AwaitedVerification,
): Promise<Outcome | OpenFlow> {
  const { flow, completion, caller } = step
  const foundIdentity = await findIdentity(ctx.db, completion.identity_id)
  if (!foundIdentity) throw new FormError(messages.invalidCredentials)
  const identity = withFirstProof(
    foundIdentity,
    completion.address_id ?? awaited?.address_id,
    ctx.now().toISOString(),
  )
  // A `FormError` stores the flow.
  if (identity.state !== 'active' && !isForLaterKratos(ctx.config)) await storeMethod(ctx, step)
  assertActive(ctx, identity, completion.method)
  const current = await findLiveSession(ctx, caller)
  assertSameUser(flow, current, identity, completion.method)
  assertNamed(ctx, flow, identity, completion.method)
  const url = returnUrl(ctx, flow, 'login', completion.method)
  const isContinuation = current?.identity.id === identity.id
  const ready = isContinuation
    ? asIssuedNow(continuedSession(ctx, { ...current, identity }, completion, tokenToKeep(caller)), caller)
    : newSession(ctx, identity, completion, { caller, lifespan: lifespanOf(ctx, flow) })
  const hooked = await runAfterLogin(ctx, { ...ready, ...step }).catch(async (err: unknown) => {
    if (!(err instanceof FormError)) await storeMethod(ctx, step)
    throw err
  })
  if (hooked) {
    const { method } = completion
    recordRefusal(ctx, { event: 'sign_in', identity_id: identity.id, method, detail: 'not_verified' })
    return hooked
  }
  // The browser's open forms are not the new user's.
  const csrf = isContinuation ? undefined : newCsrfSecret()
  const bound = await countVerification(ctx, { flow, identity, completion })
  const signing = { ...step, ready, isContinuation, csrf, bound, awaited }
  const signedIn = await transact(ctx, (ctx) => signIn(ctx, signing))
  // The limit counts abandoned forms.
  if (signedIn.refunds) await refundEarlier(ctx, { kind: 'flow' })
  const issued = await followProvider(ctx, signedIn.issued, step)
  return await answerLogin(ctx, step, { ...signedIn, issued }, { url, csrf })
}

/** Kratos compatibility: the form names the method of a sign-in that was refused after its proof. */
async function storeMethod(ctx: Context, { flow, completion }: CompletedStep<'login'>): Promise<void> {
  await updateFlow(ctx.db, attempt.write({ ...flow, active: completion.method }, undefined))
}

/** Kratos compatibility: the response to a confirmation repeats the device and is issued now. Not stored. */
function asIssuedNow({ session, ...issued }: IssuedSession, { device }: Caller): IssuedSession {
  const devices = [...session.devices, { id: NIL_ID, ...device }]
  return { ...issued, session: { ...session, devices, issued_at: session.authenticated_at } }
}

/**
 * Re-authentication must not switch users (SEC-19, SEC-25), and does not confirm the password of another account. A
 * second factor alone must not begin a session.
 */
function assertSameUser(
  flow: Flow<'login'>,
  current: SessionAndIdentity | undefined,
  identity: StoredIdentity,
  method: ProofMethod,
): void {
  if (!flow.refresh && flow.requested_aal === 'aal1') return
  if (!current && flow.requested_aal === 'aal2') throw aal1Required()
  if (current && current.identity.id !== identity.id)
    throw new WrongProof(method, identity.id, messages.invalidCredentials)
}

interface SignIn extends CompletedStep<'login'> {
  /** Not stored yet. */
  readonly ready: IssuedSession
  readonly isContinuation: boolean
  readonly csrf: string | undefined
  /** Set if an unverified address gets a code. */
  readonly bound: FlowBound | undefined
  readonly awaited: AwaitedVerification | undefined
}

interface SignedIn {
  readonly issued: IssuedSession
  readonly verification: StartedVerification | undefined
  /** The first sign-in in this form. */
  readonly refunds: boolean
}

async function signIn(ctx: Context, signing: SignIn): Promise<SignedIn> {
  const { flow, ready, isContinuation, completion, caller, csrf, bound, awaited } = signing
  const confirmed = isContinuation
    ? await confirmContinued(ctx, ready, completion.evidence)
    : await confirm(ctx, ready, completion.evidence)
  const before = awaited ? await verifyAwaited(ctx, awaited, confirmed.identity) : confirmed.identity
  const refunds = await markUsed(ctx, flow, completion.method)
  const identity = await proveAddress(ctx, before, signing)
  await notifyOfDevice(ctx, identity, { isContinuation, caller, provider: completion.provider })
  const issued = await storeSession(ctx, { ...confirmed, identity }, signing)
  await revokeSessionsAfter(ctx, 'login', completion.method, issued)
  const address = unverifiedAddress(issued.identity)
  const cause = bound && { flow, caller, bound, identity: issued.identity, csrf_secret: csrf }
  const verification = cause && address && (await startVerification(ctx, cause, address))
  const stored = verification && (await findIdentity(ctx.db, completion.identity_id))
  const signedIn = stored ? { ...issued, identity: stored } : issued
  const link = isBelowChangesAal(ctx, signedIn) ? undefined : accountLink.read(flow)
  const linked = link ? await addLinked(ctx, link, signedIn) : signedIn
  return { issued: isContinuation ? asIssuedNow(linked, caller) : linked, verification, refunds }
}

/** Throws `FormError` if the code was used before, unless that verified the address. */
async function verifyAwaited(ctx: Context, awaited: AwaitedVerification, previousIdentity: StoredIdentity) {
  const isStored = await awaited.store(ctx)
  const identity = (await findIdentity(ctx.db, previousIdentity.id)) ?? previousIdentity
  const address = identity.addresses.find((one) => one.id === awaited.address_id)
  if (!isStored && address?.verified_at === undefined) throw new FormError(rejectedCode.used)
  return identity
}

/** Reading an emailed code proves its address. */
async function proveAddress(
  ctx: Context,
  previousIdentity: StoredIdentity,
  { flow, completion: { address_id }, caller }: SignIn,
): Promise<StoredIdentity> {
  if (address_id === undefined) return previousIdentity
  const now = ctx.now().toISOString()
  const proven = withFirstProof(previousIdentity, address_id, now)
  if (proven !== previousIdentity) await markAddress(ctx.db, address_id, true, now)
  return await takeOver(ctx, previousIdentity, proven, { flow, caller })
}

async function storeSession(
  ctx: Context,
  confirmed: Confirmed | ConfirmedSession,
  { ready, completion, caller }: SignIn,
): Promise<IssuedSession> {
  if (!('session' in confirmed)) return await storeNew(ctx, ready, confirmed)
  const issued = await continueSession(ctx, confirmed, completion, tokenToKeep(caller))
  await recordSignIn(ctx, issued)
  return issued
}

/** False if the form signed a user in before. */
async function markUsed(ctx: Context, flow: Flow<'login'>, method: ProofMethod): Promise<boolean> {
  const usedFlow = usedForm.write({ ...flow, active: method }, true)
  const { other } = await storeEffect(ctx, withoutForm(usedFlow))
  return !usedForm.read(other ?? flow)
}

const usedForm = storedFlowField<true>('used')

async function answerLogin(
  ctx: Context,
  { flow, completion: { method }, caller }: CompletedStep<'login'>,
  { issued, verification }: SignedIn,
  { url, csrf }: { readonly url: string; readonly csrf: string | undefined },
): Promise<Outcome | OpenFlow> {
  const cookies: CookieChanges = { session: issued, csrf }
  const isShown = verification !== undefined && hasHook(ctx, 'login', method, 'show_verification_ui')
  const continueWith = mentionedVerification(ctx, verification, isShown)
  const linkWaits = accountLink.read(flow) !== undefined && isBelowChangesAal(ctx, issued)
  if (flow.type === 'api') {
    const session = deliveredSession(ctx, issued)
    const body = {
      session_token: issued.token,
      session,
      continue_with: continueWith.length > 0 ? continueWith : null,
    }
    return { kind: 'finished', flow, body, url }
  }
  if (linkWaits) return continueLinking(ctx, flow, issued, { cookies, caller })
  const login = oauth2Login.read(flow)
  if (wantsSecondFactor(ctx, issued)) {
    const query = { aal: 'aal2', login_challenge: login?.challenge, return_to: flow.return_to }
    return { kind: 'elsewhere', url: loginUrl(ctx, query), status: 303, cookies }
  }
  if (login) {
    const url = await keepCookies({ cookies }, () => continueOAuth2Login(ctx, login, issued))
    return { kind: 'elsewhere', url, status: 303, cookies }
  }
  const continue_with: ContinueWith[] = [
    { action: 'redirect_browser_to', redirect_browser_to: url },
    ...continueWith,
  ]
  return {
    kind: 'finished',
    flow,
    body: { session: publicSession(ctx, issued), continue_with },
    url: isShown ? screenUrl(ctx, 'verification', verification.flow.id) : url,
    cookies,
  }
}
