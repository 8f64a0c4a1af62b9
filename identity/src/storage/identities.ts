import type { Json, JsonObject } from '../wire/identity.ts'
import { isReserved } from './address-changes.ts'
import type { Db } from './db.ts'
import { isDuplicate } from './duplicate.ts'
import type { Places } from './prepared.ts'
import { prepared } from './prepared.ts'
import type { AddressesTable, IdentitiesTable } from './tables.ts'

/** An address of an identity, for verification or recovery. */
export type Address = Readonly<Omit<AddressesTable, 'identity_id' | 'verified_at'>> & {
  readonly verified_at?: string
}

/** An identity with its addresses, without credentials. */
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

/** Stores an identity with its addresses; returns `duplicate` if another identity has one of them. */
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

/** Adds addresses; returns `duplicate` if another identity has one of them. */
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
 * Locks an identity until the transaction ends. Values derived from several rows, such as `available_aal`, would
 * otherwise be computed from a partial change.
 */
export async function lockIdentity(db: Db, id: string): Promise<void> {
  await db
    .updateTable('identities')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .execute()
}

/**
 * Stores an identity's own columns; its addresses are unchanged. Returns `duplicate` if another identity has its
 * external id: the transaction has failed then.
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

/** Deletes addresses with the codes that were sent to them. */
export async function deleteAddresses(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('addresses').where('id', 'in', ids).execute()
}

/** The identity with its addresses. */
export async function findIdentity(db: Db, id: string): Promise<StoredIdentity | undefined> {
  const [first, ...more] = (await byId(db, { id })).rows
  return first && foldIdentity([first, ...more])
}

const byId = prepared((db, { id }: Places<Pick<IdentitiesTable, 'id'>>) => joined(db).where('i.id', '=', id))

/** By the operator's own id for the user. */
export async function findByExternalId(db: Db, externalId: string): Promise<StoredIdentity | undefined> {
  const row = await db
    .selectFrom('identities')
    .select('id')
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return row && (await findIdentity(db, row.id))
}

/** The columns of an address in a left join, where they must not hide those of the identity. */
export const JOINED_ADDRESS = [
  'a.id as a_id',
  'a.purpose as a_purpose',
  'a.via as a_via',
  'a.value as a_value',
  'a.status as a_status',
  'a.verified_at as a_verified_at',
  'a.created_at as a_created_at',
  'a.updated_at as a_updated_at',
] as const

type Prefixed<Row> = { readonly [Name in keyof Row & string as `a_${Name}`]: Row[Name] | null }

/** An identity's row beside one of its addresses, or beside none. */
export type JoinedIdentity = IdentitiesTable & Prefixed<Omit<AddressesTable, 'identity_id'>>

/** The identity of the rows of a left join with its addresses. */
export function foldIdentity(rows: readonly [JoinedIdentity, ...JoinedIdentity[]]): StoredIdentity {
  const [first] = rows
  return toIdentity(first, rows.filter((row) => row.a_id !== null).map(toAddressRow))
}

function toAddressRow(row: JoinedIdentity): AddressesTable {
  return {
    id: row.a_id,
    identity_id: row.id,
    purpose: row.a_purpose,
    via: row.a_via,
    value: row.a_value,
    status: row.a_status,
    verified_at: row.a_verified_at,
    created_at: row.a_created_at,
    updated_at: row.a_updated_at,
  } as AddressesTable
}

/** Identities with their addresses, by ascending id. */
export async function findIdentities(db: Db, ids: readonly string[]): Promise<StoredIdentity[]> {
  if (ids.length === 0) return []
  const rows = await joined(db).where('i.id', 'in', ids).execute()
  const byId = new Map<string, [JoinedIdentity, ...JoinedIdentity[]]>()
  for (const row of rows) {
    const before = byId.get(row.id)
    if (before) before.push(row)
    else byId.set(row.id, [row])
  }
  return [...byId.values()].map(foldIdentity)
}

function joined(db: Db) {
  return db
    .selectFrom('identities as i')
    .leftJoin('addresses as a', 'a.identity_id', 'i.id')
    .selectAll('i')
    .select(JOINED_ADDRESS)
    .orderBy('i.id')
    .orderBy('a.created_at')
    .orderBy('a.value')
}

/** Deletes an identity and everything that belongs to it; returns false if there is none. */
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

/** Records that a code was sent to an address; a verified address stays verified. */
export async function markAddressSent(db: Db, id: string, now: string): Promise<void> {
  await db.updateTable('addresses').set({ status: 'sent', updated_at: now }).where('id', '=', id).execute()
}

/** Records that the user verified an address. */
export async function markAddressVerified(db: Db, id: string, now: string): Promise<void> {
  await db
    .updateTable('addresses')
    .set({ status: 'completed', verified_at: now, updated_at: now })
    .where('id', '=', id)
    .execute()
}

/** Sets an address's status as an operator says. */
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

/** Converts a row; `addresses` in display order. */
function toIdentity(row: IdentitiesTable, addresses: readonly AddressesTable[]): StoredIdentity {
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
