import type { Kysely } from 'kysely'
import { type CreateTableBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

type Schema = Kysely<unknown>
type Table = CreateTableBuilder<string, string>

/** Only text, numbers and references, so that both databases share the statements. */
export const schema: Migration = {
  async up(db) {
    await createIdentities(db)
    await createCredentials(db)
    await createAddresses(db)
    await createSessions(db)
    await createFlows(db)
    await createMessages(db)
    await createEvents(db)
    await createErrorsAndKeys(db)
    await createProcesses(db)
  },
}

async function createIdentities(db: Schema): Promise<void> {
  await text(table(db, 'identities'), 'schema_id traits metadata_public? metadata_admin? state')
    .addColumn('state_changed_at', 'text')
    .addColumn('external_id', 'text', (c) => c.unique())
    .$call((t) => text(t, 'available_aal created_at updated_at devices_forgotten_at?'))
    .execute()
  await index(db, 'identities', 'created_at id')
  await text(ownedOnce(db, 'sign_ups'), 'browsers proven_at?').execute()
  await text(ownedOnce(db, 'account_deletions'), 'requested_at due_at').execute()
  await index(db, 'account_deletions', 'due_at')
}

async function createCredentials(db: Schema): Promise<void> {
  await text(owned(table(db, 'credentials')), 'type config')
    .addColumn('version', 'integer', (c) => c.notNull())
    .$call((t) => text(t, 'created_at updated_at'))
    .addUniqueConstraint('credentials_one_of_a_type', ['identity_id', 'type'])
    .execute()
  await text(owned(db.schema.createTable('credential_identifiers')), 'identifier type')
    .addColumn('credential_id', 'text', (c) => c.notNull().references('credentials.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('credential_identifiers_key', ['identifier', 'type'])
    .execute()
  await index(db, 'credential_identifiers', 'credential_id')
  // For the operator's substring search, in page order.
  await index(db, 'credential_identifiers', 'identity_id identifier')
}

async function createAddresses(db: Schema): Promise<void> {
  await text(owned(table(db, 'addresses')), 'purpose via value status verified_at? created_at updated_at')
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
  await text(
    owned(table(db, 'address_changes')),
    'trait before? after via address old_address? created_at done_at? expires_at',
  ).execute()
  for (const column of ['identity_id', 'old_address', 'expires_at'])
    await index(db, 'address_changes', column)
}

async function createSessions(db: Schema): Promise<void> {
  await owned(table(db, 'sessions'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .$call((t) => text(t, 'aal methods devices issued_at authenticated_at expires_at'))
    .$call((t) => text(t, 'revoked_at? last_active_at?'))
    .execute()
  await index(db, 'sessions', 'identity_id issued_at')
  await index(db, 'sessions', 'expires_at')
  // For the operator's list of sessions.
  await db.schema
    .createIndex('sessions_by_issued_at_id')
    .on('sessions')
    .columns(['issued_at desc', 'id'])
    .execute()
  // Each sign-in looks up the user's oldest live sessions, among months of ended ones.
  await db.schema
    .createIndex('sessions_by_identity_id_live')
    .on('sessions')
    .columns(['identity_id', 'issued_at'])
    .where(sql.ref('revoked_at'), 'is', null)
    .execute()
  await text(table(db, 'session_exchanges'), 'flow_id init_code_hash return_to_code_hash')
    .addColumn('session_id', 'text', (c) => c.references('sessions.id').onDelete('cascade'))
    .$call((t) => text(t, 'token? expires_at used_at?'))
    .execute()
  for (const column of ['flow_id', 'session_id', 'expires_at']) await index(db, 'session_exchanges', column)
}

async function createFlows(db: Schema): Promise<void> {
  await text(table(db, 'flows'), 'kind')
    .addColumn('identity_id', 'text', (c) => c.references('identities.id').onDelete('cascade'))
    .$call((t) => text(t, 'expires_at'))
    .addColumn('version', 'integer', (c) => c.notNull())
    .$call((t) => text(t, 'body'))
    .execute()
  await index(db, 'flows', 'expires_at')
  await index(db, 'flows', 'identity_id')
  await table(db, 'codes')
    .addColumn('flow_id', 'text', (c) => c.notNull().references('flows.id').onDelete('cascade'))
    .addColumn('identity_id', 'text', (c) => c.references('identities.id').onDelete('cascade'))
    .addColumn('address_id', 'text', (c) => c.references('addresses.id').onDelete('cascade'))
    .$call((t) => text(t, 'address secret_mac created_at expires_at used_at?'))
    .execute()
  for (const column of ['flow_id', 'identity_id', 'address_id']) await index(db, 'codes', column)
  await db.schema
    .createTable('limits')
    .addColumn('key', 'text', (c) => c.primaryKey())
    .addColumn('next_at', 'double precision', (c) => c.notNull())
    .addColumn('until', 'double precision', (c) => c.notNull())
    .execute()
  await index(db, 'limits', 'until')
}

async function createMessages(db: Schema): Promise<void> {
  await text(table(db, 'messages'), 'status type template_type recipient subject body html')
    .addColumn('send_count', 'integer', (c) => c.notNull())
    .$call((t) => text(t, 'due_at created_at updated_at expires_at? template_data?'))
    .execute()
  await index(db, 'messages', 'status due_at')
  await index(db, 'messages', 'created_at id')
  await table(db, 'message_attempts')
    .addColumn('message_id', 'text', (c) => c.notNull().references('messages.id').onDelete('cascade'))
    .$call((t) => text(t, 'status error? created_at'))
    .execute()
  await index(db, 'message_attempts', 'message_id')
}

async function createEvents(db: Schema): Promise<void> {
  await text(
    owned(table(db, 'events')),
    'event outcome method? aal? detail? client_address user_agent created_at',
  ).execute()
  await db.schema
    .createIndex('events_by_identity_id')
    .on('events')
    .columns(['identity_id', 'created_at', 'id'])
    .execute()
  await index(db, 'events', 'created_at')
}

async function createErrorsAndKeys(db: Schema): Promise<void> {
  await text(table(db, 'errors'), 'body created_at updated_at').execute()
  await index(db, 'errors', 'created_at')
  await text(
    table(db, 'signing_keys'),
    'template private_jwk public_jwk created_at retired_at? expires_at',
  ).execute()
}

async function createProcesses(db: Schema): Promise<void> {
  await db.schema
    .createTable('installation')
    .addColumn('singleton', 'text', (c) => c.primaryKey())
    .$call((t) => text(t, 'id created_at heartbeat_at secrets?'))
    .execute()
  await text(table(db, 'replicas'), 'secrets seen_at').execute()
}

function table(db: Schema, name: string): Table {
  return db.schema.createTable(name).addColumn('id', 'text', (c) => c.primaryKey())
}

function ownedOnce(db: Schema, name: string): Table {
  return db.schema
    .createTable(name)
    .addColumn('identity_id', 'text', (c) => c.primaryKey().references('identities.id').onDelete('cascade'))
}

function owned(table: Table): Table {
  return table.addColumn('identity_id', 'text', (c) =>
    c.notNull().references('identities.id').onDelete('cascade'),
  )
}

/** A trailing `?` allows null. */
function text(table: Table, names: string): Table {
  return names
    .split(' ')
    .reduce(
      (table, name) =>
        name.endsWith('?')
          ? table.addColumn(name.slice(0, -1), 'text')
          : table.addColumn(name, 'text', (c) => c.notNull()),
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
