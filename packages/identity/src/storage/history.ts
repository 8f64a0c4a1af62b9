import type { Expression, SelectQueryBuilder } from 'kysely'
import { isPostgres } from './database.ts'
import type { Db } from './db.ts'
import { type Places, prepared } from './prepared.ts'

// Of one account, so that its logins do not fill the database (SEC-131).
const MOST_ENDED_SESSIONS = 1_000
const MOST_EVENTS = 2_000

/** Deletes a few of the oldest ended sessions and events beyond what an account keeps. */
export async function trimHistory(db: Db, identity_id: string): Promise<void> {
  await trimSessions(db, { identity_id, keep: MOST_ENDED_SESSIONS })
  await trimEvents(db, { identity_id, keep: MOST_EVENTS })
}

interface Owned {
  readonly identity_id: string
  readonly keep: number
}

const trimSessions = prepared((db, { identity_id, keep }: Places<Owned>) => {
  const newestFirst = db
    .selectFrom('sessions')
    .select('id')
    .where('identity_id', '=', identity_id)
    .where('revoked_at', 'is not', null)
    .orderBy('revoked_at', 'desc')
  return db.deleteFrom('sessions').where('id', 'in', beyond(db, newestFirst, keep))
})

const trimEvents = prepared((db, { identity_id, keep }: Places<Owned>) => {
  const newestFirst = db
    .selectFrom('events')
    .select('id')
    .where('identity_id', '=', identity_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
  return db.deleteFrom('events').where('id', 'in', beyond(db, newestFirst, keep))
})

/** More than one login and logout add. */
const TRIMMED = 10

function beyond<Tables, Name extends keyof Tables, Row>(
  db: Db,
  newestFirst: SelectQueryBuilder<Tables, Name, Row>,
  keep: Expression<number>,
) {
  const oldest = newestFirst.limit(TRIMMED).offset(keep)
  return isPostgres(db) ? oldest.forUpdate().skipLocked() : oldest
}
