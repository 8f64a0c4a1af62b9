import type { Context } from '../contract/contract.ts'
import { transact } from '../contract/transact.ts'
import { deleteAccount } from '../identities/delete.ts'
import { findIdentity, lockIdentity } from '../storage/identities/identities.ts'
import type { UnverifiedAddress } from '../storage/identities/unverified-accounts.ts'
import { isUnverifiedAccount, listUnverifiedAddresses } from '../storage/identities/unverified-accounts.ts'

export type Place = UnverifiedAddress | undefined

/** Checks the next `limit` accounts. Returns the number deleted and the position to continue from, if any. */
export async function deleteUnverifiedAccounts(
  ctx: Context,
  limit: number,
  after: Place,
): Promise<{ readonly removed: number; readonly last: Place }> {
  const { unverified_accounts } = ctx.config.retention
  if (unverified_accounts === undefined) return { removed: 0, last: undefined }
  const now = ctx.now()
  const before = new Date(now.getTime() - unverified_accounts).toISOString()
  const found = await listUnverifiedAddresses(ctx.db, before, limit, after)
  let removed = 0
  for (const { identity_id } of found)
    if (await deleteIfUnverified(ctx, identity_id, before, now.toISOString())) removed += 1
  return { removed, last: found.length < limit ? undefined : found.at(-1) }
}

async function deleteIfUnverified(ctx: Context, identity_id: string, before: string, now: string) {
  const deleted = await transact(ctx, async (ctx) => {
    // The owner may be entering the code.
    await lockIdentity(ctx.db, identity_id)
    if (!(await isUnverifiedAccount(ctx.db, identity_id, before, now))) return false
    const identity = await findIdentity(ctx.db, identity_id)
    if (identity) await deleteAccount(ctx, identity)
    return identity !== undefined
  })
  if (deleted) ctx.log.info({ identity_id }, 'an account that was never verified was deleted')
  return deleted
}
