import { sql } from 'kysely'
import { isPostgres } from '../database.ts'
import { type Db, openForMigration } from '../db.ts'
import { findHeartbeat, findInstallation, findLastSecrets, readClock } from '../installation.ts'
import { CONNECTIONS, connectionOf } from '../postgres/dsn.ts'
import { assertIntact } from '../sqlite/file.ts'
import { assertAppliable, listPending, listUnlisted, type MigrationSources } from './migrate.ts'

/** The state of a database, read without changing it. */
export interface DatabaseReport {
  /** Names of the migrations to apply. All of them in an empty database. */
  readonly pending: readonly string[]
  /** Applied migrations that the product no longer lists. */
  readonly unlisted: readonly string[]
  readonly installation: string | undefined
  /** When a server last checked that it can write. */
  readonly heartbeat: string | undefined
  /** Fingerprints that `canRead` compares with secrets. Undefined before the first start. */
  readonly marks: string | undefined
  readonly clock: Date | undefined
  readonly connections: ConnectionCount | undefined
}

interface ConnectionCount {
  /** `max_conns`. */
  readonly wanted: number
  /** How many the server gives this user. */
  readonly allowed: number
}

export interface Inspection extends MigrationSources {
  /** Also reads every page of a SQLite file, at about 1 GB/s. Throws for a damaged one. */
  readonly deep: boolean
  /** Throws if pending migrations cannot be applied. */
  readonly migrates?: boolean
}

export async function inspectDatabase(
  dsn: string,
  { deep, migrates, ...sources }: Inspection,
): Promise<DatabaseReport> {
  const db = await openForMigration(dsn)
  try {
    if (deep && !isPostgres(db)) {
      const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
      assertIntact(rows[0], 'it')
    }
    const pending = await listPending(db, sources)
    if (migrates) await assertAppliable(db, sources)
    const unlisted = await listUnlisted(db, sources)
    const clock = await readClock(db)
    const connections = isPostgres(db) ? await countConnections(db, dsn) : undefined
    const server = { pending, unlisted, clock, connections }
    // A database of the product alone has no tables of the service.
    const installation = sources.known ? undefined : await findInstallation(db)
    if (pending.length > 0 || sources.known)
      return { ...server, installation, heartbeat: undefined, marks: undefined }
    const heartbeat = await findHeartbeat(db)
    const secrets = await findLastSecrets(db)
    return { ...server, installation, heartbeat, marks: secrets && JSON.stringify(secrets) }
  } finally {
    await db.destroy()
  }
}

/** Undefined behind a pooler, which has its own limits, and where the server does not tell. */
async function countConnections(db: Db, dsn: string): Promise<ConnectionCount | undefined> {
  const { isPooled, max = CONNECTIONS } = connectionOf(dsn)
  if (isPooled) return undefined
  const { rows } = await sql<{ allowed: number }>`
    select least(
      cast(current_setting('max_connections') as integer)
        - cast(current_setting('superuser_reserved_connections') as integer)
        - coalesce(cast(current_setting('reserved_connections', true) as integer), 0),
      nullif(rolconnlimit, -1),
      nullif(datconnlimit, -1)
    ) as allowed
    from pg_roles, pg_database
    where rolname = session_user and datname = current_database()`
    .execute(db)
    .catch(() => ({ rows: [] }))
  return rows[0] && { wanted: max, allowed: rows[0].allowed }
}
