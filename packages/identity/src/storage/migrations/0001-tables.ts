import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { isPostgres } from '../database.ts'

type Schema = Kysely<unknown>
type Table = CreateTableBuilder<string, string>
type Type = 'uuid' | 'timestamptz(3)' | 'integer' | 'double precision' | 'text'

/**
 * On SQLite, `uuid` and `timestamptz` are text. Fixed-width columns come first, because PostgreSQL
 * aligns them.
 */
export const firstTables: Migration = {
  async up(db) {
    await createIdentities(db)
    await createCredentials(db)
    await createAddresses(db)
    await createSessions(db)
    await createFlows(db)
    await createLimits(db)
    await createMessages(db)
    await createEvents(db)
    await createErrorsAndKeys(db)
    await createProcesses(db)
  },
}

async function createIdentities(db: Schema): Promise<void> {
  await table(db, 'identities')
    .$call(times('created_at updated_at state_changed_at? devices_forgotten_at?'))
    // See `IdentitiesTable`.
    .addColumn('sign_in_epoch', 'integer', (c) => c.notNull().defaultTo(0))
    .$call(texts('schema_id traits metadata_public? metadata_admin? state available_aal'))
    .$call(texts('external_id? organization_id?'))
    .execute()
  await db.schema
    .createIndex('identities_by_external_id')
    .unique()
    .on('identities')
    .column('external_id')
    .where('external_id', 'is not', null)
    .execute()
  await db.schema
    .createIndex('identities_by_organization_id')
    .on('identities')
    .column('organization_id')
    .where('organization_id', 'is not', null)
    .execute()
  await db.schema
    .createIndex('identities_inactive')
    .on('identities')
    .column('id')
    .where(sql.ref('state'), '=', sql.lit('inactive'))
    .execute()
  // Lists the newest or oldest accounts without sorting all of them.
  await index(db, 'identities', 'created_at id')
  // Another service's account (`imported_at`) is unproven like a registered one, but is not deleted for that.
  await ownedOnce(db, 'sign_ups').$call(times('proven_at? imported_at?')).$call(texts('browsers')).execute()
  await ownedOnce(db, 'account_deletions').$call(times('requested_at due_at')).execute()
  await index(db, 'account_deletions', 'due_at')
}

async function createCredentials(db: Schema): Promise<void> {
  await owned(db.schema.createTable('credentials'))
    .$call(times('created_at updated_at'))
    .$call(columns('integer', 'version'))
    .$call(texts('type config'))
    .addPrimaryKeyConstraint('credentials_key', ['identity_id', 'type'])
    .$call(inKeyOrder(db))
    .execute()
  await db.schema
    .createTable('credential_identifiers')
    .$call(columns('uuid', 'identity_id'))
    .$call(texts('type identifier'))
    .addPrimaryKeyConstraint('credential_identifiers_key', ['identifier', 'type'])
    .addForeignKeyConstraint(
      'credential_identifiers_credential',
      ['identity_id', 'type'],
      'credentials',
      ['identity_id', 'type'],
      (c) => c.onDelete('cascade'),
    )
    .$call(inKeyOrder(db))
    .execute()
  // For the operator's substring search, in page order.
  await index(db, 'credential_identifiers', 'identity_id identifier')
}

async function createAddresses(db: Schema): Promise<void> {
  await owned(table(db, 'addresses'))
    .$call(times('created_at updated_at verified_at?'))
    .$call(texts('purpose via value status'))
    .addUniqueConstraint('addresses_one_owner', ['purpose', 'via', 'value'])
    .execute()
  // For accounts without credentials.
  await index(db, 'addresses', 'identity_id value')
  await db.schema
    .createIndex('addresses_unverified')
    .on('addresses')
    .columns(['created_at', 'id'])
    .where(sql.ref('purpose'), '=', sql.lit('verification'))
    .where(sql.ref('status'), '!=', sql.lit('completed'))
    .execute()
  await owned(table(db, 'address_changes'))
    .$call(times('created_at expires_at done_at?'))
    .$call(texts('trait before? after via address old_address?'))
    .execute()
  for (const column of ['identity_id', 'old_address', 'expires_at'])
    await index(db, 'address_changes', column)
}

async function createSessions(db: Schema): Promise<void> {
  await owned(table(db, 'sessions'))
    .$call(times('issued_at authenticated_at expires_at revoked_at? last_active_at?'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .$call(texts('aal methods devices'))
    .execute()
  // Each sign-in looks up the user's oldest live sessions, among months of ended ones.
  await index(db, 'sessions', 'identity_id revoked_at issued_at')
  await index(db, 'sessions', 'expires_at')
  // For the operator's list of sessions.
  await db.schema
    .createIndex('sessions_by_issued_at_id')
    .on('sessions')
    .columns(['issued_at desc', 'id'])
    .execute()
  await table(db, 'session_exchanges')
    .addColumn('session_id', 'uuid', (c) => c.references('sessions.id').onDelete('cascade'))
    .$call(times('expires_at used_at?'))
    .$call(texts('init_code_hash return_to_code_hash token?'))
    .execute()
  for (const column of ['init_code_hash', 'session_id', 'expires_at'])
    await index(db, 'session_exchanges', column)
}

async function createFlows(db: Schema): Promise<void> {
  await table(db, 'flows')
    .addColumn('identity_id', 'uuid', (c) => c.references('identities.id').onDelete('cascade'))
    .$call(times('expires_at'))
    .$call(columns('integer', 'version'))
    // `answer`: what a repeated submission gets again.
    .$call(texts('kind body answer?'))
    .execute()
  for (const column of ['expires_at', 'identity_id']) await index(db, 'flows', column)
  await table(db, 'codes')
    .addColumn('flow_id', 'uuid', (c) => c.notNull().references('flows.id').onDelete('cascade'))
    .addColumn('identity_id', 'uuid', (c) => c.references('identities.id').onDelete('cascade'))
    .addColumn('address_id', 'uuid', (c) => c.references('addresses.id').onDelete('cascade'))
    .$call(times('created_at expires_at used_at?'))
    .$call(texts('address secret_mac'))
    .execute()
  for (const column of ['flow_id', 'identity_id', 'address_id']) await index(db, 'codes', column)
}

/** Counting an attempt changes no index, so PostgreSQL can update the row within its page (HOT). */
async function createLimits(db: Schema): Promise<void> {
  await db.schema
    .createTable('limits')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .$call(columns('double precision', 'next_at until'))
    .$call(inKeyOrder(db))
    .execute()
  if (isPostgres(db)) await sql`alter table limits set (fillfactor = 70)`.execute(db)
}

async function createMessages(db: Schema): Promise<void> {
  await table(db, 'messages')
    // `identity_id` and `request_id` are for log lines.
    .$call(columns('uuid', 'identity_id?'))
    .$call(times('created_at updated_at due_at expires_at?'))
    .$call(columns('integer', 'send_count'))
    .$call(texts('status type template_type recipient subject body html template_data? request_id?'))
    .execute()
  await index(db, 'messages', 'status due_at')
  await index(db, 'messages', 'created_at id')
  await table(db, 'message_attempts')
    .addColumn('message_id', 'uuid', (c) => c.notNull().references('messages.id').onDelete('cascade'))
    .$call(times('created_at'))
    .$call(texts('status error?'))
    .execute()
  await index(db, 'message_attempts', 'message_id')
}

async function createEvents(db: Schema): Promise<void> {
  await owned(table(db, 'events'))
    .$call(times('created_at'))
    .$call(texts('event outcome method? aal? detail? client_address user_agent'))
    .execute()
  await index(db, 'events', 'identity_id created_at id')
  // Counting the sign-ins of a day reads an index only.
  await index(db, 'events', 'created_at event outcome')
  // Without references, so that calls outlive the accounts they deleted.
  await table(db, 'identity_admin_calls')
    .$call(columns('uuid', 'identity_id?'))
    .$call(times('created_at'))
    .$call(texts('operator? method outcome client_address request_id'))
    .execute()
  await index(db, 'identity_admin_calls', 'created_at id')
}

async function createErrorsAndKeys(db: Schema): Promise<void> {
  await table(db, 'errors').$call(times('created_at updated_at')).$call(texts('body')).execute()
  await index(db, 'errors', 'created_at')
  await table(db, 'signing_keys', 'text')
    .$call(times('created_at expires_at retired_at?'))
    .$call(texts('template private_jwk public_jwk'))
    .execute()
}

async function createProcesses(db: Schema): Promise<void> {
  await db.schema
    .createTable('installation')
    .addColumn('singleton', 'text', (c) => c.primaryKey())
    .$call(times('created_at heartbeat_at'))
    .$call(texts('id secrets?'))
    .execute()
  await table(db, 'replicas', 'text').$call(times('seen_at')).$call(texts('secrets')).execute()
}

function table(db: Schema, name: string, id: 'uuid' | 'text' = 'uuid'): Table {
  return db.schema.createTable(name).addColumn('id', id, (c) => c.primaryKey())
}

function ownedOnce(db: Schema, name: string): Table {
  return db.schema
    .createTable(name)
    .addColumn('identity_id', 'uuid', (c) => c.primaryKey().references('identities.id').onDelete('cascade'))
}

function owned(table: Table): Table {
  return table.addColumn('identity_id', 'uuid', (c) =>
    c.notNull().references('identities.id').onDelete('cascade'),
  )
}

/** On SQLite, so that a look-up by the key reads one tree instead of two. */
function inKeyOrder(db: Schema): (table: Table) => Table {
  return (table) => (isPostgres(db) ? table : table.modifyEnd(sql`without rowid`))
}

const times = (names: string) => columns('timestamptz(3)', names)
const texts = (names: string) => columns('text', names)

/** A trailing `?` allows null. */
function columns(type: Type, names: string): (table: Table) => Table {
  return (table) =>
    names
      .split(' ')
      .reduce(
        (table, name) =>
          name.endsWith('?')
            ? table.addColumn(name.slice(0, -1), type)
            : table.addColumn(name, type, (c) => c.notNull()),
        table,
      )
}

async function index(db: Schema, table: string, names: string): Promise<void> {
  const columns = names.split(' ')
  await db.schema
    .createIndex(`${table}_by_${columns.join('_')}`)
    .on(table)
    .columns(columns)
    .execute()
}
