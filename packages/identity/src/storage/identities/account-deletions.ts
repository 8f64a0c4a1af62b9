import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../db.ts'
import { countChanged } from '../durability.ts'
import type { AccountDeletionsTable, Tables } from '../tables.ts'

export async function insertScheduledDeletion(db: Db, deletion: AccountDeletionsTable): Promise<void> {
  await db
    .insertInto('account_deletions')
    .values(deletion)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function findScheduledDeletion(
  db: Db,
  identityId: string,
): Promise<AccountDeletionsTable | undefined> {
  return await db
    .selectFrom('account_deletions')
    .selectAll()
    .where('identity_id', '=', identityId)
    .executeTakeFirst()
}

export async function findDueDate(db: Db, identityId: string): Promise<string | undefined> {
  return (await findScheduledDeletion(db, identityId))?.due_at
}

export async function deleteScheduledDeletion(db: Db, identityId: string): Promise<boolean> {
  const deletion = db.deleteFrom('account_deletions').where('identity_id', '=', identityId)
  return (await countChanged(db, deletion)) > 0
}

/** The position of a row in its order. */
export interface TimedPlace {
  readonly time: string
  readonly id: string
}

/** Oldest first. */
export async function listDueDeletions(
  db: Db,
  now: string,
  after: TimedPlace | undefined,
  limit: number,
): Promise<TimedPlace[]> {
  let query = db
    .selectFrom('account_deletions')
    .select(['due_at as time', 'identity_id as id'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('identity_id')
    .limit(limit)
  if (after)
    query = query.where((eb) => eb(eb.refTuple('due_at', 'identity_id'), '>', eb.tuple(after.time, after.id)))
  return await query.execute()
}

/** Reads the next `size` unverified addresses, oldest first. Returns the accounts to delete among theirs. */
export async function listUnverifiedAccounts(
  db: Db,
  { cutoff, now }: Unverified,
  after: TimedPlace | undefined,
  size: number,
): Promise<{ readonly found: string[]; readonly last: TimedPlace | undefined }> {
  const addresses = unverifiedAddresses(db, cutoff, after)
  const last = await addresses
    .select(['created_at as time', 'id'])
    .orderBy('created_at')
    .orderBy('id')
    .offset(size - 1)
    .limit(1)
    .executeTakeFirst()
  const window = last ? addresses.where(({ eb }) => placeOf(eb, '<=', last)) : addresses
  const rows = await unverifiedAccounts(db, { cutoff, now })
    .where('id', 'in', window.select('identity_id'))
    .execute()
  return { found: rows.map(({ id }) => id), last }
}

function unverifiedAddresses(db: Db, cutoff: string, after: TimedPlace | undefined) {
  const query = db
    .selectFrom('addresses')
    // Literals, so that PostgreSQL uses the partial index.
    .where('purpose', '=', sql.lit('verification'))
    .where('status', '!=', sql.lit('completed'))
    // Requesting another code sets a verified address to `sent` again.
    .where('verified_at', 'is', null)
    .where('created_at', '<', cutoff)
  return after ? query.where(({ eb }) => placeOf(eb, '>', after)) : query
}

function placeOf(eb: ExpressionBuilder<Tables, 'addresses'>, order: '>' | '<=', { time, id }: TimedPlace) {
  return eb(eb.refTuple('created_at', 'id'), order, eb.tuple(time, id))
}

interface Unverified {
  readonly cutoff: string
  readonly now: string
}

/** Lock the identity first. */
export async function isUnverifiedAccount(db: Db, identityId: string, when: Unverified): Promise<boolean> {
  return (await unverifiedAccounts(db, when).where('id', '=', identityId).executeTakeFirst()) !== undefined
}

/**
 * Accounts registered before `before` that never verified an address and lack a live session. Without
 * accounts changed since, whose former address may have been verified, and those of another service.
 */
function unverifiedAccounts(db: Db, { cutoff, now }: Unverified) {
  return db
    .selectFrom('identities')
    .select('identities.id')
    .where('created_at', '<', cutoff)
    .whereRef('updated_at', '=', 'created_at')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sign_ups as s')
          .select('s.identity_id')
          .whereRef('s.identity_id', '=', 'identities.id')
          .where('s.imported_at', 'is', null)
          .where('s.proven_at', 'is', null),
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
}
