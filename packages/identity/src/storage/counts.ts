import type { Db } from './db.ts'
import type { SessionState } from './sessions/sessions.ts'
import { inState } from './sessions/sessions.ts'

/**
 * The number of queued messages, up to `limit`, and when the oldest one was created. Messages that wait for their first
 * attempt, such as a digest, do not count as old. Only the thousand that are due first are compared.
 */
export async function countQueue(
  db: Db,
  { limit, now }: { readonly limit: number; readonly now: string },
): Promise<{ readonly waiting: number; readonly oldest: string | undefined }> {
  const { waiting } = await db
    .selectFrom(queued(db).select('status').limit(limit).as('queued'))
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .executeTakeFirstOrThrow()
  if (waiting === 0) return { waiting, oldest: undefined }
  const { oldest } = await db
    .selectFrom(
      queued(db).select(['created_at', 'due_at', 'send_count']).orderBy('due_at').limit(1000).as('next'),
    )
    .where((eb) => eb.or([eb('due_at', '<=', now), eb('send_count', '>', 0)]))
    .select((eb) => eb.fn.min('created_at').as('oldest'))
    .executeTakeFirstOrThrow()
  return { waiting, oldest: oldest ?? undefined }
}

/** One of the two statuses at a time would be an index look-up; both are few rows of the same index. */
function queued(db: Db) {
  return db.selectFrom('messages').where('status', 'in', ['queued', 'processing'])
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
