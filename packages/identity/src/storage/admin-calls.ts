import type { Db } from './db.ts'
import { preparedInsert } from './prepared.ts'
import type { AdminCallsTable } from './tables.ts'

export type AdminCall = Readonly<AdminCallsTable>

export async function insertAdminCall(db: Db, call: AdminCall): Promise<void> {
  await insertQuery(db, [call])
}

const insertQuery = preparedInsert('identity_admin_calls')

/** Newest first. */
export async function listAdminCalls(
  db: Db,
  { limit, before }: { readonly limit: number; readonly before: readonly [string, string] | undefined },
): Promise<AdminCall[]> {
  let query = db
    .selectFrom('identity_admin_calls')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (before) query = query.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(...before)))
  return await query.execute()
}
