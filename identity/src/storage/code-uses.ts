import type { Db } from './db.ts'

/** A span of time in which uses of a budget are counted. */
export interface CodeSpan {
  readonly budget: string
  readonly started_at: string
}

/**
 * Counts one more use in a span and returns how many there are, this one included. One statement: of many at once no
 * two get the same number (SEC-04).
 */
export async function countCodeUse(db: Db, span: CodeSpan): Promise<number> {
  const row = await db
    .insertInto('code_uses')
    .values({ ...span, count: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['budget', 'started_at'])
        .doUpdateSet((eb) => ({ count: eb('code_uses.count', '+', 1) })),
    )
    .returning('count')
    .executeTakeFirstOrThrow()
  return row.count
}

/** Takes a use back that was not granted. */
export async function uncountCodeUse(db: Db, { budget, started_at }: CodeSpan): Promise<void> {
  await db
    .updateTable('code_uses')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('budget', '=', budget)
    .where('started_at', '=', started_at)
    .execute()
}

/** How many uses there were in the spans before this one, from `since` on. */
export async function countEarlierCodeUses(
  db: Db,
  { budget, started_at }: CodeSpan,
  since: string,
): Promise<number> {
  const { sum } = await db
    .selectFrom('code_uses')
    .select((eb) => eb.fn.sum<number | string | null>('count').as('sum'))
    .where('budget', '=', budget)
    .where('started_at', '>=', since)
    .where('started_at', '<', started_at)
    .executeTakeFirstOrThrow()
  return Number(sum ?? 0)
}

/** Removes up to `limit` spans from before `before`; returns how many. */
export async function deleteOldCodeUses(db: Db, before: string, limit: number): Promise<number> {
  const old = await db
    .selectFrom('code_uses')
    .select(['budget', 'started_at'])
    .where('started_at', '<', before)
    .orderBy('started_at')
    .limit(limit)
    .execute()
  if (old.length === 0) return 0
  const result = await db
    .deleteFrom('code_uses')
    .where('started_at', '<', before)
    .where(
      'budget',
      'in',
      old.map(({ budget }) => budget),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
