import type { Insertable } from 'kysely'
import type { Json } from '../../wire/identity.ts'
import type { Db } from '../db.ts'
import { type AddressChangesTable, type Present, present } from '../tables.ts'

export interface AddressChange extends Omit<Present<AddressChangesTable>, 'trait' | 'before' | 'after'> {
  /** Path in the identity, such as `['traits', 'email']`. */
  readonly trait: readonly string[]
  readonly before: Json | undefined
  readonly after: Json
}

/** Call inside a transaction. */
export async function replacePendingChange(db: Db, change: AddressChange): Promise<void> {
  await deletePendingChanges(db, change.identity_id)
  await insertAddressChange(db, change)
}

export async function findPendingChange(
  db: Db,
  identityId: string,
  now: string,
): Promise<AddressChange | undefined> {
  const row = await live(db, now)
    .selectAll()
    .where((eb) => eb.and({ identity_id: identityId, done_at: null }))
    .executeTakeFirst()
  return row && toChange(row)
}

function live(db: Db, now: string) {
  return db.selectFrom('address_changes').where('expires_at', '>', now)
}

/** Not yet confirmed, or still to be undone. */
export async function listAddressChanges(db: Db, identityId: string) {
  const rows = await db
    .selectFrom('address_changes')
    .select(['address', 'old_address', 'created_at', 'done_at', 'expires_at'])
    .where('identity_id', '=', identityId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => present(row))
}

/** The last moment in which the owner of a replaced address can restore it. */
export async function findUndoEnd(db: Db, identityId: string, now: string): Promise<string | undefined> {
  const row = await live(db, now)
    .select('expires_at')
    .where('identity_id', '=', identityId)
    .where('done_at', 'is not', null)
    .orderBy('expires_at', 'desc')
    .executeTakeFirst()
  return row?.expires_at
}

export async function findAddressChange(db: Db, id: string, now: string): Promise<AddressChange | undefined> {
  const row = await live(db, now).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toChange(row)
}

export async function insertAddressChange(db: Db, change: AddressChange): Promise<void> {
  await db.insertInto('address_changes').values(toRow(change)).execute()
}

export async function deletePendingChanges(db: Db, identityId: string): Promise<void> {
  await db
    .deleteFrom('address_changes')
    .where((eb) => eb.and({ identity_id: identityId, done_at: null }))
    .execute()
}

/** Also deletes later changes, so that an attacker cannot undo the undo. Returns the removed addresses. */
export async function deleteChangesSince(
  db: Db,
  { identity_id, created_at }: AddressChange,
): Promise<string[]> {
  const gone = await db
    .deleteFrom('address_changes')
    .where('identity_id', '=', identity_id)
    .where('created_at', '>=', created_at)
    .returning(['old_address', 'created_at'])
    .execute()
  return gone.flatMap((one) => (one.created_at === created_at && one.old_address ? [one.old_address] : []))
}

/** Whether another identity can still restore one of these addresses. */
export async function isReserved(
  db: Db,
  identityId: string,
  addresses: readonly string[],
  now: string,
): Promise<boolean> {
  if (addresses.length === 0) return false
  const row = await live(db, now)
    .select('id')
    .where('old_address', 'in', addresses)
    .where('done_at', 'is not', null)
    .where('identity_id', '!=', identityId)
    .executeTakeFirst()
  return row !== undefined
}

function toRow({ trait, before, after, ...change }: AddressChange): Insertable<AddressChangesTable> {
  return {
    ...change,
    trait: JSON.stringify(trait),
    before: before === undefined ? null : JSON.stringify(before),
    after: JSON.stringify(after),
  }
}

function toChange({ trait, before, after, ...row }: AddressChangesTable): AddressChange {
  return {
    ...present(row),
    trait: JSON.parse(trait) as string[],
    before: before === null ? undefined : (JSON.parse(before) as Json),
    after: JSON.parse(after) as Json,
  }
}
