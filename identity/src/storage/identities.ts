import { sql } from 'kysely'
import type { Json, JsonObject } from '../wire/identity.ts'
import { isReserved } from './address-changes.ts'
import type { Db } from './db.ts'
import { isDuplicate } from './postgres-errors.ts'
import type { AddressesTable, IdentitiesTable } from './tables.ts'

/** Where somebody can be reached, for proving it or for recovery. */
export type Address = Readonly<Omit<AddressesTable, 'identity_id' | 'verified_at'>> & {
  readonly verified_at?: string
}

/** A person's account with its addresses, without credentials. */
export interface StoredIdentity {
  readonly id: string
  readonly schema_id: string
  readonly traits: JsonObject
  readonly metadata_public: Json
  readonly metadata_admin: Json
  readonly state: 'active' | 'inactive'
  readonly state_changed_at?: string
  readonly external_id?: string
  readonly available_aal: 'aal1' | 'aal2'
  readonly created_at: string
  readonly updated_at: string
  readonly addresses: readonly Address[]
}

/** Stores an identity with its addresses; `duplicate` when one of them belongs to somebody else. */
export async function insertIdentity(db: Db, identity: StoredIdentity): Promise<'stored' | 'duplicate'> {
  const stored = await db
    .insertInto('identities')
    .values(toRow(identity))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  if (stored.length === 0) return 'duplicate'
  return await insertAddresses(db, identity.id, identity.addresses)
}

/** Adds addresses; `duplicate` when one of them belongs to somebody else. */
export async function insertAddresses(
  db: Db,
  identityId: string,
  addresses: readonly Address[],
): Promise<'stored' | 'duplicate'> {
  const [first] = addresses
  if (!first) return 'stored'
  const values = addresses.map(({ value }) => value)
  // An attacker who changed a victim's address must not register the old one to prevent the undo.
  if (await isReserved(db, identityId, values, first.created_at)) return 'duplicate'
  const rows = addresses.map((address) => ({
    ...address,
    identity_id: identityId,
    verified_at: address.verified_at ?? null,
  }))
  const stored = await db
    .insertInto('addresses')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return stored.length === rows.length ? 'stored' : 'duplicate'
}

/**
 * Lets nobody else change somebody until the transaction ends: what follows from several rows, such as the level that
 * credentials allow, must not be counted from half of them.
 */
export async function lockIdentity(db: Db, id: string): Promise<void> {
  await db
    .updateTable('identities')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .execute()
}

/**
 * Stores what changed of an identity; its addresses are left as they are. `duplicate` when its external id was given
 * to somebody else at the same time: the transaction is over then.
 */
export async function updateIdentityRow(db: Db, identity: StoredIdentity): Promise<'stored' | 'duplicate'> {
  const { id, created_at: _, ...row } = toRow(identity)
  try {
    await db.updateTable('identities').set(row).where('id', '=', id).execute()
    return 'stored'
  } catch (error) {
    if (isDuplicate(error)) return 'duplicate'
    throw error
  }
}

/** Removes addresses, and with them the codes that were sent to them. */
export async function deleteAddresses(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('addresses').where('id', 'in', ids).execute()
}

/** The identity with its addresses. */
export async function findIdentity(db: Db, id: string): Promise<StoredIdentity | undefined> {
  return (await identitiesWhere(db, [id]))[0]
}

/** By the name that an operator's own system gives somebody. */
export async function findByExternalId(db: Db, externalId: string): Promise<StoredIdentity | undefined> {
  const row = await db
    .selectFrom('identities')
    .select('id')
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return row && (await findIdentity(db, row.id))
}

async function identitiesWhere(db: Db, ids: readonly string[]): Promise<StoredIdentity[]> {
  const rows = await db.selectFrom('identities').selectAll().where('id', 'in', ids).orderBy('id').execute()
  const addresses = await db
    .selectFrom('addresses')
    .selectAll()
    .where('identity_id', 'in', ids)
    .orderBy('created_at')
    .orderBy('value')
    .execute()
  return rows.map((row) =>
    toIdentity(
      row,
      addresses.filter((address) => address.identity_id === row.id),
    ),
  )
}

export interface IdentityFilter {
  readonly ids?: readonly string[]
  /** Of a credential of any type, in its stored spelling. */
  readonly credentials_identifier?: string
  /** A part of it. */
  readonly similar_identifier?: string
}

/** A page of identities by ascending id, beginning behind `after`. */
export async function listIdentities(
  db: Db,
  filter: IdentityFilter,
  page: { readonly limit: number; readonly after?: string; readonly offset?: number },
): Promise<StoredIdentity[]> {
  if (filter.ids?.length === 0) return []
  let query = filtered(db, filter).select('id').orderBy('id').limit(page.limit)
  if (page.offset !== undefined) query = query.offset(page.offset)
  if (page.after !== undefined) query = query.where('id', '>', page.after)
  const found = (await query.execute()).map((row) => row.id)
  return found.length === 0 ? [] : await identitiesWhere(db, found)
}

/** How many the filter matches, whatever the page. */
export async function countIdentities(db: Db, filter: IdentityFilter): Promise<number> {
  if (filter.ids?.length === 0) return 0
  const row = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

function filtered(db: Db, { ids, credentials_identifier, similar_identifier }: IdentityFilter) {
  let query = db.selectFrom('identities')
  if (ids) query = query.where('id', 'in', ids)
  if (credentials_identifier !== undefined) {
    query = query.where('id', 'in', (eb) =>
      eb
        .selectFrom('credential_identifiers')
        .select('identity_id')
        .where('identifier', '=', credentials_identifier),
    )
  }
  if (similar_identifier !== undefined) {
    const anywhere = `%${similar_identifier.replaceAll(/[%_\\]/g, (character) => `\\${character}`)}%`
    query = query.where('id', 'in', (eb) =>
      eb
        .selectFrom('credential_identifiers')
        .select('identity_id')
        .where(sql<boolean>`identifier like ${anywhere} escape '\\'`),
    )
  }
  return query
}

/** Removes somebody with everything of theirs; false when there was nobody. */
export async function deleteIdentity(db: Db, id: string): Promise<boolean> {
  const result = await db.deleteFrom('identities').where('id', '=', id).executeTakeFirst()
  return result.numDeletedRows === 1n
}

/** The address of this kind and spelling, with its owner. */
export async function findAddress(
  db: Db,
  purpose: AddressesTable['purpose'],
  via: AddressesTable['via'],
  value: string,
): Promise<(Address & { readonly identity_id: string }) | undefined> {
  const row = await db
    .selectFrom('addresses')
    .selectAll()
    .where('purpose', '=', purpose)
    .where('via', '=', via)
    .where('value', '=', value)
    .executeTakeFirst()
  return row && { ...toAddress(row), identity_id: row.identity_id }
}

/** Remembers that a code is on its way to an address; what was proven stays proven. */
export async function markAddressSent(db: Db, id: string, now: string): Promise<void> {
  await db.updateTable('addresses').set({ status: 'sent', updated_at: now }).where('id', '=', id).execute()
}

/** Remembers that somebody proved that an address is theirs. */
export async function markAddressVerified(db: Db, id: string, now: string): Promise<void> {
  await db
    .updateTable('addresses')
    .set({ status: 'completed', verified_at: now, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Remembers what an operator knows of an address. */
export async function markAddress(db: Db, id: string, verified: boolean, now: string): Promise<void> {
  const set = verified
    ? ({ status: 'completed', verified_at: now } as const)
    : ({ status: 'pending', verified_at: null } as const)
  await db
    .updateTable('addresses')
    .set({ ...set, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Row → identity; `addresses` in the order in which they shall show. */
export function toIdentity(row: IdentitiesTable, addresses: readonly AddressesTable[]): StoredIdentity {
  return {
    id: row.id,
    schema_id: row.schema_id,
    traits: JSON.parse(row.traits) as JsonObject,
    metadata_public: parsed(row.metadata_public),
    metadata_admin: parsed(row.metadata_admin),
    state: row.state,
    ...(row.state_changed_at === null ? {} : { state_changed_at: row.state_changed_at }),
    ...(row.external_id === null ? {} : { external_id: row.external_id }),
    available_aal: row.available_aal,
    created_at: row.created_at,
    updated_at: row.updated_at,
    addresses: addresses.map(toAddress),
  }
}

function toRow({ addresses: _, ...identity }: StoredIdentity): IdentitiesTable {
  return {
    ...identity,
    traits: JSON.stringify(identity.traits),
    metadata_public: text(identity.metadata_public),
    metadata_admin: text(identity.metadata_admin),
    state_changed_at: identity.state_changed_at ?? null,
    external_id: identity.external_id ?? null,
  }
}

function toAddress({ identity_id: _, verified_at, ...address }: AddressesTable): Address {
  return { ...address, ...(verified_at === null ? {} : { verified_at }) }
}

const parsed = (value: string | null): Json => (value === null ? null : (JSON.parse(value) as Json))
const text = (value: Json): string | null => (value === null ? null : JSON.stringify(value))
