import { cancelDeletion } from '../../account/deletion.ts'
import { rejectedCode } from '../../codes/check.ts'
import { recipientChoice } from '../../codes/memo.ts'
import { publicUrl } from '../../config/base-url.ts'
import { isForLaterKratos } from '../../config/version.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Completion } from '../../contract/completion.ts'
import type { Context } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { maskCsrf, newCsrfSecret } from '../../crypto/csrf.ts'
import { parseBool } from '../../input/plain-text.ts'
import { storeEffect } from '../../limits/attempt.ts'
import { isBelowHighestAal } from '../../sessions/aal.ts'
import { findConfirmed } from '../../sessions/confirm.ts'
import { type IssuedSession, issueSession } from '../../sessions/issue.ts'
import { revokeAllSessions } from '../../sessions/revoke.ts'
import { deleteOpenCodes } from '../../storage/flows/codes.ts'
import { type Flow, insertFlow } from '../../storage/flows/flows.ts'
import { deletePendingChanges } from '../../storage/identities/address-changes.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { findIdentity, forgetDevices, markAddress } from '../../storage/identities/identities.ts'
import { endPendingSignIns } from '../../storage/sessions/ended-sessions.ts'
import { messages } from '../../ui/messages.ts'
import type { ContinueWith, FlowType } from '../../wire/flow.ts'
import { assertActive } from '../form/admission.ts'
import type { CompletedStep, FlowRequest, Outcome } from '../form/decision.ts'
import { keepCookies } from '../form/later-failure.ts'
import { newFlow, settingsOf } from '../form/new-flow.ts'
import { render } from '../form/render.ts'
import { checkReturnTo, returnUrlOr } from '../form/return-to.ts'
import { screenUrl } from '../form/urls.ts'
import { webHooksOf } from '../hooks/hooks.ts'
import { callAll, runBefore } from '../hooks/web-hooks.ts'
import { notifyOwner } from '../ownership/notify-owner.ts'
import { takeOver } from '../ownership/take-over.ts'

interface Recovered {
  readonly session: IssuedSession
  /** Undefined if the user returns to the caller instead. */
  readonly settings: Flow<'settings'> | undefined
}

/** Undefined if the code or link was used before. */
export async function recover(ctx: Context, step: CompletedStep<'recovery'>): Promise<Outcome | undefined> {
  const { flow, completion, caller } = step
  const identity = await findIdentity(ctx.db, completion.identity_id)
  if (!identity) return undefined
  const csrf = newCsrfSecret()
  assertActive(ctx, identity, completion.method, csrf)
  // Links open in a browser, even if an app requested them.
  const type = completion.method === 'link_recovery' ? 'browser' : flow.type
  const passed = await render(ctx, {
    ...flow,
    state: 'passed_challenge',
    ...(flow.type === 'browser' ? { csrf_token: maskCsrf(csrf) } : {}),
    memo: { ...flow.memo, messages: [] },
  })
  const request = { type, request_url: settingsUrl(ctx, flow, caller), csrf_secret: csrf }
  const hooks = webHooksOf(ctx.config.selfservice.flows.recovery.after.hooks)
  const { transient_payload } = completion
  await callAll(ctx, hooks, { flow: passed, identity, caller, transient_payload })
  const recovering = { ...step, flow: passed }
  const recoveredAccount = await transact(ctx, (ctx) => storeRecovery(ctx, recovering, identity, request))
  if (!recoveredAccount) return undefined
  const { session, settings } = recoveredAccount
  const outcome = answerRecovery(ctx, recovering, recoveredAccount, { type, csrf })
  if (settings) await keepCookies(outcome, () => runBefore(ctx, { flow: settings, session, caller }))
  return outcome
}

async function storeRecovery(
  ctx: Context,
  { flow, completion, caller }: CompletedStep<'recovery'>,
  seenIdentity: StoredIdentity,
  request: FlowRequest,
): Promise<Recovered | undefined> {
  const evidence = { kind: 'single_use' as const, ...completion.consume, refusal: rejectedCode.used }
  // Only one concurrent request succeeds, and a crash consumes nothing (SEC-04).
  const confirmed = await findConfirmed(ctx, { session: { aal: 'aal1' }, identity: seenIdentity }, evidence)
  if (!confirmed) return undefined
  const { identity } = confirmed
  await storeEffect(ctx, flow)
  const seen = await proveAddress(ctx, identity, completion.address_id)
  const proven = seen ? await takeOver(ctx, identity, seen, { flow, caller }) : identity
  // Other codes, sign-ins, a pending change and a deletion may be an attacker's.
  await deleteOpenCodes(ctx.db, identity.id, 'recovery')
  await endPendingSignIns(ctx.db, identity.id)
  await deletePendingChanges(ctx.db, identity.id)
  // An attacker must not keep a known device's limits (SEC-75).
  await forgetDevices(ctx.db, identity.id, ctx.now().toISOString())
  const proof = { method: completion.method, aal: 'aal1' as const }
  const session = await issueSession(ctx, { ...confirmed, identity: proven }, proof, caller)
  if (!isBelowHighestAal(ctx, session)) await cancelDeletion(ctx, proven)
  const { hooks } = ctx.config.selfservice.flows.recovery.after
  if (hooks.some(({ hook }) => hook === 'revoke_active_sessions')) {
    await revokeAllSessions(ctx, identity.id, { except: session.session.id })
  }
  await notifyOwner(ctx, proven, 'recovered')
  const settings = skipsSettings(ctx, flow, completion)
    ? undefined
    : await openSettings(ctx, session, request, caller)
  return { session, settings }
}

/** As Kratos does after v26.2.0, for codes only. */
function skipsSettings(
  { config }: Context,
  { request_url }: Flow<'recovery'>,
  { method }: Completion['recovery'],
): boolean {
  const skipSettings = new URL(request_url).searchParams.get('skip_settings') ?? ''
  return method === 'code_recovery' && isForLaterKratos(config) && parseBool(skipSettings) === true
}

/** Ignores `required_aal`, which reading and changing check. */
async function openSettings(
  ctx: Context,
  { session, identity }: IssuedSession,
  request: FlowRequest,
  caller: Caller,
): Promise<Flow<'settings'>> {
  const { privileged_session_max_age } = ctx.config.selfservice.flows.settings
  const until = new Date(Date.parse(session.authenticated_at) + privileged_session_max_age).toISOString()
  const flow = await newFlow(
    ctx,
    'settings',
    request,
    settingsOf({ identity }, [messages.recovered(until)]),
    caller,
  )
  await insertFlow(ctx.db, flow, 'consumed code')
  return flow
}

/** Reading an email verifies its address. Undefined for an operator's code or a recovery-only address. */
async function proveAddress(ctx: Context, identity: StoredIdentity, addressId: string | undefined) {
  const proven = identity.addresses.find(({ id }) => id === addressId)
  const twin = identity.addresses.find(
    ({ purpose, via, value }) => purpose === 'verification' && via === proven?.via && value === proven.value,
  )
  if (!twin) return undefined
  if (twin.verified_at !== undefined) return identity
  await markAddress(ctx.db, twin.id, true, ctx.now().toISOString())
  return (await findIdentity(ctx.db, identity.id)) ?? identity
}

/** Keeps the original `return_to`. */
function settingsUrl(ctx: Context, flow: Flow<'recovery'>, caller: Caller): string {
  const url = new URL(publicUrl(ctx, caller.url))
  const { default_browser_return_url } = ctx.config.selfservice.flows.recovery.after
  const return_to = checkReturnTo(ctx, flow.return_to) ?? default_browser_return_url
  if (return_to !== undefined) {
    url.searchParams.set('return_to', return_to)
    // Kratos compatibility: parameters are in alphabetical order.
    url.searchParams.sort()
  }
  return url.toString()
}

function answerRecovery(
  ctx: Context,
  { flow, completion, caller }: CompletedStep<'recovery'>,
  { session, settings }: Recovered,
  { type, csrf }: { readonly type: FlowType; readonly csrf: string },
): Outcome {
  const { default_browser_return_url } = ctx.config.selfservice.flows.recovery.after
  const url = settings
    ? screenUrl(ctx, 'settings', settings.id)
    : returnUrlOr(ctx, flow.return_to, default_browser_return_url)
  const cookies = type === 'browser' ? { csrf, session } : {}
  if (completion.method === 'link_recovery')
    return { kind: 'elsewhere', url, status: 303, always: true, cookies }
  const transitions = ctx.config.feature_flags.use_continue_with_transitions
  if ((settings && !transitions) || (type === 'browser' && !caller.json)) {
    return { kind: 'elsewhere', url, status: 303, cookies }
  }
  const token: ContinueWith = { action: 'set_ory_session_token', ory_session_token: session.token }
  const continue_with: ContinueWith[] = [
    ...(type === 'api' ? [token] : []),
    ...(settings ? [{ action: 'show_settings_ui' as const, flow: { id: settings.id, url } }] : []),
  ]
  // Kratos compatibility: no payload if the user chose the address.
  const { transient_payload } = completion
  const members = { continue_with, ...(recipientChoice.read(flow) ? {} : { transient_payload }) }
  return { kind: 'form', flow, status: 200, members, cookies }
}
