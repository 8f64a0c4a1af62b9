import type { Caller } from '../../caller.ts'
import { issueToken } from '../../codes/issue.ts'
import { maskAddress } from '../../codes/mask-address.ts'
import { continueUrl } from '../../codes/memo.ts'
import { pageUrl, publicUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract.ts'
import { queueMail } from '../../courier/queue.ts'
import { maskCsrf, newCsrfSecret } from '../../crypto/csrf.ts'
import type { Done } from '../../done.ts'
import { FormError } from '../../errors.ts'
import {
  addressChange,
  traitsAfter,
  traitsBefore,
  UNDO_FOR_MS,
  withoutSuspects,
} from '../../identities/address-change.ts'
import { updateLocked } from '../../identities/update.ts'
import { provesLess } from '../../sessions/aal.ts'
import { findLiveSession } from '../../sessions/find.ts'
import { keepAccount } from '../../sessions/issue.ts'
import { revokeAllSessions } from '../../sessions/revoke.ts'
import type { AddressChange } from '../../storage/address-changes.ts'
import { deleteChangesSince, findAddressChange, finishAddressChange } from '../../storage/address-changes.ts'
import { consumeCode } from '../../storage/codes.ts'
import { listCredentials } from '../../storage/credentials.ts'
import type { Flow } from '../../storage/flows.ts'
import { insertFlow, updateFlow } from '../../storage/flows.ts'
import type { StoredIdentity } from '../../storage/identities.ts'
import { findIdentity, lockIdentity } from '../../storage/identities.ts'
import type { SessionAndIdentity } from '../../storage/sessions.ts'
import { transact } from '../../transact.ts'
import { messages } from '../../ui/messages.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import type { UiText } from '../../wire/text.ts'
import { stepsOf } from '../engine/cells.ts'
import { begin } from '../engine/open.ts'
import { render } from '../engine/render.ts'
import { checkReturnTo } from '../engine/return-to.ts'
import type { FlowSpec, Outcome } from '../engine/spec.ts'

type Change = NonNullable<ReturnType<typeof addressChange.read>>

/** A verification whose code changes an account's address, or whose link restores the previous one. */
export interface ChangingAddress {
  readonly spec: FlowSpec<'verification'>
  readonly flow: Flow<'verification'>
  readonly change: Change
  readonly done: Done['verification']
  readonly caller: Caller
}

/** Carries the change out. Undefined if the code was already used or the change was cancelled. */
export async function completeAddressChange(
  ctx: Context,
  changing: ChangingAddress,
): Promise<Outcome | undefined> {
  const { spec, flow, change, done, caller } = changing
  const session = change.undo ? undefined : await ownSession(ctx, done.identity_id, caller)
  const passed = await render(ctx, spec, passedFlow(ctx, changing))
  const now = ctx.now().toISOString()
  const won = await transact(ctx, async (ctx) => {
    if (!(await consumeCode(ctx.db, done.consume.code_id, now))) return false
    await lockIdentity(ctx.db, done.identity_id)
    const stored = await findAddressChange(ctx.db, change.id, now)
    const identity = await findIdentity(ctx.db, done.identity_id)
    if (!stored || !identity || (stored.done_at !== undefined) !== (change.undo === true)) return false
    await (session ? apply(ctx, spec, { stored, identity, session, caller }) : undo(ctx, stored, identity))
    await updateFlow(ctx.db, passed)
    return true
  })
  if (!won) return undefined
  const cookies = flow.type === 'browser' && !caller.csrf.sent ? { csrf: caller.csrf.secret } : {}
  return { kind: 'form', flow: passed, status: 200, cookies }
}

/**
 * The code alone does not change an account: a victim who confirms an attacker's request would otherwise give the
 * attacker's account their address (SEC-24).
 */
async function ownSession(ctx: Context, identityId: string, caller: Caller): Promise<SessionAndIdentity> {
  const found = await findLiveSession(ctx, caller)
  const asks = ctx.config.selfservice.flows.settings.required_aal !== 'aal1'
  if (found?.identity.id !== identityId || (asks && provesLess(ctx, found))) {
    throw new FormError(ownMessages.signInToConfirm)
  }
  return found
}

function passedFlow(ctx: Context, { flow, change, caller }: ChangingAddress): Flow<'verification'> {
  const said: UiText = change.undo ? ownMessages.addressRestored : ownMessages.addressChanged
  const { recovery } = ctx.config.selfservice.flows
  const page = change.undo && recovery.enabled ? 'recovery' : 'settings'
  const next = checkReturnTo(ctx, flow.return_to) ?? pageUrl(ctx, page)
  return {
    ...flow,
    state: 'passed_challenge',
    ...(flow.type === 'browser' ? { csrf_token: maskCsrf(caller.csrf.secret) } : {}),
    memo: { ...addressChange.entry(change), ...continueUrl.entry(next), messages: [{ message: said }] },
  }
}

interface Applying {
  readonly stored: AddressChange
  readonly identity: StoredIdentity
  readonly session: SessionAndIdentity
  readonly caller: Caller
}

async function apply(
  ctx: Context,
  spec: FlowSpec<'verification'>,
  { stored, identity, session, caller }: Applying,
): Promise<void> {
  const traits = traitsAfter(identity, stored)
  if (!traits) throw new FormError(messages.verificationCodeWrong)
  const now = ctx.now()
  await updateLocked(ctx, identity, { traits, proofs: [{ value: stored.address, verified: true }] })
  await revokeAllSessions(ctx, identity.id, { except: session.session.id })
  const expires_at = new Date(now.getTime() + UNDO_FOR_MS).toISOString()
  await finishAddressChange(ctx.db, stored.id, { done_at: now.toISOString(), expires_at })
  if (stored.old_address !== undefined) await mailUndo(ctx, spec, { ...stored, expires_at }, caller)
}

/** The flow lives as long as the change can be undone, because the link needs it. */
async function mailUndo(
  ctx: Context,
  spec: FlowSpec<'verification'>,
  { id, identity_id, address, old_address = '', expires_at }: AddressChange,
  caller: Caller,
): Promise<void> {
  const request_url = publicUrl(ctx, '/self-service/verification/browser')
  const request = { type: 'browser' as const, request_url, csrf_secret: newCsrfSecret() }
  const memo = addressChange.entry({ id, undo: true })
  // The link works whichever method the configuration names.
  const active = stepsOf(ctx, 'verification').find(({ step }) => step.fromLink)?.strategy.id ?? ''
  const fields = { active, state: 'sent_email' as const, identity_id, memo }
  const flow = { ...(await begin(ctx, spec, request, { fields }, caller)), expires_at }
  await insertFlow(ctx.db, flow)
  const { token } = await issueToken(
    ctx,
    { flow_id: flow.id, address: old_address, identity_id },
    UNDO_FOR_MS,
  )
  const query = new URLSearchParams({ flow: flow.id, token })
  await queueMail(ctx, {
    template_type: 'address_changed',
    recipient: old_address,
    data: {
      address: maskAddress(address),
      url: publicUrl(ctx, `/self-service/verification?${query}`),
      expires_in_hours: UNDO_FOR_MS / 3_600_000,
    },
    expires_at,
  })
}

/**
 * Restores the old address and removes what the attacker may have: sessions, the password, and newer credentials. The
 * owner chooses a new password by recovery. Cancels a scheduled deletion, of which only the new address was told.
 */
async function undo(ctx: Context, stored: AddressChange, identity: StoredIdentity): Promise<void> {
  const { recovery } = ctx.config.selfservice.flows
  const suspects = recovery.enabled ? withoutSuspects(await listCredentials(ctx.db, identity.id), stored) : {}
  await deleteChangesSince(ctx.db, stored)
  await updateLocked(ctx, identity, {
    traits: traitsBefore(identity, stored),
    ...suspects,
    proofs: [{ value: stored.old_address ?? '', verified: true }],
  })
  await revokeAllSessions(ctx, identity.id)
  await keepAccount(ctx, identity.id)
}
