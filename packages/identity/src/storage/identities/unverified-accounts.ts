import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** An address that was never verified, and its place in the order of the list. */
export interface UnverifiedAddress {
  readonly id: string
  readonly identity_id: string
  readonly created_at: string
}

/** Up to `limit` addresses from before `before` that were never verified, oldest first, after `after`. */
export async function listUnverifiedAddresses(
  db: Db,
  before: string,
  limit: number,
  after: UnverifiedAddress | undefined,
): Promise<UnverifiedAddress[]> {
  let query = db
    .selectFrom('addresses')
    .select(['id', 'identity_id', 'created_at'])
    // Literals: PostgreSQL uses a partial index only if the statement itself implies its condition.
    .where('purpose', '=', sql.lit('verification'))
    .where('status', '!=', sql.lit('completed'))
    // A verified address is `sent` again once another code was asked for, which anyone can do.
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
 * Deletes an account that a user registered before `before`, of which no address was ever verified and no session is
 * live; returns whether it did. An account that was changed since stays: the address that it had before may have been
 * verified. Call inside a transaction that has locked the identity.
 */
export async function deleteUnverifiedAccount(
  db: Db,
  identityId: string,
  before: string,
  now: string,
): Promise<boolean> {
  const result = await db
    .deleteFrom('identities')
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
  return result.numDeletedRows === 1n
}
