import type { Db } from './db.ts'
import { preparedInsert } from './prepared.ts'
import { type AdminCallsTable, type EventsTable, type Present, present } from './tables.ts'

export type StoredEvent = Present<EventsTable>

export async function insertEvent(db: Db, event: StoredEvent): Promise<void> {
  await insertQuery(db, [event])
}

const insertQuery = preparedInsert('events')

/** Repeats within this time add no row, so that an attacker cannot fill the disk. */
const REPEATED_WITHIN_MS = 60_000

/** Ignores unknown accounts and recent repeats. */
export async function insertRefusal(db: Db, refusal: StoredEvent): Promise<void> {
  const names = Object.keys(refusal) as (keyof EventsTable)[]
  const since = new Date(Date.parse(refusal.created_at) - REPEATED_WITHIN_MS).toISOString()
  await db
    .insertInto('events')
    .columns(names)
    .expression((eb) =>
      eb
        .selectFrom('identities as i')
        .select((eb) => names.map((name) => eb.val(refusal[name]).as(name)))
        .where('i.id', '=', refusal.identity_id)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('events as e')
                .select('e.id')
                .where('e.identity_id', '=', refusal.identity_id)
                .where('e.created_at', '>', since)
                .where('e.event', '=', refusal.event)
                .where('e.outcome', '=', refusal.outcome)
                .where('e.client_address', '=', refusal.client_address)
                .where((eb) => eb(eb.fn.coalesce('e.method', eb.val('')), '=', refusal.method ?? '')),
            ),
          ),
        ),
    )
    .execute()
}

export interface EventPage {
  readonly limit: number
  readonly before?: string | undefined
}

/** Newest first. Empty if `before` belongs to another account. */
export async function listEvents(
  db: Db,
  identityId: string,
  { limit, before }: EventPage,
): Promise<StoredEvent[]> {
  let query = db
    .selectFrom('events')
    .selectAll()
    .where('identity_id', '=', identityId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (before !== undefined) {
    const last = db
      .selectFrom('events')
      .select(['created_at', 'id'])
      .where((eb) => eb.and({ id: before, identity_id: identityId }))
    query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', last.$asTuple('created_at', 'id')))
  }
  return (await query.execute()).map(present)
}

export async function countSignIns(db: Db, from: string, until: string): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('created_at', '>=', from)
    .where('created_at', '<', until)
    .where('event', '=', 'sign_in')
    .where('outcome', '=', 'ok')
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

export const insertAdminCall = preparedInsert('identity_admin_calls')

/** Newest first. */
export async function listAdminCalls(
  db: Db,
  { limit, before }: { readonly limit: number; readonly before: readonly [string, string] | undefined },
): Promise<AdminCallsTable[]> {
  let query = db
    .selectFrom('identity_admin_calls')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (before) query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(...before)))
  return await query.execute()
}
