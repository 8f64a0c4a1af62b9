import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Db } from './db.ts'

/** One use of one limit. Times are in milliseconds. */
export interface Charge {
  readonly key: string
  /** How long until one use comes back. */
  readonly refill: number
  /** Uses that are free at once. */
  readonly burst: number
  /** The waits after these, from the first on; without them each waits until a use comes back. */
  readonly waits?: readonly number[]
}

/**
 * Counts one use of every limit, or of none where one of them is used up: then it returns the one that takes longest to
 * have one again.
 *
 * The generic cell rate algorithm: `until` is when a limit is as good as new, `next_at` when it may be used again. One
 * statement: of many at once exactly as many pass as the limit has. On PostgreSQL the check of the first part may be
 * outdated by the time that a row is locked, so the row's own condition decides, and what was counted of the others is
 * given back.
 */
export async function takeLimits(
  db: Db,
  charges: readonly Charge[],
  now: number,
): Promise<{ readonly key: string; readonly next_at: number } | undefined> {
  // One order for all: two statements never wait for each other.
  const sorted = charges.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const { rows: taken } = await take(sorted, now).execute(db)
  if (taken.length === charges.length) return undefined
  await returnLimits(
    db,
    sorted.filter(({ key }) => taken.some((row) => row.key === key)),
  )
  return await db
    .selectFrom('limits')
    .select(['key', 'next_at'])
    .where(
      'key',
      'in',
      charges.map(({ key }) => key),
    )
    .orderBy('next_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

function take(charges: readonly Charge[], now: number): RawBuilder<{ key: string }> {
  const left = sql`(case when limits.until > ${real(now)} then limits.until - ${real(now)} else 0 end)`
  const rows = charges.map((charge) => {
    const first = firstUse(charge)
    return sql`(${sql.lit(charge.key)}, ${real(now + charge.refill)}, ${real(now + first)})`
  })
  const until = sql`${left} + excluded.until`
  const next_at = sql`case ${sql.join(
    charges.map((charge) => nextUse(charge, left, now)),
    sql` `,
  )} end`
  return sql`
    with wanted (key, until, next_at) as (values ${sql.join(rows)})
    insert into limits (key, until, next_at)
    select key, until, next_at from wanted
    where not exists (
      select 1 from limits as used join wanted as one on one.key = used.key where used.next_at > ${real(now)}
    )
    order by key
    on conflict (key) do update set until = ${until}, next_at = ${next_at}
    where limits.next_at <= ${real(now)}
    returning key`
}

/** How long after the first use of all the next one has to wait; negative where it need not. */
function firstUse({ burst, refill, waits }: Charge): number {
  return burst === 1 && waits?.[0] !== undefined ? waits[0] : (2 - burst) * refill
}

/** When the limit may be used again, as a branch of a `case`. `left`: what was left until it would have been as new. */
function nextUse({ key, burst, refill, waits }: Charge, left: RawBuilder<unknown>, now: number) {
  const free = (burst - 1) * refill
  const over = sql`${left} + ${real(refill - free)}`
  if (!waits) return sql`when limits.key = ${sql.lit(key)} then ${real(now)} + ${over}`
  const steps = waits.map(
    (wait, index) => sql`when ${over} <= ${real((index + 1) * refill)} then ${real(wait)}`,
  )
  const longest = real(waits.at(-1) ?? refill)
  return sql`when limits.key = ${sql.lit(key)} then ${real(now)} + case
    when ${over} <= 0 then ${over} ${sql.join(steps, sql` `)} else ${longest} end`
}

/** Types a number: PostgreSQL takes a bare parameter for text. */
function real(value: number): RawBuilder<number> {
  return sql<number>`cast(${value} as double precision)`
}

/** Gives a use of every limit back. */
export async function returnLimits(db: Db, charges: readonly Charge[]): Promise<void> {
  if (charges.length === 0) return
  const refill = sql<number>`case key ${sql.join(
    charges.map(({ key, refill }) => sql`when ${key} then ${real(refill)}`),
    sql` `,
  )} end`
  await db
    .updateTable('limits')
    .set({ until: sql`until - ${refill}`, next_at: sql`next_at - ${refill}` })
    .where(
      'key',
      'in',
      charges.map(({ key }) => key),
    )
    .execute()
}

/** Removes up to `limit` rows that were as good as new before `before`; returns how many. */
export async function deleteRefilledLimits(db: Db, before: string, limit: number): Promise<number> {
  const old = db.selectFrom('limits').select('key').where('until', '<', Date.parse(before)).limit(limit)
  const result = await db.deleteFrom('limits').where('key', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
