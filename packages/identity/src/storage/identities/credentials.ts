import type { Method } from '../../wire/flow.ts'
import type { JsonObject } from '../../wire/identity.ts'
import type { Db } from '../db.ts'
import { countChanged } from '../durability.ts'
import { type Places, prepared, preparedInsert } from '../prepared.ts'
import type { CredentialIdentifiersTable, CredentialsTable, IdentitiesTable } from '../tables.ts'

/** Only the strategy interprets `config`. */
export interface Credential extends Readonly<Omit<CredentialsTable, 'config'>> {
  readonly config: JsonObject
  readonly identifiers: readonly string[]
}

/** As a proof reads it. */
export interface HeldCredential extends Credential {
  readonly sign_in_epoch: number
}

export interface FoundCredential extends HeldCredential {
  readonly proven: boolean
}

export interface NewCredential {
  readonly type: Method
  readonly identifiers: readonly string[]
  readonly config: JsonObject
}

/** `duplicate`: another account has an identifier or address. Roll back. */
export type StoreResult = 'stored' | 'duplicate'

/** A removed and added credential has another `created_at`. */
export type CredentialVersion = Pick<Credential, 'identity_id' | 'type' | 'version' | 'created_at'>

export async function insertCredentials(db: Db, credentials: readonly Credential[]): Promise<StoreResult> {
  if (credentials.length === 0) return 'stored'
  const rows = credentials.map(({ identifiers: _, config, ...row }) => ({
    ...row,
    config: JSON.stringify(config),
  }))
  await insertQuery(db, rows)
  return await insertIdentifiers(db, credentials)
}

const insertQuery = preparedInsert('credentials')

async function insertIdentifiers(db: Db, credentials: readonly Credential[]): Promise<StoreResult> {
  const rows = credentials.flatMap(({ identity_id, type, identifiers }) =>
    identifiers.map((identifier) => ({ identifier, type, identity_id })),
  )
  if (rows.length === 0) return 'stored'
  const { numAffectedRows } = await insertIdentifiersQuery(db, rows)
  return Number(numAffectedRows) === rows.length ? 'stored' : 'duplicate'
}

const insertIdentifiersQuery = preparedInsert('credential_identifiers', { ignoresConflicts: true })

/** Expects a normalised identifier. */
export async function findCredential(
  db: Db,
  type: string,
  identifier: string,
): Promise<FoundCredential | undefined> {
  const [row] = (await findByIdentifierQuery(db, { type, identifier })).rows
  if (!row) return undefined
  const { proven_at, ...credential } = row
  return { ...toHeld(credential, [identifier]), proven: proven_at !== null }
}

const findByIdentifierQuery = prepared(
  (db, { type, identifier }: Places<Pick<CredentialIdentifiersTable, 'type' | 'identifier'>>) =>
    db
      .selectFrom('credential_identifiers')
      .innerJoin('credentials', (join) =>
        join
          .onRef('credentials.identity_id', '=', 'credential_identifiers.identity_id')
          .onRef('credentials.type', '=', 'credential_identifiers.type'),
      )
      .innerJoin('identities', 'identities.id', 'credentials.identity_id')
      .selectAll('credentials')
      .select([
        'sign_in_epoch',
        ({ selectFrom }) =>
          selectFrom('addresses')
            .select(({ fn }) => fn.max('verified_at').as('at'))
            .whereRef('addresses.identity_id', '=', 'credentials.identity_id')
            .as('proven_at'),
      ])
      .where('credential_identifiers.type', '=', type)
      .where('credential_identifiers.identifier', '=', identifier),
)

export async function listCredentials(db: Db, identityId: string): Promise<HeldCredential[]> {
  const rows = await db
    .selectFrom('credentials as c')
    .innerJoin('identities', 'identities.id', 'c.identity_id')
    .leftJoin('credential_identifiers as i', (join) =>
      join.onRef('i.identity_id', '=', 'c.identity_id').onRef('i.type', '=', 'c.type'),
    )
    .selectAll('c')
    .select(['i.identifier', 'sign_in_epoch'])
    .where('c.identity_id', '=', identityId)
    .orderBy('c.created_at')
    .orderBy('i.identifier')
    .execute()
  const byId = new Map<string, HeldCredential & { readonly identifiers: string[] }>()
  for (const { identifier, ...row } of rows) {
    const credential = byId.get(row.type) ?? { ...toHeld(row, []), identifiers: [] }
    if (identifier !== null) credential.identifiers.push(identifier)
    byId.set(row.type, credential)
  }
  return [...byId.values()]
}

/**
 * False if the credential changed since it was read, so only one request consumes a backup code or
 * TOTP step (SEC-04).
 */
export async function updateCredentialOnce(
  db: Db,
  { identity_id, type, version, created_at }: CredentialVersion,
  config: JsonObject,
  now: string,
): Promise<boolean> {
  const update = db
    .updateTable('credentials')
    .set({ config: JSON.stringify(config), version: version + 1, updated_at: now })
    .where((eb) => eb.and({ identity_id, type, version, created_at }))
  return (await countChanged(db, update)) > 0
}

export async function replaceCredential(
  db: Db,
  previousCredential: Credential,
  next: Pick<Credential, 'config' | 'identifiers'>,
  now: string,
): Promise<StoreResult> {
  await db
    .updateTable('credentials')
    .set({ config: JSON.stringify(next.config), version: previousCredential.version + 1, updated_at: now })
    .where((eb) => eb.and({ identity_id: previousCredential.identity_id, type: previousCredential.type }))
    .execute()
  return await replaceIdentifiers(db, previousCredential, next.identifiers)
}

export async function replaceIdentifiers(
  db: Db,
  credential: Credential,
  identifiers: readonly string[],
): Promise<StoreResult> {
  const goneIdentifiers = credential.identifiers.filter((identifier) => !identifiers.includes(identifier))
  const addedIdentifiers = identifiers.filter((identifier) => !credential.identifiers.includes(identifier))
  if (goneIdentifiers.length > 0) {
    await db
      .deleteFrom('credential_identifiers')
      .where('identity_id', '=', credential.identity_id)
      .where('type', '=', credential.type)
      .where('identifier', 'in', goneIdentifiers)
      .execute()
  }
  return await insertIdentifiers(db, [{ ...credential, identifiers: addedIdentifiers }])
}

export async function deleteCredential(db: Db, identityId: string, type: string): Promise<boolean> {
  const deletion = db.deleteFrom('credentials').where((eb) => eb.and({ identity_id: identityId, type }))
  return (await countChanged(db, deletion)) > 0
}

/** Stores an equivalent `config`, unless the credential changed since. */
export async function updateCredentialConfig(
  db: Db,
  { identity_id, type, version, created_at }: CredentialVersion,
  config: JsonObject,
  now: string,
): Promise<void> {
  await db
    .updateTable('credentials')
    .set({ config: JSON.stringify(config), updated_at: now })
    .where((eb) => eb.and({ identity_id, type, version, created_at }))
    .execute()
}

type HeldRow = CredentialsTable & Pick<IdentitiesTable, 'sign_in_epoch'>

function toHeld({ sign_in_epoch = 0, ...row }: HeldRow, identifiers: readonly string[]): HeldCredential {
  return { ...row, sign_in_epoch, config: JSON.parse(row.config) as JsonObject, identifiers }
}
