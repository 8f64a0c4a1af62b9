import type { Aal } from '../../wire/session.ts'
import type { Db } from '../db.ts'
import { isPostgres } from '../db.ts'
import type { Credential } from '../identities/credentials.ts'
import type { Places } from '../prepared.ts'
import { prepared } from '../prepared.ts'
import type { SessionState } from './sessions.ts'
import { inState } from './sessions.ts'

/** Revokes a session of an identity; returns false if it is not theirs or has ended already. */
export async function revokeSession(db: Db, identityId: string, id: string, now: string): Promise<boolean> {
  const result = await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('identity_id', '=', identityId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Revokes the session of a token and returns its identity; undefined if it has ended already, or no session has it. */
export async function revokeSessionByToken(
  db: Db,
  tokenHash: string,
  now: string,
): Promise<string | undefined> {
  const row = await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .returning('identity_id')
    .executeTakeFirst()
  return row?.identity_id
}

/** Revokes all sessions of an identity but one; returns how many that ended. */
export async function revokeOtherSessions(
  db: Db,
  identityId: string,
  except: string,
  now: string,
): Promise<number> {
  const result = await db
    .updateTable('sessions')
    .set({ revoked_at: now })
    .where('identity_id', '=', identityId)
    .where('id', '!=', except)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Revokes the oldest active sessions of an identity beyond `keep`; returns how many. */
export async function revokeOldestSessions(db: Db, beyond: Beyond): Promise<number> {
  return Number((await revokeOldestQuery(db, beyond)).numAffectedRows)
}

// An index holds the sessions that are not revoked: an app that signs in every minute has many others.
const revokeOldestQuery = prepared((db, { identity_id, aal, also, keep, now }: Places<Beyond>) => {
  const newest = db
    .selectFrom('sessions')
    .select('id')
    .where('identity_id', '=', identity_id)
    .where('revoked_at', 'is', null)
    .where('aal', 'in', [aal, also])
    .where('expires_at', '>', now)
    .orderBy('issued_at', 'desc')
    .orderBy('id')
    .limit(keep)
  const oldest = db
    .selectFrom('sessions')
    .select('id')
    .where('identity_id', '=', identity_id)
    .where('revoked_at', 'is', null)
    .where('aal', 'in', [aal, also])
    .where('expires_at', '>', now)
    .where('id', 'not in', newest)
    // Sign-ins of one account at the same time would wait for one another in different orders: a deadlock.
    .$if(isPostgres(db), (query) => query.forUpdate().skipLocked())
  return db.updateTable('sessions').set({ revoked_at: now }).where('id', 'in', oldest)
})

/** The sessions of an account that count against its maximum. */
interface Beyond {
  readonly identity_id: string
  /** The levels whose sessions count: one and the same where the others count separately. */
  readonly aal: Aal
  readonly also: Aal
  readonly keep: number
  readonly now: string
}

/**
 * Whether a new session is one too many, and whether the `credential` that it is for has its version still: nothing
 * changes that before the transaction ends.
 */
export async function findEnds(
  db: Db,
  account: Beyond,
  credential: Pick<Credential, 'id' | 'version'> = { id: '', version: 0 },
): Promise<{ readonly sessions: boolean; readonly holds: boolean }> {
  const { id, version } = credential
  const [row] = (await endsQuery(db, { ...account, id, version })).rows
  return { sessions: Boolean(row?.session), holds: id === '' || Boolean(row?.credential) }
}

const endsQuery = prepared(
  (
    db,
    { identity_id, aal, also, keep, now, id, version }: Places<Beyond & Pick<Credential, 'id' | 'version'>>,
  ) =>
    db.selectNoFrom(({ selectFrom }) => [
      selectFrom('credentials')
        .select('id')
        .where('id', '=', id)
        .where('version', '=', version)
        .$if(isPostgres(db), (query) => query.forShare())
        .as('credential'),
      selectFrom('sessions')
        .select('id')
        .where('identity_id', '=', identity_id)
        .where('revoked_at', 'is', null)
        .where('aal', 'in', [aal, also])
        .where('expires_at', '>', now)
        .limit(1)
        .offset(keep)
        .as('session'),
    ]),
)

/** Deletes all sessions of an identity; returns how many there were. */
export async function deleteSessionsOf(db: Db, identityId: string): Promise<number> {
  const result = await db.deleteFrom('sessions').where('identity_id', '=', identityId).executeTakeFirst()
  return Number(result.numDeletedRows)
}

/**
 * Counts up to `limit` sessions in a state that expire after `after`, and returns where the next batch begins:
 * undefined if this was the last. Sessions that expire in the same millisecond as the last of a batch are not counted.
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
