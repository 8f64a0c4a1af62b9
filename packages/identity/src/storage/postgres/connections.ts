import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { CONNECTIONS, connectionOf } from './dsn.ts'

export interface ConnectionCount {
  /** `max_conns`. */
  readonly wanted: number
  /** How many the server gives this user. */
  readonly allowed: number
}

/** Undefined behind a pooler, which has its own limits, and where the server does not tell. */
export async function countConnections(db: Db, dsn: string): Promise<ConnectionCount | undefined> {
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
