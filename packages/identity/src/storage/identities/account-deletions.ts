import { sql } from 'kysely'
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

export interface UnverifiedAddress {
  readonly id: string
  readonly identity_id: string
  readonly created_at: string
}

/** Oldest first. */
export async function listUnverifiedAddresses(
  db: Db,
  before: string,
  limit: number,
  after: UnverifiedAddress | undefined,
): Promise<UnverifiedAddress[]> {
  let query = db
    .selectFrom('addresses')
    .select(['id', 'identity_id', 'created_at'])
    // Literals, so that PostgreSQL uses the partial index.
    .where('purpose', '=', sql.lit('verification'))
    .where('status', '!=', sql.lit('completed'))
    // Requesting another code sets a verified address to `sent` again.
    .where('verified_at', 'is', null)
    .where('created_at', '<', before)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit)
  if (after) {
    const { created_at, id } = after
    query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(created_at, id)))
  }
  return await query.execute()
}

/**
 * Whether an account registered before `before` lacks a verified address and a live session.
 * False for accounts changed since, whose former address may have been verified. Lock the identity
 * first.
 */
export async function isUnverifiedAccount(
  db: Db,
  identityId: string,
  before: string,
  now: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('identities')
    .select('id')
    .where('id', '=', identityId)
    .where('created_at', '<', before)
    .whereRef('updated_at', '=', 'created_at')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sign_ups as s').select('s.identity_id').whereRef('s.identity_id', '=', 'identities.id'),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('addresses as a')
            .select('a.id')
            .whereRef('a.identity_id', '=', 'identities.id')
            .where('a.verified_at', 'is not', null),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sessions as s')
            .select('s.id')
            .whereRef('s.identity_id', '=', 'identities.id')
            .where('s.revoked_at', 'is', null)
            .where('s.expires_at', '>', now),
        ),
      ),
    )
    .executeTakeFirst()
  return found !== undefined
}
