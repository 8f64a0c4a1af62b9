import type { Aal } from '../../wire/session.ts'
import { isPostgres } from '../database.ts'
import type { Db } from '../db.ts'
import { countChanged } from '../durability.ts'
import { deleteOpenCodes } from '../flows/codes.ts'
import { type Places, prepared } from '../prepared.ts'
import { inState, type SessionState } from './sessions.ts'

export async function revokeSession(db: Db, identityId: string, id: string, now: string): Promise<boolean> {
  const update = db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where((eb) => eb.and({ id, identity_id: identityId, revoked_at: null }))
  return (await countChanged(db, update)) > 0
}

/** Undefined if no active session has the token. */
export async function revokeSessionByToken(
  db: Db,
  tokenHash: string,
  now: string,
): Promise<string | undefined> {
  const row = await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where((eb) => eb.and({ token_hash: tokenHash, revoked_at: null }))
    .returning('identity_id')
    .executeTakeFirst()
  return row?.identity_id
}

export async function revokeOtherSessions(
  db: Db,
  identityId: string,
  except: string | undefined,
  now: string,
): Promise<number> {
  const all = db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where((eb) => eb.and({ identity_id: identityId, revoked_at: null }))
  return await countChanged(db, except === undefined ? all : all.where('id', '!=', except))
}

/** Keeps `own`, whatever the clock said when the others began (FLT-12). */
export async function revokeOldestSessions(db: Db, { keep, ...beyond }: OwnBeyond): Promise<number> {
  return Number((await revokeOldestQuery(db, { ...beyond, keep: keep - 1 })).numAffectedRows)
}

interface OwnBeyond extends Beyond {
  readonly own: string
}

// The index keeps unrevoked sessions together; an app that signs in every minute has many revoked
// ones.
const revokeOldestQuery = prepared((db, beyond: Places<OwnBeyond>) => {
  const others = countedSessions(db, beyond).where('id', '!=', beyond.own)
  const newest = others.orderBy('issued_at', 'desc').orderBy('id').limit(beyond.keep)
  const oldest = others
    .where('id', 'not in', newest)
    // Concurrent sign-ins would otherwise lock rows in different orders and deadlock.
    .$if(isPostgres(db), (query) => query.forUpdate().skipLocked())
  return db.updateTable('sessions').set({ revoked_at: beyond.now }).where('id', 'in', oldest)
})

export function countedSessions(db: Db, { identity_id, aal, also, now }: Places<Beyond>) {
  return db
    .selectFrom('sessions')
    .select('id')
    .where('identity_id', '=', identity_id)
    .where('revoked_at', 'is', null)
    .where('aal', 'in', [aal, also])
    .where('expires_at', '>', now)
}

export interface Beyond {
  readonly identity_id: string
  /** Both are the same if other levels count separately. */
  readonly aal: Aal
  readonly also: Aal
  readonly keep: number
  readonly now: string
}

/** Sign-ins with an earlier proof do not finish (SEC-94). Call inside a transaction, after `lockIdentity`. */
export async function endPendingSignIns(db: Db, identityId: string): Promise<void> {
  await db
    .updateTable('identities')
    .set((eb) => ({ sign_in_epoch: eb('sign_in_epoch', '+', 1) }))
    .where('id', '=', identityId)
    .execute()
  await deleteOpenCodes(db, identityId, 'login')
}

/** Returns the owner. */
export async function deleteSession(db: Db, id: string): Promise<string | undefined> {
  const query = db.deleteFrom('sessions').where('id', '=', id).returning('identity_id')
  return (await query.executeTakeFirst())?.identity_id
}

export async function deleteSessionsOf(db: Db, identityId: string): Promise<number> {
  return await countChanged(db, db.deleteFrom('sessions').where('identity_id', '=', identityId))
}

/**
 * Counts up to `limit` sessions that expire after `after`. Returns the start of the next batch, if
 * any. Omits sessions that expire in the same millisecond as the last of a batch.
 */
export async function countSessionsBatch(
  db: Db,
  state: SessionState,
  after: string,
  limit: number,
): Promise<{ readonly count: number; readonly next: string | undefined }> {
  const batch = inState(db, state)
    .where('expires_at', '>', after)
    .select('expires_at')
    .orderBy('expires_at')
    .limit(limit)
  const { count, last } = await db
    .selectFrom(batch.as('batch'))
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('expires_at').as('last')])
    .executeTakeFirstOrThrow()
  return { count, next: count < limit ? undefined : (last ?? undefined) }
}
