import { pageUrl, reviewUrl } from '../config/base-url.ts'
import type { Context } from '../contract/contract.ts'
import { transact } from '../contract/transact.ts'
import { type MailOrder, queueMail } from '../courier/queue.ts'
import { queueNotice } from '../courier/queue-notice.ts'
import type { Notice } from '../courier/templates/notice-texts.ts'
import type { TemplateType } from '../courier/templates/templates.ts'
import { recordEvent } from '../events/record.ts'
import { deleteAccount } from '../identities/delete.ts'
import type { Sweep } from '../service/sweep.ts'
import { findPrivilegedSession, isLive, lockAccountOf, type NotPrivileged } from '../sessions/find.ts'
import type { TimedPlace } from '../storage/identities/account-deletions.ts'
import {
  deleteScheduledDeletion,
  findDueDate,
  insertScheduledDeletion,
  isUnverifiedAccount,
  listDueDeletions,
  listUnverifiedAccounts,
} from '../storage/identities/account-deletions.ts'
import { findIdentity, lockIdentity, type StoredIdentity } from '../storage/identities/identities.ts'
import { endPendingSignIns, revokeOtherSessions } from '../storage/sessions/ended-sessions.ts'
import { findSession, type StoredSession } from '../storage/sessions/sessions.ts'

export const DELETION_DAYS = 14
const DAY_MS = 86_400_000

export type DeletionAnswer = { readonly kind: 'scheduled'; readonly due_at: string } | NotPrivileged

/** Signing in does not cancel the deletion, because a password alone must not (SEC-74). */
export async function requestDeletion(ctx: Context, sessionId: string): Promise<DeletionAnswer> {
  return await transact(ctx, async (ctx) => {
    await lockAccountOf(ctx, sessionId)
    const foundSession = await findPrivilegedSession(ctx, sessionId)
    if ('kind' in foundSession) return foundSession
    const { identity, session } = foundSession
    const now = ctx.now()
    const dueAt = new Date(now.getTime() + DELETION_DAYS * DAY_MS).toISOString()
    await insertScheduledDeletion(ctx.db, {
      identity_id: identity.id,
      requested_at: now.toISOString(),
      due_at: dueAt,
    })
    const due_at = (await findDueDate(ctx.db, identity.id)) ?? dueAt
    await endPendingSignIns(ctx.db, identity.id)
    await revokeOtherSessions(ctx.db, identity.id, undefined, now.toISOString())
    await recordEvent(ctx, { event: 'deletion_requested', outcome: 'ok', identity_id: identity.id, session })
    const data = { url: pageUrl(ctx, 'login'), due: dayOf(due_at, ctx.config.courier.language) }
    await emailOwner(ctx, identity, 'deletion', { template_type: 'account_deletion_requested', data })
    return { kind: 'scheduled', due_at }
  })
}

export type CancellationAnswer = { readonly kind: 'cancelled' } | { readonly kind: 'signed_out' }

/** Needs no recent sign-in, because it loses nothing and the owner is notified. */
export async function cancelDeletionBy(ctx: Context, sessionId: string): Promise<CancellationAnswer> {
  return await transact(ctx, async (ctx) => {
    await lockAccountOf(ctx, sessionId)
    const foundSession = await findSession(ctx.db, sessionId)
    // A request for the deletion has ended a thief's session.
    if (!foundSession || !isLive(ctx, foundSession)) return { kind: 'signed_out' }
    await cancelDeletion(ctx, foundSession.identity, foundSession.session)
    return { kind: 'cancelled' }
  })
}

/** Also notifies the owner. Call inside `transact`. */
export async function cancelDeletion(ctx: Context, identity: StoredIdentity, session?: StoredSession) {
  if (!(await deleteScheduledDeletion(ctx.db, identity.id))) return
  await recordEvent(ctx, { event: 'deletion_cancelled', outcome: 'ok', identity_id: identity.id, session })
  const data = { url: pageUrl(ctx, 'settings') }
  await emailOwner(ctx, identity, 'deletion_cancelled', { template_type: 'account_deletion_cancelled', data })
}

async function emailOwner<T extends TemplateType>(
  ctx: Context,
  identity: StoredIdentity,
  notice: Notice,
  email: Pick<MailOrder<T>, 'template_type' | 'data'>,
): Promise<void> {
  const { due } = email.data as { readonly due?: string }
  const noticed = { notice, identity_id: identity.id, url: reviewUrl(ctx), due }
  for (const recipient of addressesOf(identity)) await queueNotice(ctx, noticed, { ...email, recipient })
}

export function dueDeletions(ctx: Context): Sweep<string, TimedPlace> {
  return {
    async list(after, size) {
      const due = await listDueDeletions(ctx.db, ctx.now().toISOString(), after, size)
      return { found: due.map(({ id }) => id), last: due.length < size ? undefined : due.at(-1) }
    },
    remove: (identityId) => deleteDue(ctx, identityId),
  }
}

async function deleteDue(ctx: Context, identityId: string): Promise<number> {
  return await transact(ctx, async (ctx) => {
    await lockIdentity(ctx.db, identityId)
    // The owner may have cancelled it since the list was read.
    if (!(await deleteScheduledDeletion(ctx.db, identityId))) return 0
    const identity = await findIdentity(ctx.db, identityId)
    if (!identity) return 0
    for (const recipient of addressesOf(identity))
      await queueMail(ctx, { template_type: 'account_deleted', recipient, identity_id: identityId, data: {} })
    await deleteAccount(ctx, identity)
    ctx.afterCommit(() =>
      ctx.log.info({ identity_id: identityId }, 'an account was deleted at the request of its owner'),
    )
    return 1
  })
}

/** All addresses, if none is verified. */
function addressesOf({ addresses }: StoredIdentity): string[] {
  const emails = addresses.filter(({ via }) => via === 'email')
  const proven = emails.filter(({ verified_at }) => verified_at !== undefined)
  return [...new Set((proven.length > 0 ? proven : emails).map(({ value }) => value))]
}

function dayOf(iso: string, language: string): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    dateStyle: 'long',
    timeZone: 'UTC',
  }).format(new Date(iso))
}

export function unverifiedAccounts(ctx: Context): Sweep<string, TimedPlace> {
  return {
    async list(after, size) {
      const when = unverifiedSince(ctx)
      return when ? await listUnverifiedAccounts(ctx.db, when, after, size) : { found: [], last: undefined }
    },
    remove: (identityId) => deleteIfUnverified(ctx, identityId),
  }
}

function unverifiedSince({ config, now }: Context) {
  const { unverified_accounts } = config.retention
  if (unverified_accounts === undefined) return undefined
  const time = now()
  return {
    cutoff: new Date(time.getTime() - unverified_accounts).toISOString(),
    now: time.toISOString(),
  }
}

async function deleteIfUnverified(ctx: Context, identity_id: string): Promise<number> {
  const deleted = await transact(ctx, async (ctx) => {
    // The owner may be entering the code.
    await lockIdentity(ctx.db, identity_id)
    const when = unverifiedSince(ctx)
    if (!when || !(await isUnverifiedAccount(ctx.db, identity_id, when))) return false
    const identity = await findIdentity(ctx.db, identity_id)
    if (identity) await deleteAccount(ctx, identity)
    return identity !== undefined
  })
  if (deleted) ctx.log.info({ identity_id }, 'an account that was never verified was deleted')
  return deleted ? 1 : 0
}
