import { type RawBuilder, sql } from 'kysely'
import type { Json, JsonObject } from '../../wire/identity.ts'
import { isPostgres } from '../database.ts'
import type { Db } from '../db.ts'
import { isDuplicate } from '../driver-errors.ts'
import { countChanged } from '../durability.ts'
import { asText, columnsOf, jsonFunctions, namedValues } from '../json-rows.ts'
import { type Places, prepared, preparedInsert } from '../prepared.ts'
import { type AddressesTable, type IdentitiesTable, type Present, present } from '../tables.ts'
import { isReserved } from './address-changes.ts'
import type { StoreResult } from './credentials.ts'

export type OwnedAddress = Present<AddressesTable>
export type Address = Omit<OwnedAddress, 'identity_id'>

export interface StoredIdentity extends Omit<Present<IdentityRow>, 'traits' | `metadata_${string}`> {
  readonly traits: JsonObject
  readonly metadata_public: Json
  readonly metadata_admin: Json
  readonly addresses: readonly Address[]
}

export async function insertIdentity(db: Db, identity: StoredIdentity): Promise<StoreResult> {
  const { numAffectedRows } = await insertQuery(db, [toRow(identity)])
  if (numAffectedRows === 0n) return 'duplicate'
  return await insertAddresses(db, identity.id, identity.addresses)
}

const insertQuery = preparedInsert('identities', { ignoresConflicts: true })

export async function insertAddresses(
  db: Db,
  identityId: string,
  addresses: readonly Address[],
): Promise<StoreResult> {
  const [first] = addresses
  if (!first) return 'stored'
  const rows = addresses.map((address) => ({ ...address, identity_id: identityId }))
  const { numAffectedRows } = await insertAddressesQuery(db, rows)
  if (Number(numAffectedRows) !== rows.length) return 'duplicate'
  const values = addresses.map(({ value }) => value)
  // An attacker who registers a victim's old address would block the undo. Inserting waits for a change under way.
  return (await isReserved(db, identityId, values, first.created_at)) ? 'duplicate' : 'stored'
}

const insertAddressesQuery = preparedInsert('addresses', { ignoresConflicts: true })

/**
 * Until the transaction ends, nothing else changes the account or issues a session for it. Call first, because
 * what was read before may be outdated.
 */
export async function lockIdentity(db: Db, id: string): Promise<void> {
  // A transaction on SQLite is the only writer.
  if (isPostgres(db)) await lockQuery(db, { id })
}

const lockQuery = prepared((db, { id }: Places<Pick<IdentitiesTable, 'id'>>) =>
  db.selectFrom('identities').select('id').where('id', '=', id).forNoKeyUpdate(),
)

/** Addresses cannot be verified until the transaction ends. */
export async function lockAddresses(db: Db, identityId: string): Promise<void> {
  await db
    .updateTable('addresses')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('identity_id', '=', identityId)
    .execute()
}

export async function forgetDevices(db: Db, id: string, now: string): Promise<void> {
  await db.updateTable('identities').set({ devices_forgotten_at: now }).where('id', '=', id).execute()
}

/** Milliseconds since 1970, or 0. */
export async function findDevicesForgotten(db: Db, id: string): Promise<number> {
  const [row] = (await devicesForgottenQuery(db, { id })).rows
  return row?.devices_forgotten_at ? Date.parse(row.devices_forgotten_at) : 0
}

const devicesForgottenQuery = prepared((db, { id }: Places<Pick<IdentitiesTable, 'id'>>) =>
  db.selectFrom('identities').select('devices_forgotten_at').where('id', '=', id),
)

/**
 * Leaves addresses unchanged. Returns `duplicate` for a taken external id; the transaction has then failed.
 */
export async function updateIdentityRow(db: Db, identity: StoredIdentity): Promise<StoreResult> {
  const { id, created_at: _, ...row } = toRow(identity)
  try {
    await db.updateTable('identities').set(row).where('id', '=', id).execute()
    return 'stored'
  } catch (error) {
    if (isDuplicate(error)) return 'duplicate'
    throw error
  }
}

/** Also deletes their codes. */
export async function deleteAddresses(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('addresses').where('id', 'in', ids).execute()
}

export async function findIdentity(db: Db, id: string): Promise<StoredIdentity | undefined> {
  const [row] = (await byIdQuery(db, { id })).rows
  return row && fromText(row)
}

const byIdQuery = prepared((db, { id }: Places<Pick<IdentitiesTable, 'id'>>) =>
  selectIdentities(db).where('i.id', '=', id),
)

export async function findByExternalId(db: Db, externalId: string): Promise<StoredIdentity | undefined> {
  const row = await db
    .selectFrom('identities')
    .select('id')
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return row && (await findIdentity(db, row.id))
}

const COLUMNS = [
  ...['id', 'schema_id', 'traits', 'metadata_public', 'metadata_admin', 'state', 'state_changed_at'],
  ...['external_id', 'organization_id', 'available_aal', 'created_at', 'updated_at'],
] as const
const ADDRESS_COLUMNS = [
  ...['id', 'identity_id', 'purpose', 'via', 'value', 'status', 'verified_at', 'created_at', 'updated_at'],
] as const

// Fails to compile if a column is missing above.
type IdentityRow = Pick<IdentitiesTable, (typeof COLUMNS)[number]>
type AddressRow = Pick<AddressesTable, (typeof ADDRESS_COLUMNS)[number]>

/** Identity `i` with its addresses as JSON. A join would repeat the identity for each address. */
export function wholeIdentity(db: Db): RawBuilder<unknown> {
  const { list, gather } = jsonFunctions(db)
  const addresses = sql`(select ${gather}(${list}(${columnsOf(db, 'a', ADDRESS_COLUMNS)}))
    from addresses as a where a.identity_id = i.id)`
  return sql`${list}(${list}(${columnsOf(db, 'i', COLUMNS)}), ${addresses})`
}

export function readIdentity([values, addresses]: WholeIdentity): StoredIdentity {
  const rows = (addresses ?? []).map((address) => namedValues<AddressRow>(ADDRESS_COLUMNS, address))
  return toIdentity(namedValues<IdentityRow>(COLUMNS, values), rows.sort(inDisplayOrder))
}

/** Sorted here, because a repeated result is parsed once but the database would sort each time. */
function inDisplayOrder(a: AddressRow, b: AddressRow): number {
  return compare(a.created_at, b.created_at) || compare(a.value, b.value) || compare(b.purpose, a.purpose)
}

/** Compares code units, independent of locale. */
function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}

/** PostgreSQL aggregates no addresses to null. */
export type WholeIdentity = readonly [values: readonly unknown[], addresses: readonly unknown[][] | null]

export async function findIdentities(db: Db, ids: readonly string[]): Promise<StoredIdentity[]> {
  if (ids.length === 0) return []
  const rows = await selectIdentities(db).where('i.id', 'in', ids).orderBy('i.id').execute()
  return rows.map(fromText)
}

function selectIdentities(db: Db) {
  return db.selectFrom('identities as i').select(asText(wholeIdentity(db)).as('text'))
}

function fromText({ text }: { readonly text: string }): StoredIdentity {
  return readIdentity(JSON.parse(text) as WholeIdentity)
}

export async function deleteIdentity(db: Db, id: string): Promise<boolean> {
  return (await countChanged(db, db.deleteFrom('identities').where('id', '=', id))) > 0
}

export async function findAddress(
  db: Db,
  purpose: AddressesTable['purpose'],
  via: AddressesTable['via'],
  value: string,
): Promise<OwnedAddress | undefined> {
  const row = await db
    .selectFrom('addresses')
    .selectAll()
    .where((eb) => eb.and({ purpose, via, value }))
    .executeTakeFirst()
  return row && present(row)
}

export const markAddressSent = prepared(
  (db, { id, now }: Places<{ readonly id: string; readonly now: string }>) =>
    db.updateTable('addresses').set({ status: 'sent', updated_at: now }).where('id', '=', id),
)

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

function toIdentity(row: IdentityRow, addresses: readonly AddressRow[]): StoredIdentity {
  return {
    ...present(row),
    traits: JSON.parse(row.traits) as JsonObject,
    metadata_public: parsed(row.metadata_public),
    metadata_admin: parsed(row.metadata_admin),
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
    organization_id: identity.organization_id ?? null,
  }
}

function toAddress({ identity_id: _, ...address }: AddressRow): Address {
  return present(address)
}

const parsed = (value: string | null): Json => (value === null ? null : (JSON.parse(value) as Json))
const text = (value: Json): string | null => (value === null ? null : JSON.stringify(value))
