import { pageUrl } from '../config/base-url.ts'
import type { Context } from '../contract.ts'
import { queueMail } from '../courier/queue.ts'
import { recordEvent } from '../events/record.ts'
import { isPrivileged } from '../sessions/aal.ts'
import { isLive } from '../sessions/find.ts'
import { cancelDeletion, insertDeletion, listDueDeletions } from '../storage/account-deletions.ts'
import { deleteSessionsOf } from '../storage/ended-sessions.ts'
import type { StoredIdentity } from '../storage/identities.ts'
import { deleteIdentity, findIdentity, lockIdentity } from '../storage/identities.ts'
import { findSession } from '../storage/sessions.ts'
import { transact } from '../transact.ts'

/** The owner can cancel the deletion within this time. */
const DAYS = 14
const DAY_MS = 86_400_000

export type DeletionAnswer =
  | { readonly kind: 'scheduled'; readonly due_at: string }
  /** The session must re-authenticate. */
  | { readonly kind: 'confirm' }
  | { readonly kind: 'signed_out' }

/** Schedules the deletion of the session's account and revokes all its sessions; signing in again cancels it. */
export async function requestDeletion(ctx: Context, sessionId: string): Promise<DeletionAnswer> {
  return await transact(ctx, async (ctx) => {
    const found = await findSession(ctx.db, sessionId)
    if (!found || !isLive(ctx, found)) return { kind: 'signed_out' }
    const { identity } = found
    await lockIdentity(ctx.db, identity.id)
    if (!isPrivileged(ctx, found)) return { kind: 'confirm' }
    const now = ctx.now()
    const due_at = new Date(now.getTime() + DAYS * DAY_MS).toISOString()
    await insertDeletion(ctx.db, { identity_id: identity.id, requested_at: now.toISOString(), due_at })
    await deleteSessionsOf(ctx.db, identity.id)
    await recordEvent(ctx, { event: 'deletion_requested', outcome: 'ok', identity_id: identity.id })
    const url = pageUrl(ctx, 'login')
    for (const recipient of addressesOf(identity)) {
      await queueMail(ctx, {
        template_type: 'account_deletion_requested',
        recipient,
        data: { url, due: dayOf(due_at), days: DAYS },
      })
    }
    return { kind: 'scheduled', due_at }
  })
}

/** Deletes up to `limit` accounts that are due and sends each a last email; returns how many there were. */
export async function deleteDueAccounts(ctx: Context, limit: number): Promise<number> {
  const due = await listDueDeletions(ctx.db, ctx.now().toISOString(), limit)
  for (const identityId of due) await deleteDue(ctx, identityId)
  return due.length
}

async function deleteDue(ctx: Context, identityId: string): Promise<void> {
  await transact(ctx, async (ctx) => {
    await lockIdentity(ctx.db, identityId)
    // The owner may have signed in since the list was read.
    if (!(await cancelDeletion(ctx.db, identityId))) return
    const identity = await findIdentity(ctx.db, identityId)
    if (!identity) return
    for (const recipient of addressesOf(identity))
      await queueMail(ctx, { template_type: 'account_deleted', recipient, data: {} })
    await deleteIdentity(ctx.db, identityId)
    ctx.afterCommit(() =>
      ctx.log.info({ identity_id: identityId }, 'an account was deleted at the request of its owner'),
    )
  })
}

/** The verified addresses, or all of them if none is verified. */
function addressesOf({ addresses }: StoredIdentity): string[] {
  const emails = addresses.filter(({ via }) => via === 'email')
  const proven = emails.filter(({ verified_at }) => verified_at !== undefined)
  return [...new Set((proven.length > 0 ? proven : emails).map(({ value }) => value))]
}

function dayOf(iso: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(iso))
}
