import type { Db } from '../db.ts'
import type { AccountDeletionsTable } from '../tables.ts'

export async function insertScheduledDeletion(db: Db, deletion: AccountDeletionsTable): Promise<void> {
  await db
    .insertInto('account_deletions')
    .values(deletion)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findDueDate(db: Db, identityId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('account_deletions')
    .select('due_at')
    .where('identity_id', '=', identityId)
    .executeTakeFirst()
  return row?.due_at
}

export async function deleteScheduledDeletion(db: Db, identityId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('account_deletions')
    .where('identity_id', '=', identityId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

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
