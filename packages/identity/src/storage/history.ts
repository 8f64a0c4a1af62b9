import type { SelectQueryBuilder } from 'kysely'
import { isPostgres } from './database.ts'
import type { Db } from './db.ts'
import { type Places, prepared } from './prepared.ts'
import type { Tables } from './tables.ts'

// Of one account, so that its logins do not fill the database (SEC-131).
const MOST_ENDED_SESSIONS = 1_000
const MOST_LOGINS_AND_ENDS = 2_000

/** Deletes a few of the oldest ended sessions, and of the events about them, beyond what an account keeps. */
export async function trimHistory(db: Db, identity_id: string): Promise<void> {
  await trimSessions(db, { identity_id, keep: MOST_ENDED_SESSIONS })
  await trimEvents(db, { identity_id, keep: MOST_LOGINS_AND_ENDS })
}

interface Owned {
  readonly identity_id: string
  readonly keep: number
}

const trimSessions = prepared((db, { identity_id, keep }: Places<Owned>) => {
  const oldest = db
    .selectFrom('sessions')
    .select('id')
    .where('identity_id', '=', identity_id)
    .where('revoked_at', 'is not', null)
    .orderBy('revoked_at', 'desc')
    .limit(TRIMMED)
    .offset(keep)
  return db.deleteFrom('sessions').where('id', 'in', unlocked(db, 'sessions', oldest))
})

const trimEvents = prepared((db, { identity_id, keep }: Places<Owned>) => {
  const oldest = db
    .selectFrom('events')
    .select('id')
    .where('identity_id', '=', identity_id)
    // A thief must not push out the others by logging in.
    .where('event', 'in', ['sign_in', 'session_ended'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(TRIMMED)
    .offset(keep)
  return db.deleteFrom('events').where('id', 'in', unlocked(db, 'events', oldest))
})

/** More than one login and logout add. */
const TRIMMED = 10

/** The clean-up deletes in another order. Around the offset, because PostgreSQL also locks rows that it skips. */
function unlocked(
  db: Db,
  table: 'sessions' | 'events',
  oldest:
    | SelectQueryBuilder<Tables, 'sessions', { id: string }>
    | SelectQueryBuilder<Tables, 'events', { id: string }>,
) {
  const rows = db.selectFrom(table).select('id').where('id', 'in', oldest)
  return isPostgres(db) ? rows.forUpdate().skipLocked() : rows
}
