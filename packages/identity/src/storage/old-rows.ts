import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'
import { executeWithoutFsync } from './durability.ts'

interface Aging {
  readonly age: string
  /** Rows that do not match stay. */
  readonly where?: RawBuilder<boolean>
}

const AGING = {
  address_changes: { age: 'expires_at' },
  errors: { age: 'created_at' },
  events: { age: 'created_at' },
  flows: { age: 'expires_at' },
  identity_admin_calls: { age: 'created_at' },
  messages: { age: 'created_at', where: sql`status in ('sent', 'abandoned')` },
  replicas: { age: 'seen_at' },
  session_exchanges: { age: 'expires_at' },
  sessions: { age: 'expires_at' },
  signing_keys: { age: 'expires_at', where: sql`retired_at is not null` },
} as const satisfies Record<string, Aging>

export type AgingTable = keyof typeof AGING

/** Oldest first. Returns the number deleted. */
export async function deleteOldRows(
  db: Db,
  table: AgingTable,
  cutoff: string,
  limit: number,
): Promise<number> {
  // Kysely types a statement for one table. All of these have an id and a time.
  const rows = table as 'flows'
  const { age, where = sql<boolean>`true` } = AGING[table] as Aging & { readonly age: 'expires_at' }
  const old = db.selectFrom(rows).select('id').where(age, '<', cutoff).where(where).orderBy(age).limit(limit)
  return await executeWithoutFsync(db, db.deleteFrom(rows).where('id', 'in', old))
}
