import type { CreateTableBuilder, Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Only text, integers and references, so that SQLite and PostgreSQL take the same statements. */
export const initial: Migration = {
  async up(db) {
    await createIdentities(db)
    await createCredentials(db)
    await createAddresses(db)
    await createSessions(db)
    await createFlows(db)
    await createMessages(db)
    await createErrorsAndKeys(db)
  },
}

async function createIdentities(db: Kysely<unknown>): Promise<void> {
  await table(db, 'identities')
    .addColumn('schema_id', 'text', (c) => c.notNull())
    .addColumn('traits', 'text', (c) => c.notNull())
    .addColumn('metadata_public', 'text')
    .addColumn('metadata_admin', 'text')
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('state_changed_at', 'text')
    .addColumn('external_id', 'text', (c) => c.unique())
    .addColumn('available_aal', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await index(db, 'identities', ['created_at', 'id'])
}

async function createCredentials(db: Kysely<unknown>): Promise<void> {
  await owned(table(db, 'credentials'))
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('config', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('credentials_one_of_a_type', ['identity_id', 'type'])
    .execute()
  await owned(db.schema.createTable('credential_identifiers'))
    .addColumn('identifier', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('credential_id', 'text', (c) => c.notNull().references('credentials.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('credential_identifiers_key', ['identifier', 'type'])
    .execute()
  await index(db, 'credential_identifiers', ['credential_id'])
  await index(db, 'credential_identifiers', ['identity_id'])
}

async function createAddresses(db: Kysely<unknown>): Promise<void> {
  await owned(table(db, 'addresses'))
    .addColumn('purpose', 'text', (c) => c.notNull())
    .addColumn('via', 'text', (c) => c.notNull())
    .addColumn('value', 'text', (c) => c.notNull())
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('verified_at', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addUniqueConstraint('addresses_one_owner', ['purpose', 'via', 'value'])
    .execute()
  await index(db, 'addresses', ['identity_id'])
}

async function createSessions(db: Kysely<unknown>): Promise<void> {
  await owned(table(db, 'sessions'))
    .addColumn('token_hash', 'text', (c) => c.notNull().unique())
    .addColumn('aal', 'text', (c) => c.notNull())
    .addColumn('methods', 'text', (c) => c.notNull())
    .addColumn('devices', 'text', (c) => c.notNull())
    .addColumn('issued_at', 'text', (c) => c.notNull())
    .addColumn('authenticated_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('revoked_at', 'text')
    .execute()
  await index(db, 'sessions', ['identity_id', 'issued_at'])
  await index(db, 'sessions', ['expires_at'])
  await table(db, 'session_exchanges')
    .addColumn('flow_id', 'text', (c) => c.notNull())
    .addColumn('init_code_hash', 'text', (c) => c.notNull())
    .addColumn('return_to_code_hash', 'text', (c) => c.notNull())
    .addColumn('session_id', 'text', (c) => c.references('sessions.id').onDelete('cascade'))
    .addColumn('token', 'text')
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('used_at', 'text')
    .execute()
  await index(db, 'session_exchanges', ['flow_id'])
  await index(db, 'session_exchanges', ['expires_at'])
}

async function createFlows(db: Kysely<unknown>): Promise<void> {
  await table(db, 'flows')
    .addColumn('kind', 'text', (c) => c.notNull())
    .addColumn('identity_id', 'text', (c) => c.references('identities.id').onDelete('cascade'))
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('version', 'integer', (c) => c.notNull())
    .addColumn('attempts', 'integer', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .execute()
  await index(db, 'flows', ['expires_at'])
  await index(db, 'flows', ['identity_id'])
  await table(db, 'codes')
    .addColumn('flow_id', 'text', (c) => c.notNull().references('flows.id').onDelete('cascade'))
    .addColumn('identity_id', 'text', (c) => c.references('identities.id').onDelete('cascade'))
    .addColumn('address_id', 'text', (c) => c.references('addresses.id').onDelete('cascade'))
    .addColumn('address', 'text', (c) => c.notNull())
    .addColumn('secret_mac', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .addColumn('used_at', 'text')
    .execute()
  await index(db, 'codes', ['flow_id'])
  await index(db, 'codes', ['identity_id'])
  await index(db, 'codes', ['address_id'])
}

async function createMessages(db: Kysely<unknown>): Promise<void> {
  await table(db, 'messages')
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('type', 'text', (c) => c.notNull())
    .addColumn('template_type', 'text', (c) => c.notNull())
    .addColumn('recipient', 'text', (c) => c.notNull())
    .addColumn('subject', 'text', (c) => c.notNull())
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('html', 'text', (c) => c.notNull())
    .addColumn('send_count', 'integer', (c) => c.notNull())
    .addColumn('due_at', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'text')
    .execute()
  await index(db, 'messages', ['status', 'due_at'])
  await index(db, 'messages', ['created_at', 'id'])
  await table(db, 'message_attempts')
    .addColumn('message_id', 'text', (c) => c.notNull().references('messages.id').onDelete('cascade'))
    .addColumn('status', 'text', (c) => c.notNull())
    .addColumn('error', 'text')
    .addColumn('created_at', 'text', (c) => c.notNull())
    .execute()
  await index(db, 'message_attempts', ['message_id'])
}

async function createErrorsAndKeys(db: Kysely<unknown>): Promise<void> {
  await table(db, 'errors')
    .addColumn('body', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('updated_at', 'text', (c) => c.notNull())
    .execute()
  await index(db, 'errors', ['created_at'])
  await table(db, 'signing_keys')
    .addColumn('template', 'text', (c) => c.notNull())
    .addColumn('private_jwk', 'text', (c) => c.notNull())
    .addColumn('public_jwk', 'text', (c) => c.notNull())
    .addColumn('created_at', 'text', (c) => c.notNull())
    .addColumn('retired_at', 'text')
    .addColumn('expires_at', 'text', (c) => c.notNull())
    .execute()
}

function table(db: Kysely<unknown>, name: string) {
  return db.schema.createTable(name).addColumn('id', 'text', (c) => c.primaryKey())
}

function owned<T extends string, C extends string>(builder: CreateTableBuilder<T, C>) {
  return builder.addColumn('identity_id', 'text', (c) =>
    c.notNull().references('identities.id').onDelete('cascade'),
  )
}

async function index(db: Kysely<unknown>, name: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex(`${name}_by_${columns.join('_')}`)
    .on(name)
    .columns(columns)
    .execute()
}
