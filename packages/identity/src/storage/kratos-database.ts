import { sql } from 'kysely'
import { rootOf } from '../errors/errors.ts'
import { type Db, openForReading } from './db.ts'

/** A column may be null. */
export type KratosRow = Readonly<Record<string, string | null>>

export type KratosPage = Readonly<Record<keyof typeof COLUMNS, readonly KratosRow[]>>

const COLUMNS = {
  identities:
    'id schema_id traits state state_changed_at metadata_public metadata_admin external_id organization_id created_at updated_at',
  identity_credentials: 'id identity_id identity_credential_type_id config created_at updated_at',
  identity_credential_identifiers: 'identity_id identity_credential_id identifier',
  identity_verifiable_addresses: 'id identity_id via value status verified verified_at created_at updated_at',
  identity_recovery_addresses: 'id identity_id via value created_at updated_at',
  sessions: 'id identity_id token aal authentication_methods issued_at authenticated_at expires_at',
  session_devices: 'id session_id ip_address user_agent location',
}

const PAGE = 100

const ADVICE =
  'It must be a database of Ory Kratos v26.2.0, whose `kratos migrate sql` updates one of an earlier version'

/** Reads the accounts of an Ory Kratos v26.2.0 with their live sessions. */
export async function* readKratosDatabase(dsn: string, now: Date): AsyncGenerator<KratosPage> {
  const db = await openForReading(dsn)
  try {
    const types = await readCredentialTypes(db)
    for (let after: string | undefined; ; ) {
      const page = await readPage(db, after, now)
      after = page.identities.at(-1)?.id ?? undefined
      if (after === undefined) return
      const identity_credentials = page.identity_credentials.map((row) => ({
        ...row,
        type: types.get(row.identity_credential_type_id ?? '') ?? null,
      }))
      yield { ...page, identity_credentials }
    }
  } finally {
    await db.destroy()
  }
}

async function readCredentialTypes(db: Db) {
  const rows = await select(db, 'id name', sql`identity_credential_types`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

async function readPage(db: Db, after: string | undefined, now: Date): Promise<KratosPage> {
  const next = after === undefined ? sql`` : sql`where id > ${after}`
  const identities = await readRows(db, 'identities', sql`${next} order by id limit ${sql.lit(PAGE)}`)
  const owned = among('identity_id', identities)
  // SQLite compares texts. PostgreSQL converts this one.
  const time = now.toISOString().replace('T', ' ').replace('Z', '')
  const sessions = await readRows(db, 'sessions', sql`${owned} and active and expires_at > ${time}`)
  return {
    identities,
    identity_credentials: await readRows(db, 'identity_credentials', owned),
    identity_credential_identifiers: await readRows(db, 'identity_credential_identifiers', owned),
    identity_verifiable_addresses: await readRows(db, 'identity_verifiable_addresses', owned),
    identity_recovery_addresses: await readRows(db, 'identity_recovery_addresses', owned),
    sessions,
    session_devices: await readRows(db, 'session_devices', among('session_id', sessions)),
  }
}

function among(column: string, rows: readonly KratosRow[]) {
  const ids = rows.map(({ id }) => id)
  return ids.length === 0 ? sql`where 1 = 0` : sql`where ${sql.ref(column)} in (${sql.join(ids)})`
}

function readRows(db: Db, table: keyof typeof COLUMNS, rest: ReturnType<typeof among>) {
  return select(db, COLUMNS[table], sql`${sql.table(table)} ${rest}`)
}

/** As text, because the drivers disagree about times, JSON and truth values. */
async function select(db: Db, columns: string, source: ReturnType<typeof among>): Promise<KratosRow[]> {
  const texts = columns.split(' ').map((name) => sql`cast(${sql.ref(name)} as text) as ${sql.ref(name)}`)
  const query = sql<KratosRow>`select ${sql.join(texts)} from ${source}`
  const { rows } = await query.execute(db).catch((cause: unknown) => {
    throw new Error(`${rootOf(cause)}. ${ADVICE}`, { cause })
  })
  return rows
}
