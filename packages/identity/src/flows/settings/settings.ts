import { isDeepStrictEqual } from 'node:util'
import { publicUrl } from '../../config/base-url.ts'
import type { Caller, LiveSession } from '../../contract/caller.ts'
import type { Completion } from '../../contract/completion.ts'
import type { Context } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { FormError } from '../../errors/errors.ts'
import { waitsForProof } from '../../identities/addresses/address-change.ts'
import { releaseAddresses } from '../../identities/addresses/address-owner.ts'
import { hasProof } from '../../identities/addresses/proof.ts'
import { publicIdentity } from '../../identities/show.ts'
import type { KnownSubject } from '../../identities/subject.ts'
import { releaseProviders } from '../../identities/unproven-set-up.ts'
import type { AccountUpdate, Updated } from '../../identities/update.ts'
import { changedElsewhere, evidenceOfChange, updateLocked } from '../../identities/update.ts'
import { attempt, storeEffect } from '../../limits/attempt.ts'
import { countAttempt } from '../../limits/limits.ts'
import { confirmContinued } from '../../sessions/confirm.ts'
import { continueSession, type IssuedSession, tokenToKeep } from '../../sessions/issue.ts'
import { type Flow, type FlowBound, insertFlow } from '../../storage/flows/flows.ts'
import type { AddressChange } from '../../storage/identities/address-changes.ts'
import {
  deletePendingChanges,
  findPendingChange,
  replacePendingChange,
} from '../../storage/identities/address-changes.ts'
import { findIdentity, lockIdentity, type StoredIdentity } from '../../storage/identities/identities.ts'
import { recordFirstProof } from '../../storage/identities/sign-ups.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { messages } from '../../ui/messages.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import type { ContinueWith } from '../../wire/flow.ts'
import type { UiText } from '../../wire/text.ts'
import type { CompletedStep, CookieChanges, FlowStages, Outcome } from '../form/decision.ts'
import { keepCookies } from '../form/later-failure.ts'
import { newFlow, settingsOf } from '../form/new-flow.ts'
import { publicFlow, revealed } from '../form/public-flow.ts'
import { textFor } from '../form/render.ts'
import { sameAgain } from '../form/replacement.ts'
import { returnUrl } from '../form/return-to.ts'
import { continuesIn } from '../form/rules.ts'
import { screenUrl } from '../form/urls.ts'
import { followingWebHooks, hasHook, revokeSessionsAfter, stoppingWebHooks } from '../hooks/hooks.ts'
import { callAll, changedByHooks, runBefore } from '../hooks/web-hooks.ts'
import { notifyOfChange } from '../ownership/notify-owner.ts'
import { type ParkedChange, parkNewAddress, verifyWaiting } from '../ownership/park-address.ts'
import type { StartedVerification } from '../ownership/verify-address.ts'
import { mentionedVerification, startVerification } from '../ownership/verify-address.ts'
import { currentSession, sessionForChange, settingsAccess } from './access.ts'

export const settingsStages: FlowStages<'settings'> = {
  ...settingsAccess,

  async complete(ctx, step) {
    const { flow, completion, caller } = step
    // Saving opens another flow, so it counts as one (FLT-23).
    const bound = completion.countedAttempt ?? (await countAttempt(ctx, { kind: 'flow' }))
    const current = await currentSession(ctx, caller)
    const url = returnUrl(ctx, flow, 'settings', completion.method, screenUrl(ctx, 'settings', flow.id))
    const change = await changeAfterHooks(ctx, step, current)
    const saving = { ...step, seenIdentity: current.identity, change, bound }
    const saved = await transact(ctx, (ctx) => storeChange(ctx, saving))
    // Kratos compatibility: hooks see the session that asked, without a new second factor.
    const asking = { ...current, identity: saved.identity }
    const outcome = answerSettings(ctx, step, saved, url)
    const tell = () => tellOfSettings(ctx, step, saved, asking)
    // A new factor renewed the token.
    await ('token' in saved.session ? keepCookies(outcome, tell) : tell())
    return outcome
  },

  async replace(ctx, flow, caller, why = { message: messages.settingsFlowExpired(flow.expires_at) }) {
    const { identity } = await currentSession(ctx, caller)
    return sameAgain(ctx, flow, why, caller, settingsOf({ identity }))
  },
}

interface Saving extends CompletedStep<'settings'> {
  readonly bound: FlowBound
  /** By the web hooks. */
  readonly seenIdentity: StoredIdentity
  readonly change: AccountUpdate
}

interface Saved {
  readonly flow: Flow<'settings'>
  /** The form that the user continues with. */
  readonly nextFlow: Flow<'settings'>
  readonly identity: StoredIdentity
  readonly verification: StartedVerification | undefined
  readonly session: LiveSession | IssuedSession
  readonly waits: boolean
}

async function storeChange(ctx: Context, saving: Saving): Promise<Saved> {
  const { flow, seenIdentity, change, completion, caller, bound } = saving
  // The session may have ended, the account been recovered or given a second factor (SEC-16, SEC-24, SEC-95).
  await lockIdentity(ctx.db, seenIdentity.id)
  const current = await sessionForChange(ctx, flow, caller)
  const { identity: previousIdentity } = current
  // The new schema may have other identifiers (SEC-79).
  if (change.traits && previousIdentity.schema_id !== flow.identity_schema)
    throw new FormError(changedElsewhere)
  // Hooks answer with the whole account, also with what an operator has changed since (SEC-114).
  if (change.account && !isDeepStrictEqual(previousIdentity, seenIdentity))
    throw new FormError(changedElsewhere)
  if (completion.change.put) await releaseProviders(ctx, completion.change.put)
  const parked = await parkChange(ctx, previousIdentity, change, completion)
  const updated = await updateLocked(ctx, previousIdentity, parked.change)
  const changed = updated.identity
  // A web hook may have verified an address.
  if (!hasProof(previousIdentity) && hasProof(changed))
    await recordFirstProof(ctx.db, previousIdentity.id, ctx.now().toISOString())
  await notifyOfChange(ctx, previousIdentity, updated)
  const { waiting } = parked
  const verification = await verifyChanged(
    ctx,
    { flow, caller, bound, ...current, previousIdentity, identity: changed },
    waiting,
  )
  const identity = verification ? ((await findIdentity(ctx.db, changed.id)) ?? changed) : changed
  const session = completion.proved
    ? await continueWith(ctx, { ...current, identity }, updated, completion.proved)
    : current
  await revokeSessionsAfter(ctx, 'settings', completion.method, session)
  const message = waiting
    ? ownMessages.pendingAddress(waiting.address, waiting.expires_at)
    : messages.settingsSaved
  const { credentials } = updated
  const savedFlow = await showSaved(ctx, saving, { identity, credentials }, message)
  return { ...savedFlow, identity, verification, session, waits: waiting !== undefined }
}

/** The new credential counts for this session. */
async function continueWith(
  ctx: Context,
  current: LiveSession,
  updated: Updated,
  proof: NonNullable<Completion['settings']['proved']>,
): Promise<IssuedSession> {
  const confirmed = await confirmContinued(ctx, current, evidenceOfChange(updated, proof.method))
  return await continueSession(ctx, confirmed, proof, tokenToKeep(current))
}

/** Continues in a new flow with new secrets and challenges, without `return_to`. */
async function showSaved(
  ctx: Context,
  { flow, completion: { method }, caller, bound }: Saving,
  known: KnownSubject,
  said: UiText,
): Promise<Pick<Saved, 'flow' | 'nextFlow'>> {
  const request = { type: flow.type, request_url: publicUrl(ctx, caller.url) }
  const { fields, ...start } = settingsOf(known)
  const { [method]: _, ...unconfirmed } = flow.memo.unconfirmed ?? {}
  const memo = { unconfirmed }
  const nextFlow = await newFlow(ctx, 'settings', request, { ...start, fields: { ...fields, memo } }, caller)
  await insertFlow(ctx.db, nextFlow, bound)
  const shownFlow: Flow<'settings'> = {
    ...flow,
    state: 'success',
    csrf_token: nextFlow.csrf_token,
    ui: { ...nextFlow.ui, messages: [textFor(ctx, said)] },
    memo: {
      ...nextFlow.memo,
      ...attempt.copy(flow),
      ...continuesIn.entry(nextFlow.id),
      messages: [{ message: said }],
    },
    updated_at: ctx.now().toISOString(),
  }
  return { flow: (await storeEffect(ctx, shownFlow)).flow, nextFlow }
}

function answerSettings(ctx: Context, step: CompletedStep<'settings'>, saved: Saved, url: string): Outcome {
  const { method } = step.completion
  const { flow, identity, verification, session, waits } = saved
  const shows =
    verification !== undefined && (waits || hasHook(ctx, 'settings', method, 'show_verification_ui'))
  const continue_with: ContinueWith[] = [
    ...mentionedVerification(ctx, verification, shows),
    ...(flow.type === 'browser'
      ? [{ action: 'redirect_browser_to' as const, redirect_browser_to: url }]
      : []),
  ]
  const body = {
    ...publicFlow(flow),
    ui: revealed(ctx, flow),
    identity: publicIdentity(ctx, identity),
    ...(continue_with.length === 0 ? {} : { continue_with }),
  }
  const next = waits && verification ? screenUrl(ctx, 'verification', verification.flow.id) : url
  return { kind: 'finished', flow, body, url: next, ...cookieOf(flow, session, step.caller) }
}

/** Renews the cookie of the browser's own session only (SEC-19). */
function cookieOf(
  flow: Flow,
  liveSession: LiveSession | IssuedSession,
  { credential }: Caller,
): { readonly cookies?: CookieChanges } {
  if (flow.type !== 'browser' || credential?.from !== 'cookie') return {}
  const token = 'token' in liveSession ? liveSession.token : liveSession.credential.token
  return { cookies: { session: { ...liveSession, token } } }
}

async function changeAfterHooks(
  ctx: Context,
  { flow, completion, caller }: CompletedStep<'settings'>,
  session: SessionAndIdentity,
): Promise<AccountUpdate> {
  const { change, method, transient_payload } = completion
  const hooks = stoppingWebHooks(ctx, 'settings', method)
  if (hooks.length === 0) return change
  const identity = { ...session.identity, ...(change.traits ? { traits: change.traits } : {}) }
  const event = { flow, caller, identity, session, transient_payload }
  const changed = await changedByHooks(ctx, hooks, event)
  if (!changed) return change
  const { schema_id, state, metadata_public, metadata_admin, external_id, traits, addresses } = changed
  const proofs = addresses
    .filter(({ purpose }) => purpose === 'verification')
    .map(({ value, verified_at }) => ({ value, verified: verified_at !== undefined }))
  const account = { schema_id, state, metadata_public, metadata_admin, external_id }
  return { ...change, traits, account, by_user: change.traits !== undefined, proofs }
}

/** Calls the new form's hooks first. */
async function tellOfSettings(
  ctx: Context,
  { completion: { method, transient_payload }, caller }: CompletedStep<'settings'>,
  { flow, nextFlow, identity }: Saved,
  session: SessionAndIdentity,
): Promise<void> {
  await runBefore(ctx, { flow: nextFlow, session, caller })
  const hooks = followingWebHooks(ctx, 'settings', method)
  await callAll(ctx, hooks, { flow, identity, session, caller, transient_payload })
}

/** Call inside `transact`, with the identity read after `lockIdentity`. */
async function parkChange(
  ctx: Context,
  identity: StoredIdentity,
  change: AccountUpdate,
  { change: requestedChange, pending_address }: Completion['settings'],
): Promise<ParkedChange> {
  // Web hooks' changes take effect immediately.
  if ((!requestedChange.traits && !pending_address) || !waitsForProof(ctx)) return { change }
  if (pending_address) return await settlePending(ctx, identity.id, change, pending_address)
  const vouched = (change.proofs ?? []).filter(({ verified }) => verified).map(({ value }) => value)
  await releaseAddresses(ctx, change.traits ? vouched : [], (id) => id === identity.id)
  const parked = parkNewAddress(ctx, identity, change, vouched)
  if (parked.waiting) await replacePendingChange(ctx.db, parked.waiting)
  return parked
}

async function settlePending(
  ctx: Context,
  identityId: string,
  change: AccountUpdate,
  action: 'cancel' | 'resend',
): Promise<ParkedChange> {
  const waiting = await findPendingChange(ctx.db, identityId, ctx.now().toISOString())
  if (!waiting) throw new FormError(ownMessages.noPendingAddress)
  if (action === 'resend') return { change, waiting }
  await deletePendingChanges(ctx.db, identityId)
  return { change }
}

interface Changed extends SessionAndIdentity {
  readonly previousIdentity: StoredIdentity
  readonly flow: Flow<'settings'>
  readonly caller: Caller
  readonly bound: FlowBound
}

/** Sends a code to the pending address, or to the first without one. Call inside `transact`. */
async function verifyChanged(
  ctx: Context,
  { flow, caller, bound, previousIdentity, identity }: Changed,
  waiting: AddressChange | undefined,
): Promise<StartedVerification | undefined> {
  if (!ctx.config.selfservice.flows.verification.enabled) return undefined
  const cause = { flow, identity, caller, bound }
  const mailCause = { ...cause, sender: identity.id }
  if (waiting) return await verifyWaiting(ctx, mailCause, waiting)
  const address = identity.addresses.find(
    ({ purpose, status }) => purpose === 'verification' && status === 'pending',
  )
  if (!address) return undefined
  // An earlier address's limit must not fail another change.
  const isNew = previousIdentity.addresses.every(({ value }) => value !== address.value)
  return await startVerification(ctx, isNew ? mailCause : cause, address)
}
