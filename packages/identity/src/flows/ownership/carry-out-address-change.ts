import { cancelDeletion } from '../../account/deletion.ts'
import { issueToken } from '../../codes/issue.ts'
import { maskAddress } from '../../codes/mail-owner.ts'
import { continueUrl } from '../../codes/memo.ts'
import { pageUrl, publicUrl } from '../../config/base-url.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { transact } from '../../contract/transact.ts'
import { queueMail } from '../../courier/queue.ts'
import { maskCsrf, newCsrfSecret } from '../../crypto/csrf.ts'
import { newId } from '../../crypto/random.ts'
import { FormError } from '../../errors/errors.ts'
import {
  addressChange,
  traitsAfter,
  traitsBefore,
  UNDO_FOR_MS,
  withoutSuspects,
} from '../../identities/addresses/address-change.ts'
import { releaseAddresses } from '../../identities/addresses/address-owner.ts'
import { ownersEmails } from '../../identities/addresses/proof.ts'
import { schemaOfIdentity } from '../../identities/schema/schema.ts'
import { updateLocked } from '../../identities/update.ts'
import { attempt, storeEffect } from '../../limits/attempt.ts'
import { isBelowSettingsAal } from '../../sessions/aal.ts'
import { findLiveSession } from '../../sessions/find.ts'
import { revokeAllSessions } from '../../sessions/revoke.ts'
import { consumeCode } from '../../storage/flows/codes.ts'
import { type Flow, insertFlow } from '../../storage/flows/flows.ts'
import type { AddressChange } from '../../storage/identities/address-changes.ts'
import {
  deleteChangesSince,
  findAddressChange,
  insertAddressChange,
} from '../../storage/identities/address-changes.ts'
import { listCredentials } from '../../storage/identities/credentials.ts'
import type { Address, StoredIdentity } from '../../storage/identities/identities.ts'
import { findIdentity, lockIdentity } from '../../storage/identities/identities.ts'
import { recordFirstProof } from '../../storage/identities/sign-ups.ts'
import { endPendingSignIns } from '../../storage/sessions/ended-sessions.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { messages } from '../../ui/messages.ts'
import { ownMessages } from '../../ui/own-messages.ts'
import type { UiText } from '../../wire/text.ts'
import type { CompletedStep, Outcome } from '../form/decision.ts'
import { newFlow } from '../form/new-flow.ts'
import { render } from '../form/render.ts'
import { checkReturnTo } from '../form/return-to.ts'
import { stepsOf } from '../form/steps.ts'
import { notifyOwner } from './notify-owner.ts'

type Change = NonNullable<ReturnType<typeof addressChange.read>>

/** The code changes an address; the link restores the previous one. Undefined if the code was used before or the change cancelled. */
export async function completeAddressChange(
  ctx: Context,
  step: CompletedStep<'verification'>,
  change: Change,
): Promise<Outcome | undefined> {
  const { flow, completion, caller } = step
  const passed = await render(ctx, passedFlow(ctx, step, change))
  const now = ctx.now().toISOString()
  const won = await transact(ctx, async (ctx) => {
    await lockIdentity(ctx.db, completion.identity_id)
    const session = change.undo ? undefined : await ownSession(ctx, completion.identity_id, caller)
    if (!(await consumeCode(ctx.db, completion.consume.code_id, now))) return undefined
    const stored = await findAddressChange(ctx.db, change.id, now)
    const identity = await findIdentity(ctx.db, completion.identity_id)
    if (!stored || !identity || (stored.done_at !== undefined) !== (change.undo === true)) return undefined
    await (session
      ? applyChange(ctx, stored, { session: session.session, identity }, caller)
      : undoChange(ctx, stored, identity))
    await storeEffect(ctx, passed)
    return { session }
  })
  if (!won) return undefined
  const cookies = {
    ...(flow.type === 'browser' && !caller.csrf.sent ? { csrf: caller.csrf.secret } : {}),
    ...(won.session && caller.credential?.from === 'cookie' ? { device: won.session } : {}),
  }
  return { kind: 'form', flow: passed, status: 200, cookies }
}

/**
 * Requires a session. Otherwise a victim who confirms an attacker's request would add their address to the
 * attacker's account (SEC-24).
 */
async function ownSession(ctx: Context, identityId: string, caller: Caller): Promise<SessionAndIdentity> {
  const foundSession = await findLiveSession(ctx, caller)
  if (foundSession?.identity.id !== identityId || isBelowSettingsAal(ctx, foundSession)) {
    throw new FormError(ownMessages.signInToConfirm)
  }
  return foundSession
}

function passedFlow(
  ctx: Context,
  { flow, caller }: CompletedStep<'verification'>,
  change: Change,
): Flow<'verification'> {
  const message: UiText = change.undo ? ownMessages.addressRestored : ownMessages.addressChanged
  const { recovery } = ctx.config.selfservice.flows
  const page = change.undo && recovery.enabled ? 'recovery' : 'settings'
  const nextUrl = checkReturnTo(ctx, flow.return_to) ?? pageUrl(ctx, page)
  return {
    ...flow,
    state: 'passed_challenge',
    ...(flow.type === 'browser' ? { csrf_token: maskCsrf(caller.csrf.secret) } : {}),
    memo: {
      ...attempt.copy(flow),
      ...addressChange.entry(change),
      ...continueUrl.entry(nextUrl),
      messages: [{ message }],
    },
  }
}

async function applyChange(
  ctx: Context,
  change: AddressChange,
  { session, identity }: SessionAndIdentity,
  caller: Caller,
): Promise<void> {
  const traits = traitsAfter(schemaOfIdentity(ctx.schemas, identity), identity, change)
  if (!traits) throw new FormError(messages.verificationCodeWrong)
  const now = ctx.now()
  await releaseAddresses(ctx, [change.address], (id) => id === identity.id)
  await recordFirstProof(ctx.db, identity.id, now.toISOString())
  const proofs = [{ value: change.address, verified: true }]
  const { identity: changed } = await updateLocked(ctx, identity, { traits, proofs })
  await revokeAllSessions(ctx, identity.id, { except: session.id })
  const isKept = ({ id }: Address) => changed.addresses.some((one) => one.id === id)
  const goneAddresses = ownersEmails(identity).filter((one) => !isKept(one))
  const done_at = now.toISOString()
  const expires_at = new Date(now.getTime() + UNDO_FOR_MS).toISOString()
  // An attacker may remove several addresses; each owner can undo it (SEC-86).
  for (const { value: old_address } of goneAddresses) {
    const done = { ...change, id: newId(), old_address, done_at, expires_at }
    await insertAddressChange(ctx.db, done)
    await mailUndo(ctx, done, caller)
  }
  const recipient = { ...identity, addresses: identity.addresses.filter(isKept) }
  await notifyOwner(ctx, recipient, goneAddresses.length > 0 ? 'address' : 'address_added')
}

/** The link needs the flow while the change can be undone. */
async function mailUndo(
  ctx: Context,
  { id, identity_id, address, old_address = '', expires_at }: AddressChange,
  caller: Caller,
): Promise<void> {
  const request_url = publicUrl(ctx, '/self-service/verification/browser')
  const request = { type: 'browser' as const, request_url, csrf_secret: newCsrfSecret() }
  const memo = addressChange.entry({ id, undo: true })
  // The link works with any configured method.
  const active = stepsOf(ctx, 'verification').find(({ step }) => step.byLink)?.strategy.id ?? ''
  const fields = { active, state: 'sent_email' as const, identity_id, memo }
  const flow = { ...(await newFlow(ctx, 'verification', request, { fields }, caller)), expires_at }
  await insertFlow(ctx.db, flow, 'consumed code')
  const { token } = await issueToken(
    ctx,
    { flow_id: flow.id, address: old_address, identity_id },
    UNDO_FOR_MS,
  )
  const query = new URLSearchParams({ flow: flow.id, token })
  await queueMail(ctx, {
    template_type: 'address_changed',
    recipient: old_address,
    identity_id,
    data: {
      address: maskAddress(address),
      url: publicUrl(ctx, `/self-service/verification?${query}`),
      expires_in_hours: UNDO_FOR_MS / 3_600_000,
    },
    expires_at,
  })
}

/**
 * Removes possible attacker access: sessions, the password, newer credentials. Cancels a scheduled deletion.
 * The owner sets a new password by recovery.
 */
async function undoChange(ctx: Context, change: AddressChange, identity: StoredIdentity): Promise<void> {
  const { recovery } = ctx.config.selfservice.flows
  const suspects = recovery.enabled ? withoutSuspects(await listCredentials(ctx.db, identity.id), change) : {}
  const proven = await deleteChangesSince(ctx.db, change)
  const traits = traitsBefore(schemaOfIdentity(ctx.schemas, identity), identity, change, proven)
  const { identity: restored } = await updateLocked(ctx, identity, {
    ...(traits ? { traits } : {}),
    ...suspects,
    proofs: proven.map((value) => ({ value, verified: true })),
  })
  await endPendingSignIns(ctx.db, identity.id)
  await revokeAllSessions(ctx, identity.id)
  await cancelDeletion(ctx, restored)
}
