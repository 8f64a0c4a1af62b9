import type { Method } from '../../wire/flow.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { UiText } from '../../wire/text.ts'
import type { Db } from '../db.ts'
import type { Places } from '../prepared.ts'
import { prepared, preparedInsert, preparedRows } from '../prepared.ts'
import type { CredentialIdentifiersTable, CredentialsTable } from '../tables.ts'

/** A stored credential. Only its strategy interprets `config`. */
export interface Credential {
  readonly id: string
  readonly identity_id: string
  readonly type: string
  readonly config: JsonObject
  readonly identifiers: readonly string[]
  /** Increases with every change. An update names the version that it read. */
  readonly version: number
  readonly created_at: string
  readonly updated_at: string
}

/** A credential that an identifier led to. */
export interface FoundCredential extends Credential {
  /** Whether its identity has a verified address. */
  readonly proven: boolean
}

/** A credential that a step has created for an identity that the caller names. */
export interface NewCredential {
  readonly type: Method
  readonly identifiers: readonly string[]
  readonly config: JsonObject
}

/** A use of a credential that changes it (a backup code, a TOTP step); fails if it changed concurrently. */
export interface CredentialUse {
  readonly credential: Pick<Credential, 'id' | 'version'>
  /** The `config` after the use. */
  readonly config: JsonObject
  /** The error for the loser of a race. */
  readonly refusal: UiText
}

/** Stores credentials; returns `duplicate` if another one has one of their identifiers. */
export async function insertCredentials(
  db: Db,
  credentials: readonly Credential[],
): Promise<'stored' | 'duplicate'> {
  if (credentials.length === 0) return 'stored'
  const rows = credentials.map(({ identifiers: _, config, ...row }) => ({
    ...row,
    config: JSON.stringify(config),
  }))
  await insertQuery(db, rows)
  return await insertIdentifiers(db, credentials)
}

const insertQuery = preparedInsert('credentials')

async function insertIdentifiers(
  db: Db,
  credentials: readonly Credential[],
): Promise<'stored' | 'duplicate'> {
  const rows = credentials.flatMap(({ id, identity_id, type, identifiers }) =>
    identifiers.map((identifier) => ({ identifier, type, credential_id: id, identity_id })),
  )
  if (rows.length === 0) return 'stored'
  const stored = await insertIdentifiersQuery(db, rows)
  return stored.rows.length === rows.length ? 'stored' : 'duplicate'
}

const insertIdentifiersQuery = preparedRows((db, rows: readonly Places<CredentialIdentifiersTable>[]) =>
  db
    .insertInto('credential_identifiers')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('identifier'),
)

/** The credential of a type with an identifier, which must be in its normalised spelling. */
export async function findCredential(
  db: Db,
  type: string,
  identifier: string,
): Promise<FoundCredential | undefined> {
  const [row] = (await findByIdentifierQuery(db, { type, identifier })).rows
  if (!row) return undefined
  const { proven_at, ...credential } = row
  return { ...toCredential(credential, [identifier]), proven: proven_at !== null }
}

const findByIdentifierQuery = prepared(
  (db, { type, identifier }: Places<Pick<CredentialIdentifiersTable, 'type' | 'identifier'>>) =>
    db
      .selectFrom('credential_identifiers')
      .innerJoin('credentials', 'credentials.id', 'credential_identifiers.credential_id')
      .selectAll('credentials')
      .select(({ selectFrom }) =>
        selectFrom('addresses')
          .select(({ fn }) => fn.max('verified_at').as('at'))
          .whereRef('addresses.identity_id', '=', 'credentials.identity_id')
          .as('proven_at'),
      )
      .where('credential_identifiers.type', '=', type)
      .where('credential_identifiers.identifier', '=', identifier),
)

export async function listCredentials(db: Db, identityId: string): Promise<Credential[]> {
  const rows = await db
    .selectFrom('credentials as c')
    .leftJoin('credential_identifiers as i', 'i.credential_id', 'c.id')
    .selectAll('c')
    .select('i.identifier')
    .where('c.identity_id', '=', identityId)
    .orderBy('c.created_at')
    .orderBy('i.identifier')
    .execute()
  const found = new Map<string, Credential & { readonly identifiers: string[] }>()
  for (const { identifier, ...row } of rows) {
    const credential = found.get(row.id) ?? { ...toCredential(row, []), identifiers: [] }
    if (identifier !== null) credential.identifiers.push(identifier)
    found.set(row.id, credential)
  }
  return [...found.values()]
}

/**
 * Replaces `config` if the credential is still at the version that was read; otherwise returns false. Single-use parts
 * (a backup code, a TOTP step) are consumed this way: of concurrent requests only one succeeds (SEC-04).
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

/** Replaces `config` and the identifiers; returns `duplicate` as `insertCredentials` does. */
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

/** Replaces the identifiers; returns `duplicate` if another credential has one of them. */
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
  return await insertIdentifiers(db, [{ ...credential, identifiers: added }])
}

/** Deletes the credential of a type with its identifiers; returns false if there is none. */
export async function deleteCredential(db: Db, identityId: string, type: string): Promise<boolean> {
  const result = await db
    .deleteFrom('credentials')
    .where('identity_id', '=', identityId)
    .where('type', '=', type)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Replaces `config` by one that means the same, unless the credential changed since it was read. */
export async function updateCredentialConfig(
  db: Db,
  { id, version }: Pick<Credential, 'id' | 'version'>,
  config: JsonObject,
  now: string,
): Promise<void> {
  await db
    .updateTable('credentials')
    .set({ config: JSON.stringify(config), updated_at: now })
    .where('id', '=', id)
    .where('version', '=', version)
    .execute()
}

function toCredential(row: CredentialsTable, identifiers: readonly string[]): Credential {
  return { ...row, config: JSON.parse(row.config) as JsonObject, identifiers }
}
