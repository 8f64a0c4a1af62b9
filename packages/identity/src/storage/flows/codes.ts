import type { Db } from '../db.ts'
import { type Places, prepared, preparedInsert } from '../prepared.ts'
import { type CodesTable, type Present, present } from '../tables.ts'

export type Code = Present<CodesTable>

/** Deletes the flow's codes for other addresses. Call inside a transaction. */
export async function addCode(db: Db, code: Code): Promise<void> {
  await lockFlow(db, code)
  await db
    .deleteFrom('codes')
    .where('flow_id', '=', code.flow_id)
    .where('address', '!=', code.address)
    .execute()
  await insertCode(db, code)
}

export async function deleteCodes(db: Db, flow_id: string): Promise<void> {
  await lockFlow(db, { flow_id })
  await deleteQuery(db, { flow_id })
}

const deleteQuery = prepared((db, { flow_id }: Places<Pick<Code, 'flow_id'>>) =>
  db.deleteFrom('codes').where('flow_id', '=', flow_id),
)

/** Keeps consumed ones, which have their own message. */
export async function deleteOpenCodes(db: Db, identityId: string, kind: 'login' | 'recovery'): Promise<void> {
  await db
    .deleteFrom('codes')
    .where('identity_id', '=', identityId)
    .where('used_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('flows')
          .select('flows.id')
          .whereRef('flows.id', '=', 'codes.flow_id')
          .where('kind', '=', kind),
      ),
    )
    .execute()
}

/** A concurrent issuer must see the first code. */
const lockFlow = prepared((db, { flow_id }: Places<Pick<Code, 'flow_id'>>) =>
  db
    .updateTable('flows')
    .set((eb) => ({ version: eb.ref('version') }))
    .where('id', '=', flow_id),
)

export async function insertCode(db: Db, code: Code): Promise<void> {
  await insertQuery(db, [code])
}

const insertQuery = preparedInsert('codes')

/** Includes consumed and expired codes. */
export async function listCodes(db: Db, flowId: string): Promise<Code[]> {
  const rows = await db.selectFrom('codes').selectAll().where('flow_id', '=', flowId).execute()
  return rows.map(present)
}

/** One conditional statement, so only one request gets true (SEC-04). */
export async function consumeCode(db: Db, id: string, now: string): Promise<boolean> {
  const row = await db
    .updateTable('codes')
    .set({ used_at: now })
    .where((eb) => eb.and({ id, used_at: null }))
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
