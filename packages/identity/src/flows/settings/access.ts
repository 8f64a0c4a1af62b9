import { pageUrl, publicUrl } from '../../config/base-url.ts'
import type { Caller, LiveSession } from '../../contract/caller.ts'
import type { Context, Submission } from '../../contract/contract.ts'
import { hashToken, randomToken } from '../../crypto/random.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { attempt, storeEffect } from '../../limits/attempt.ts'
import { isBelowSettingsAal, isPrivileged, secondFactorRequired } from '../../sessions/aal.ts'
import { findLiveSession } from '../../sessions/find.ts'
import { type Flow, listFlowsWithPending, updateFlow } from '../../storage/flows/flows.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { isOwn } from '../form/csrf.ts'
import { type FlowStages, NO_BODY } from '../form/decision.ts'
import { settingsOf } from '../form/new-flow.ts'
import { find, pendingSubmission } from '../form/stored.ts'
import { actionUrl, loginUrl, screenUrl } from '../form/urls.ts'

/** The stages before a change is carried out. */
export const settingsAccess: Omit<FlowStages<'settings'>, 'complete' | 'replace'> = {
  kind: 'settings',

  /** Throws 401 `session_inactive`, which redirects pages to the login, and 403 `session_aal2_required`. */
  async start(ctx, query, caller, type) {
    const foundSession = await findLiveSession(ctx, caller)
    const return_to = query.get('return_to')
    if (!foundSession) {
      throw new ProtocolError({
        id: 'session_inactive',
        status: 401,
        reason: 'Please log in first.',
        // Kratos compatibility: the spelling and the value.
        ...(type === 'browser' && {
          redirect: loginUrl(ctx, { return_to: return_to || undefined }),
          extra: { CredentialsMissing: false },
        }),
      })
    }
    assertAal(ctx, foundSession, return_to && type === 'browser' ? publicUrl(ctx, caller.url) : undefined)
    const { session, identity } = foundSession
    // A later sign-in must not carry out pending submissions.
    for (const flow of await listFlowsWithPending(ctx.db, identity.id)) {
      if (keptIn(ctx, flow)?.session_id === session.id)
        await updateFlow(ctx.db, pendingSubmission.write(flow, undefined))
    }
    return settingsOf(foundSession)
  },

  async visit(ctx, query, caller) {
    const flow_id = query.get('flow')
    const flow = await find(ctx, 'settings', flow_id)
    const resumed = flow && (await resume(ctx, flow, caller))
    if (!resumed) return { kind: 'submit', flow_id, values: {}, problem: NO_BODY }
    return { kind: 'submit', flow_id, values: resumed, resumed: true }
  },

  /** Throws an error that redirects pages to the login. */
  async admitSession(ctx, caller) {
    const session = await findLiveSession(ctx, caller)
    if (session) return { ...caller, session }
    if (caller.json) throw notSignedIn()
    return { kind: 'elsewhere', url: pageUrl(ctx, 'login'), status: 302 }
  },

  /** Throws 403. */
  async admitReader(ctx, flow, caller) {
    const foundSession = await currentSession(ctx, caller)
    assertOwner(flow, foundSession)
    assertAal(ctx, foundSession, screenUrl(ctx, 'settings', flow.id))
  },

  admitSubmission: admitSubmitter,
  admitCallback: admitSubmitter,

  /**
   * Throws 403 `session_refresh_required` if the change needs a recent authentication. A browser's submission
   * is encrypted and carried out when the session returns in that browser. Native apps submit again.
   */
  async admitOwner(ctx, flow, { values, privileged }, caller) {
    if (!privileged) return undefined
    const foundSession = await currentSession(ctx, caller)
    if (isPrivileged(ctx, foundSession)) return undefined
    // Kratos compatibility: only a change of the profile sets an app's cookie, which resumes nothing.
    const appToken = values.method === 'profile' ? randomToken() : undefined
    const continuity_token =
      flow.type === 'browser' ? await keep(ctx, flow, values, foundSession.session.id) : appToken
    const back = submittedUrl(ctx, flow, caller)
    back.searchParams.sort()
    const url = loginUrl(ctx, { refresh: 'true', return_to: back.href })
    throw new ProtocolError({
      id: 'session_refresh_required',
      status: 403,
      reason: 'Please confirm it is you before you change this.',
      extra: { redirect_browser_to: url },
      redirect: url,
      continuity_token,
    })
  },
}

/** Throws 403. */
async function admitSubmitter(ctx: Context, flow: Flow<'settings'>, caller: Caller): Promise<undefined> {
  await sessionForChange(ctx, flow, caller)
}

export async function currentSession(ctx: Context, caller: Caller): Promise<LiveSession> {
  const foundSession = await findLiveSession(ctx, caller)
  if (!foundSession) throw notSignedIn()
  return foundSession
}

/** Throws 401 or 403. */
export async function sessionForChange(
  ctx: Context,
  flow: Flow<'settings'>,
  caller: Caller,
): Promise<LiveSession> {
  const foundSession = await currentSession(ctx, caller)
  assertOwner(flow, foundSession)
  assertAal(ctx, foundSession, submittedUrl(ctx, flow, caller).href)
  return foundSession
}

/** With the other parameters of the submission. A provider's return is not repeated. */
function submittedUrl(ctx: Context, flow: Flow<'settings'>, { url, returns }: Caller): URL {
  const { search } = new URL(publicUrl(ctx, returns ? '' : url))
  const address = actionUrl(ctx, 'settings', flow.id)
  return new URL(search ? address.replace(/\?.*/, () => search) : address)
}

/** A copied session may have the old cookie (SEC-85). */
async function keep(
  ctx: Context,
  flow: Flow<'settings'>,
  values: Kept['values'],
  session_id: string,
): Promise<string> {
  const continuity_token = randomToken()
  const until = ctx.now().getTime() + PENDING_FOR_MS
  const submissionToKeep: Kept = { values, session_id, browser_hash: hashToken(continuity_token), until }
  const pending = ctx.secrets.encrypt(PURPOSE, JSON.stringify(submissionToKeep))
  await storeEffect(ctx, attempt.write(pendingSubmission.write(flow, pending), undefined))
  return continuity_token
}

/**
 * Only the browser that opened the form and was asked to confirm may resume. Otherwise an owner could confirm
 * a thief's submission (SEC-85). Scripts submit again.
 */
async function resume(ctx: Context, flow: Flow<'settings'>, caller: Caller) {
  const pendingSubmission = caller.json ? undefined : keptIn(ctx, flow)
  if (!pendingSubmission) return undefined
  const { values, session_id, browser_hash, until } = pendingSubmission
  if (!isOwn(flow, caller) || !caller.continuity_tokens.some((one) => hashToken(one) === browser_hash))
    return undefined
  const foundSession = await findLiveSession(ctx, caller)
  return foundSession?.session.id === session_id && until > ctx.now().getTime() ? values : undefined
}

function keptIn(ctx: Context, flow: Flow<'settings'>): Kept | undefined {
  const pending = pendingSubmission.read(flow)
  // Undefined also if its secret was removed.
  return pending === undefined ? undefined : (ctx.secrets.openJson(PURPOSE, pending) as Kept | undefined)
}

interface Kept {
  readonly values: Submission['values']
  readonly session_id: string
  /** Hash of a continuity token. */
  readonly browser_hash: string
  /** Milliseconds since 1970. */
  readonly until: number
}

const PURPOSE = 'pending settings'
const PENDING_FOR_MS = 15 * 60_000

function assertOwner(flow: Flow<'settings'>, { identity }: SessionAndIdentity): void {
  if (flow.identity_id === identity.id) return
  throw new ProtocolError({
    id: 'security_identity_mismatch',
    status: 403,
    reason: 'This form belongs to another user. Please open your own.',
  })
}

function assertAal(ctx: Context, foundSession: SessionAndIdentity, return_to: string | undefined): void {
  if (isBelowSettingsAal(ctx, foundSession))
    throw secondFactorRequired(loginUrl(ctx, { aal: 'aal2', return_to }))
}

function notSignedIn(): ProtocolError {
  return new ProtocolError({ status: 401, reason: 'This request is not authenticated.' })
}
