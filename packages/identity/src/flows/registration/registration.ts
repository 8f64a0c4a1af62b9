import { rejectedCode } from '../../codes/check.ts'
import { withMinimumDuration } from '../../codes/mail-owner.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { newCsrfSecret } from '../../crypto/csrf.ts'
import { newId } from '../../crypto/random.ts'
import { findKnownDevice } from '../../devices/known-device.ts'
import { FormError, HookRefusal } from '../../errors/errors.ts'
import { recordEvent } from '../../events/record.ts'
import { releaseAddresses } from '../../identities/addresses/address-owner.ts'
import { hasProof, requiresProof } from '../../identities/addresses/proof.ts'
import { createIdentity, type IdentityDraft, newIdentity } from '../../identities/create.ts'
import { registeredTargets } from '../../identities/schema/traits.ts'
import { releaseProviders } from '../../identities/unproven-set-up.ts'
import { normaliseAddress } from '../../input/identifier.ts'
import { storeEffect } from '../../limits/attempt.ts'
import { countAttempt, refundOnFailure } from '../../limits/limits.ts'
import { findLiveSession } from '../../sessions/find.ts'
import type { IssuedSession } from '../../sessions/issue.ts'
import { consumeCode } from '../../storage/flows/codes.ts'
import type { FlowBound } from '../../storage/flows/flows.ts'
import type { Address, StoredIdentity } from '../../storage/identities/identities.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { messages } from '../../ui/messages.ts'
import {
  alreadySignedIn,
  assertActive,
  assertFlowEnabled,
  ignoreIfSignedIn,
  selectedSchema,
  sessionAlreadyAvailable,
} from '../form/admission.ts'
import type { CompletedStep, FlowStages, OpenFlow, Outcome, Redirect } from '../form/decision.ts'
import { keepCookies } from '../form/later-failure.ts'
import { EXCHANGE_PARAMETER, wantsExchange } from '../form/new-flow.ts'
import type { OAuth2Login } from '../form/oauth2-login.ts'
import { continueOAuth2Login, findOAuth2Login, oauth2Login, withReturn } from '../form/oauth2-login.ts'
import { withoutForm } from '../form/render.ts'
import { sameAgain } from '../form/replacement.ts'
import { checkReturnTo, returnUrl } from '../form/return-to.ts'
import { loginUrl } from '../form/urls.ts'
import { followingWebHooks, signsIn } from '../hooks/hooks.ts'
import { callAll, callAllAside } from '../hooks/web-hooks.ts'
import { registeredHere, rememberSignUp } from '../ownership/take-over.ts'
import type { StartedVerification } from '../ownership/verify-address.ts'
import { startVerification, unverifiedAddress, withSentTo } from '../ownership/verify-address.ts'
import { answerRegistration, signInRegistered } from './answer.ts'
import { draftAfterHooks, hidesDuplicates, pretendRegistration, rehearseHooks, runHooks } from './draft.ts'
import { leadTaken, leadToLinking, withHints } from './link-offer.ts'

export const registrationStages: FlowStages<'registration'> = {
  kind: 'registration',

  async start(ctx, query, caller, type) {
    const session = await findLiveSession(ctx, caller)
    if (session && type === 'api') throw sessionAlreadyAvailable('registration')
    assertFlowEnabled(ctx, 'registration')
    checkReturnTo(ctx, query.get('return_to'))
    selectedSchema(ctx, query.get('identity_schema') ?? undefined)
    const login = await findOAuth2Login(ctx, query, type)
    if (session && login) return await leadSignedIn(ctx, login, session, query)
    if (session) return alreadySignedIn(ctx, query, caller, { kind: 'registration', type })
    // Kratos compatibility: registration accepts only this spelling.
    const exchange = wantsExchange(type, query.get(EXCHANGE_PARAMETER) === 'true')
    return { fields: { memo: { ...exchange, ...oauth2Login.entry(login) } } }
  },

  async admitSession(ctx, caller, entry) {
    if (entry !== 'submit' || !(await findLiveSession(ctx, caller))) return caller
    if (caller.json) throw sessionAlreadyAvailable('registration')
    return { kind: 'elsewhere', url: ctx.config.selfservice.default_browser_return_url, status: 302 }
  },

  admitCallback: ignoreIfSignedIn,
  preview: leadTaken,

  async complete(ctx, step) {
    const work = () => register(ctx, step)
    // New accounts take more statements, which timing would reveal (SEC-14).
    return ctx.config.security.account_enumeration.mitigate
      ? await withMinimumDuration(ctx, work)
      : await work()
  },

  replace(ctx, flow, caller, why = { message: messages.registrationFlowExpired(flow.expires_at) }) {
    return sameAgain(ctx, flow, why, caller, { fields: { memo: oauth2Login.copy(flow) } })
  },
}

/** Unless Hydra remembers the user, the login asks again. */
async function leadSignedIn(
  ctx: Context,
  login: OAuth2Login,
  session: SessionAndIdentity,
  query: URLSearchParams,
): Promise<Redirect> {
  if (login.request.skip)
    return { kind: 'elsewhere', url: await continueOAuth2Login(ctx, login, session), status: 303 }
  const url = loginUrl(ctx, Object.fromEntries(withReturn(ctx, query, login)))
  return { kind: 'elsewhere', url, status: 302, always: true }
}

async function register(ctx: Context, step: CompletedStep<'registration'>): Promise<Outcome | OpenFlow> {
  const { flow, completion } = step
  // Throws before anything is stored.
  returnUrl(ctx, flow, 'registration', completion.method)
  const csrf = flow.type === 'browser' ? newCsrfSecret() : ''
  // A rejection stores nothing and sends no email.
  const draft = await refundOnFailure(ctx, completion.countedAttempt, () => draftAfterHooks(ctx, step))
  const account = registeredTargets(selectedSchema(ctx, flow.identity_schema), completion.traits)
  const bound = completion.countedAttempt ?? (await countAttempt(ctx, { kind: 'registration', account }))
  const now = ctx.now()
  // The times in the answer must not measure the work between them (SEC-14).
  const oneMoment = { ...ctx, now: () => now }
  let stored: Stored
  try {
    stored = await transact(oneMoment, async (ctx) => {
      const stored = await store(ctx, step, { draft, csrf, bound })
      await storeEffect(ctx, withoutForm(flow))
      return stored
    })
  } catch (error) {
    if (!(error instanceof FormError) || error instanceof HookRefusal) throw error
    const { identity } = newIdentity(oneMoment, draft, newId())
    const address = addressToProve(ctx, identity)
    // Reveals no accounts (SEC-13), except to an owner with an emailed code.
    const hidesDuplicate = !completion.consume && hidesDuplicates(ctx, step, address)
    const seenCompletion = { ...completion, traits: draft.traits }
    const rejected = { ...step, completion: seenCompletion, error, hides: hidesDuplicate }
    const linking = await leadToLinking(ctx, rejected)
    if (linking) return linking
    if (!hidesDuplicate) throw await withHints(ctx, rejected)
    assertActive(ctx, identity, completion.method)
    await rehearseHooks(ctx, identity)
    const pretended = await transact(oneMoment, async (ctx) => {
      const pretended = await pretendRegistration(ctx, step, { identity, address, csrf, bound })
      await storeEffect(ctx, withoutForm(flow))
      return pretended
    })
    return await answerRegistration(ctx, step, { ...pretended, session: undefined }, csrf)
  }
  const session = await signIn(ctx, step, stored, csrf)
  return await answerRegistration(ctx, step, { ...stored, session }, csrf)
}

interface Stored {
  readonly identity: StoredIdentity
  readonly verification: StartedVerification | undefined
}

async function store(
  ctx: Context,
  { flow, completion, caller }: CompletedStep<'registration'>,
  { draft, csrf, bound }: { readonly draft: IdentityDraft; readonly csrf: string; readonly bound: FlowBound },
): Promise<Stored> {
  if (
    completion.consume &&
    !(await consumeCode(ctx.db, completion.consume.code_id, ctx.now().toISOString()))
  ) {
    throw new FormError(rejectedCode.used)
  }
  const vouched = (draft.verified ?? []).map(({ value }) => normaliseAddress(value))
  // A user may sign in to an earlier account and link the provider (SEC-83).
  const keeps = async (id: string) => !requiresProof(ctx) && (await isOwn(ctx, id, caller))
  await releaseAddresses(ctx, vouched, keeps)
  await releaseProviders(ctx, draft.credentials)
  const createdIdentity = await createIdentity(ctx, draft)
  await recordEvent(ctx, {
    event: 'registration',
    outcome: 'ok',
    identity_id: createdIdentity.id,
    method: completion.method,
  })
  await rememberSignUp(ctx, createdIdentity.id, { csrf, caller, proven: hasProof(createdIdentity) })
  await runHooks(ctx, createdIdentity)
  // A sign-in may become a registration while that is disabled.
  assertFlowEnabled(ctx, 'registration')
  const address = addressToProve(ctx, createdIdentity)
  const memo = oauth2Login.copy(flow)
  const cause = { flow, identity: createdIdentity, caller, bound, csrf_secret: csrf, memo }
  const verification = address && (await startVerification(ctx, cause, address))
  return { identity: address ? withSentTo(ctx, createdIdentity, address) : createdIdentity, verification }
}

async function isOwn(ctx: Context, identityId: string, caller: Caller): Promise<boolean> {
  if (await registeredHere(ctx, identityId, caller)) return true
  return (await findKnownDevice(ctx, caller, identityId)) !== undefined
}

function addressToProve(ctx: Context, identity: StoredIdentity): Address | undefined {
  const verifies = ctx.config.selfservice.flows.verification.enabled && identity.state === 'active'
  return verifies ? unverifiedAddress(identity) : undefined
}

/** Kratos compatibility: no session if a hook fails. */
async function signIn(
  ctx: Context,
  step: CompletedStep<'registration'>,
  { identity, verification }: Stored,
  csrf: string,
): Promise<IssuedSession | undefined> {
  const { flow, completion, caller } = step
  const { method, transient_payload } = completion
  assertActive(ctx, identity, method)
  const hooks = followingWebHooks(ctx, 'registration', method)
  const event = { flow, caller, identity, transient_payload }
  // The browser needs it to verify the new account's address.
  const cookies = verification && csrf !== '' ? { csrf } : {}
  // Pretended accounts run no hooks, so waiting would reveal real ones.
  if (hidesDuplicates(ctx, step, verification)) callAllAside(ctx, hooks, event)
  else await keepCookies({ cookies }, () => callAll(ctx, hooks, event))
  if (!signsIn(ctx, step, verification)) return undefined
  return await signInRegistered(ctx, identity, step)
}
