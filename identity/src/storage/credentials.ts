import type { Method } from '../wire/flow.ts'
import type { Json, JsonObject } from '../wire/identity.ts'
import type { UiText } from '../wire/text.ts'
import type { Db } from './db.ts'
import type { CredentialsTable } from './tables.ts'

/** What somebody can prove with. What `config` holds is the strategy's business. */
export interface Credential {
  readonly id: string
  readonly identity_id: string
  readonly type: string
  readonly config: JsonObject
  readonly identifiers: readonly string[]
  /** Grows with every change; a change names the one that it saw. */
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

/** One that a step has made; whose it is stands beside it. */
export interface NewCredential {
  readonly type: Method
  readonly identifiers: readonly string[]
  readonly config: JsonObject
}

/** A credential that this proof used up a part of: spent in the same way, if nobody else changed it meanwhile. */
export interface CredentialUse {
  readonly credential: Pick<Credential, 'id' | 'version'>
  /** What it holds afterwards. */
  readonly config: JsonObject
  /** For who came second. */
  readonly refusal: UiText
}

/** Stores a credential; `duplicate` when another one holds one of its identifiers. */
export async function insertCredential(db: Db, credential: Credential): Promise<'stored' | 'duplicate'> {
  const { identifiers, config, ...row } = credential
  await db
    .insertInto('credentials')
    .values({ ...row, config: JSON.stringify(config) })
    .execute()
  return await insertIdentifiers(db, credential, identifiers)
}

async function insertIdentifiers(
  db: Db,
  { id, identity_id, type }: Credential,
  identifiers: readonly string[],
): Promise<'stored' | 'duplicate'> {
  if (identifiers.length === 0) return 'stored'
  const stored = await db
    .insertInto('credential_identifiers')
    .values(identifiers.map((identifier) => ({ identifier, type, credential_id: id, identity_id })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('identifier')
    .execute()
  return stored.length === identifiers.length ? 'stored' : 'duplicate'
}

/** The credential of a type that an identifier belongs to. The identifier must be in its stored spelling. */
export async function findCredential(
  db: Db,
  type: string,
  identifier: string,
): Promise<Credential | undefined> {
  const row = await db
    .selectFrom('credential_identifiers')
    .innerJoin('credentials', 'credentials.id', 'credential_identifiers.credential_id')
    .selectAll('credentials')
    .where('credential_identifiers.type', '=', type)
    .where('credential_identifiers.identifier', '=', identifier)
    .executeTakeFirst()
  return row && toCredential(row, [identifier])
}

/** All credentials of somebody, with their identifiers. */
export async function listCredentials(db: Db, identityId: string): Promise<Credential[]> {
  const rows = await db
    .selectFrom('credentials')
    .selectAll()
    .where('identity_id', '=', identityId)
    .orderBy('created_at')
    .execute()
  const identifiers = await db
    .selectFrom('credential_identifiers')
    .select(['credential_id', 'identifier'])
    .where('identity_id', '=', identityId)
    .orderBy('identifier')
    .execute()
  return rows.map((row) =>
    toCredential(
      row,
      identifiers.filter((one) => one.credential_id === row.id).map((one) => one.identifier),
    ),
  )
}

/**
 * Replaces what a credential holds if nobody else did so since it was read; false when somebody did. What may be
 * used once only (a backup code, a TOTP step) is spent this way: of many at once one wins (SEC-04).
 */
export async function updateCredentialOnce(
  db: Db,
  credential: Pick<Credential, 'id' | 'version'>,
  config: JsonObject,
  now: string,
): Promise<boolean> {
  const result = await db
    .updateTable('credentials')
    .set({ config: JSON.stringify(config), version: credential.version + 1, updated_at: now })
    .where('id', '=', credential.id)
    .where('version', '=', credential.version)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** Replaces what a credential holds and by what it is found; `duplicate` as for a new one. */
export async function replaceCredential(
  db: Db,
  before: Credential,
  next: Pick<Credential, 'config' | 'identifiers'>,
  now: string,
): Promise<'stored' | 'duplicate'> {
  await db
    .updateTable('credentials')
    .set({ config: JSON.stringify(next.config), version: before.version + 1, updated_at: now })
    .where('id', '=', before.id)
    .execute()
  return await replaceIdentifiers(db, before, next.identifiers)
}

/** Changes by what a credential is found; `duplicate` when another one holds one of the new identifiers. */
export async function replaceIdentifiers(
  db: Db,
  credential: Credential,
  identifiers: readonly string[],
): Promise<'stored' | 'duplicate'> {
  const gone = credential.identifiers.filter((identifier) => !identifiers.includes(identifier))
  const added = identifiers.filter((identifier) => !credential.identifiers.includes(identifier))
  if (gone.length > 0) {
    await db
      .deleteFrom('credential_identifiers')
      .where('credential_id', '=', credential.id)
      .where('identifier', 'in', gone)
      .execute()
  }
  return await insertIdentifiers(db, credential, added)
}

/** Removes the credential of a type with its identifiers; nothing happens when there is none. */
export async function deleteCredential(db: Db, identityId: string, type: string): Promise<boolean> {
  const result = await db
    .deleteFrom('credentials')
    .where('identity_id', '=', identityId)
    .where('type', '=', type)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Replaces what a credential holds. */
export async function updateCredentialConfig(
  db: Db,
  id: string,
  config: Readonly<Record<string, Json>>,
  now: string,
): Promise<void> {
  await db
    .updateTable('credentials')
    .set({ config: JSON.stringify(config), updated_at: now })
    .where('id', '=', id)
    .execute()
}

function toCredential(row: CredentialsTable, identifiers: readonly string[]): Credential {
  return { ...row, config: JSON.parse(row.config) as JsonObject, identifiers }
}
