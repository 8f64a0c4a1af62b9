import type { Db } from './db.ts'
import type { Places } from './prepared.ts'
import { prepared } from './prepared.ts'
import type { AccountDeletionsTable } from './tables.ts'

/** Schedules the deletion of an account; a second request changes nothing. */
export async function insertDeletion(db: Db, deletion: AccountDeletionsTable): Promise<void> {
  await db
    .insertInto('account_deletions')
    .values(deletion)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Cancels a scheduled deletion; returns false if there was none. */
export async function cancelDeletion(db: Db, identityId: string): Promise<boolean> {
  return (await cancelled(db, { identity_id: identityId })).numAffectedRows === 1n
}

const cancelled = prepared((db, { identity_id }: Places<Pick<AccountDeletionsTable, 'identity_id'>>) =>
  db.deleteFrom('account_deletions').where('identity_id', '=', identity_id),
)

/** Up to `limit` accounts that are due, oldest first. */
export async function listDueDeletions(db: Db, now: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('account_deletions')
    .select('identity_id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute()
  return rows.map(({ identity_id }) => identity_id)
}
