import { publicUrl } from '../../config/base-url.ts'
import type { Caller, LiveSession } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import type { Done } from '../../contract/done.ts'
import { transact } from '../../contract/transact.ts'
import { FormError } from '../../errors/errors.ts'
import { hasProof } from '../../identities/addresses/proof.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import { publicIdentity } from '../../identities/show.ts'
import type { KnownSubject } from '../../identities/subject.ts'
import type { AccountUpdate } from '../../identities/update.ts'
import { changedElsewhere, updateLocked } from '../../identities/update.ts'
import { count } from '../../limits/limits.ts'
import type { IssuedSession } from '../../sessions/issue.ts'
import { continueSession, tokenToKeep } from '../../sessions/issue.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { insertFlow, updateFlow } from '../../storage/flows/flows.ts'
import { memoPart } from '../../storage/flows/memo.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { findIdentity, lockIdentity } from '../../storage/identities/identities.ts'
import { recordFirstProof } from '../../storage/identities/sign-ups.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { messages } from '../../ui/messages.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import { sortSettings } from '../../ui/sort.ts'
import type { ContinueWith } from '../../wire/continue-with.ts'
import type { UiNode } from '../../wire/node.ts'
import type { UiText } from '../../wire/text.ts'
import type { FlowRequest } from '../form/new-flow.ts'
import { publicFlow } from '../form/public-flow.ts'
import { returnUrl } from '../form/return-to.ts'
import { revealed } from '../form/reveal.ts'
import { refused } from '../form/settings-form.ts'
import type { CookieChanges, Ending, FlowSpec, FlowStart, Outcome } from '../form/spec.ts'
import { find } from '../form/stored.ts'
import { actionUrl, screenUrl } from '../form/urls.ts'
import { hasHook } from '../hooks/hooks.ts'
import { revokeSessionsAfter } from '../hooks/revoke-sessions.ts'
import { notifyOfChange } from '../ownership/notify-owner.ts'
import type { StartedVerification } from '../ownership/verify-address.ts'
import { showVerification } from '../ownership/verify-address.ts'
import { NO_BODY, submit } from '../run/entries.ts'
import { begin } from '../run/open.ts'
import { leadToReplacement, openReplacement } from '../run/replace.ts'
import {
  admitReader,
  admitSubmitter,
  currentSession,
  discardPending,
  gate,
  requireConfirmation,
  resume,
  sessionForSettings,
} from './access.ts'
import { parkNewAddress, verifyChanged } from './addresses.ts'
import { changeAfterHooks, tellOfSettings } from './hooks.ts'

/** The flow that the form of a saved change is posted to. */
const continuesIn = memoPart<string>('continues_in')

/** Settings: changes the user's own account. */
export const settings: FlowSpec<'settings'> = {
  kind: 'settings',
  stayStatus: 200,
  keepsMessages: true,
  noMethod: messages.noSettingsMethod,
  lifespan: (ctx) => ctx.config.selfservice.flows.settings.lifespan,
  async start(ctx, query, caller, type) {
    const found = await sessionForSettings(ctx, query, caller, type)
    await discardPending(ctx, found)
    return startOf(found)
  },
  gate,
  readers: { gate, admit: admitReader },
  admit: admitSubmitter,
  admitOwner: requireConfirmation,
  visit,
  refused,
  async shown(ctx, flow, known) {
    const identity = known ?? (await ownerOf(ctx, flow))
    return { ui: revealed(ctx, flow), ...(identity ? { identity: publicIdentity(ctx, identity) } : {}) }
  },
  complete,
  async expired(ctx, flow, caller) {
    const next = await openAnew(ctx, flow, messages.settingsFlowExpired(flow.expires_at), caller)
    return leadToReplacement(ctx, flow, next, caller)
  },
  async replaced(ctx, flow, why, caller) {
    const next = await openAnew(ctx, flow, why.message, caller)
    return leadToReplacement(ctx, { expires_at: why.expired_at ?? flow.expires_at }, next, caller)
  },
  target: (ctx, flow) => ({
    action: actionUrl(ctx, 'settings', continuesIn.read(flow) ?? flow.id),
    method: 'POST',
  }),
  arrange(ctx, flow, nodes, csrf) {
    const sorted = sortSettings(
      [csrf, ...nodes],
      flowSchema(ctx.schemas, flow).leaves.map((leaf) => leaf.path),
    )
    const isLast = ({ group }: UiNode) => group === flow.memo.last_group
    return [...sorted.filter((node) => !isLast(node)), ...nodes.filter(isLast)]
  },
}

/**
 * Opens the settings after a recovery, with its new session. Stored whatever `required_aal` says, because opening
 * reveals nothing; reading and changing check it.
 */
export async function openSettingsAfterRecovery(
  ctx: Context,
  { session, identity }: SessionAndIdentity,
  request: FlowRequest,
  caller: Caller,
): Promise<Flow<'settings'>> {
  const { privileged_session_max_age } = ctx.config.selfservice.flows.settings
  const until = new Date(Date.parse(session.authenticated_at) + privileged_session_max_age).toISOString()
  return await openFor(ctx, { identity }, request, [messages.recovered(until)], caller)
}

/** The return after re-authentication, which carries out the submission that waited for it. */
async function visit(ctx: Context, query: URLSearchParams, caller: Caller): Promise<Ending> {
  const flow_id = query.get('flow')
  const flow = await find(ctx, 'settings', flow_id)
  const kept = flow && (await resume(ctx, flow, caller))
  const submission = kept ? { values: kept, resumed: true as const } : { values: {}, problem: NO_BODY }
  return await submit(ctx, settings, { flow_id, caller, ...submission })
}

function startOf(known: KnownSubject, texts: readonly UiText[] = []): FlowStart<'settings'> {
  const { identity } = known
  const fields = {
    identity_id: identity.id,
    identity_schema: identity.schema_id,
    state: 'show_form' as const,
  }
  return { fields, messages: texts, known }
}

async function openFor(
  ctx: Context,
  known: KnownSubject,
  request: FlowRequest,
  texts: readonly UiText[],
  caller: Caller,
): Promise<Flow<'settings'>> {
  const flow = await begin(ctx, settings, request, startOf(known, texts), caller)
  await insertFlow(ctx.db, flow)
  return flow
}

async function openAnew(
  ctx: Context,
  flow: Flow<'settings'>,
  why: UiText,
  caller: Caller,
): Promise<Flow<'settings'>> {
  const { identity } = await currentSession(ctx, caller)
  return await openReplacement(ctx, settings, flow, why, caller, startOf({ identity }))
}

async function ownerOf(ctx: Context, flow: Flow): Promise<StoredIdentity | undefined> {
  return flow.identity_id === undefined ? undefined : await findIdentity(ctx.db, flow.identity_id)
}

async function complete(
  ctx: Context,
  flow: Flow<'settings'>,
  done: Done['settings'],
  caller: Caller,
): Promise<Outcome> {
  // Its form goes on in a new flow: saving again and again must not store more of them than opening (FLT-23).
  if (!done.counted) await count(ctx, { kind: 'flow' })
  const current = await currentSession(ctx, caller)
  const url = returnUrl(ctx, flow, 'settings', done.method, screenUrl(ctx, 'settings', flow.id))
  const change = await changeAfterHooks(ctx, flow, current, { done, caller })
  const saved = await transact(ctx, (ctx) => store(ctx, flow, { current, change, done, caller }))
  await tellOfSettings(ctx, saved, { done, caller })
  return answer(ctx, saved, { url, caller, method: done.method })
}

interface Saving {
  readonly current: LiveSession
  readonly done: Done['settings']
  readonly caller: Caller
}

/** A change and its consequences, stored together. */
interface Saved {
  readonly flow: Flow<'settings'>
  /** The flow that the form is posted to from now on. */
  readonly next: Flow<'settings'>
  readonly identity: StoredIdentity
  readonly verification: StartedVerification | undefined
  readonly session: LiveSession | IssuedSession
  /** A new address waits for its code. */
  readonly waits: boolean
}

async function store(
  ctx: Context,
  flow: Flow<'settings'>,
  { current, change, done, caller }: Saving & { readonly change: AccountUpdate },
): Promise<Saved> {
  // If this session was revoked or the account recovered meanwhile, the change must not take effect (SEC-16, SEC-24).
  await lockIdentity(ctx.db, current.identity.id)
  const { identity: before } = await currentSession(ctx, caller)
  // The traits were checked against another schema, which may not have their identifiers (SEC-79).
  if (change.traits && before.schema_id !== flow.identity_schema) throw new FormError(changedElsewhere)
  const parked = await parkNewAddress(ctx, before, change, done)
  const updated = await updateLocked(ctx, before, parked.change)
  const changed = updated.identity
  // A web hook may verify an address while its user changes it.
  if (!hasProof(before) && hasProof(changed))
    await recordFirstProof(ctx.db, before.id, ctx.now().toISOString())
  await notifyOfChange(ctx, before, updated)
  const { waiting } = parked
  const verification = await verifyChanged(
    ctx,
    { flow, caller, ...current, before, identity: changed },
    waiting,
  )
  const identity = verification ? ((await findIdentity(ctx.db, changed.id)) ?? changed) : changed
  const session = done.proved
    ? await continueSession(ctx, { ...current, identity }, done.proved, tokenToKeep(caller))
    : current
  await revokeSessionsAfter(ctx, 'settings', done.method, session)
  const said = waiting
    ? ownMessages.pendingAddress(waiting.address, waiting.expires_at)
    : messages.settingsSaved
  const { credentials } = updated
  const shown = await showSaved(ctx, flow, { known: { identity, credentials }, said, caller })
  return { ...shown, identity, verification, session, waits: waiting !== undefined }
}

interface Shown {
  readonly known: KnownSubject
  readonly said: UiText
  readonly caller: Caller
}

/**
 * After a success the form belongs to a new flow, with new secrets and challenges of every strategy, and without
 * `return_to`.
 */
async function showSaved(
  ctx: Context,
  flow: Flow<'settings'>,
  { known, said, caller }: Shown,
): Promise<Pick<Saved, 'flow' | 'next'>> {
  const request = { type: flow.type, request_url: publicUrl(ctx, caller.url) }
  const next = await openFor(ctx, known, request, [], caller)
  const shown: Flow<'settings'> = {
    ...flow,
    state: 'success',
    csrf_token: next.csrf_token,
    ui: { ...next.ui, messages: [said] },
    memo: { ...next.memo, ...continuesIn.entry(next.id), messages: [{ message: said }] },
    updated_at: ctx.now().toISOString(),
  }
  return { flow: (await updateFlow(ctx.db, shown)) ?? shown, next }
}

interface Answer {
  readonly url: string
  readonly caller: Caller
  readonly method: string
}

function answer(ctx: Context, saved: Saved, { url, caller, method }: Answer): Outcome {
  const { flow, identity, verification, session, waits } = saved
  const shows =
    verification !== undefined && (waits || hasHook(ctx, 'settings', method, 'show_verification_ui'))
  const continue_with: ContinueWith[] = [
    ...(shows ? [showVerification(ctx, verification, { always_url: false })] : []),
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
  return { kind: 'finished', flow, body, url: next, ...cookieOf(flow, session, caller) }
}

/** Sets the browser's cookie again, but only for its own session (SEC-19). */
function cookieOf(
  flow: Flow,
  found: LiveSession | IssuedSession,
  { credential }: Caller,
): { readonly cookies?: CookieChanges } {
  if (flow.type !== 'browser' || credential?.from !== 'cookie') return {}
  const token = 'token' in found ? found.token : found.credential.token
  return { cookies: { session: { ...found, token } } }
}
