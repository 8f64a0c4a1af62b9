import { sql } from 'kysely'
import type { Db } from '../db.ts'

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
