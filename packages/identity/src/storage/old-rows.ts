import type { Db } from './db.ts'
import { executeWithoutFsync } from './durability.ts'

const AGE = {
  address_changes: 'expires_at',
  errors: 'created_at',
  events: 'created_at',
  flows: 'expires_at',
  identity_admin_calls: 'created_at',
  replicas: 'seen_at',
  session_exchanges: 'expires_at',
  sessions: 'expires_at',
} as const

export type AgingTable = keyof typeof AGE

/** Oldest first. Returns the number deleted. */
export async function deleteOldRows(
  db: Db,
  table: AgingTable,
  cutoff: string,
  limit: number,
): Promise<number> {
  // Kysely types a statement for one table. All of these have an id and a time.
  const rows = table as 'flows'
  const age = AGE[table] as 'expires_at'
  return await executeWithoutFsync(
    db,
    db
      .deleteFrom(rows)
      .where('id', 'in', (eb) =>
        eb.selectFrom(rows).select('id').where(age, '<', cutoff).orderBy(age).limit(limit),
      ),
  )
}
