import type { Db } from './db.ts'
import type { CodeUsesTable } from './tables.ts'

/**
 * Notes a use of a budget and returns how many there were after `since`, this one included. It is written before it
 * is counted: of many at once no more than the limit see a count within it (SEC-04).
 */
export async function countCodeUse(db: Db, use: CodeUsesTable, since: string): Promise<number> {
  await db.insertInto('code_uses').values(use).execute()
  const { count } = await db
    .selectFrom('code_uses')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('budget', '=', use.budget)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Takes a use back that was not granted. */
export async function deleteCodeUse(db: Db, id: string): Promise<void> {
  await db.deleteFrom('code_uses').where('id', '=', id).execute()
}

/** Removes up to `limit` uses from before `before`; returns how many. */
export async function deleteOldCodeUses(db: Db, before: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('code_uses')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('code_uses')
        .select('id')
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
