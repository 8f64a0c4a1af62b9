import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Db } from './db.ts'

/** One use of one limit. All times in milliseconds. */
export interface Charge {
  readonly key: string
  /** Time until one use is refilled. */
  readonly refill: number
  /** Uses that are available immediately. */
  readonly burst: number
  /** The waits after each use beyond `burst`; without them a use waits for its refill. */
  readonly waits?: readonly number[]
}

/**
 * Takes one use of every limit, or none if one of them is exhausted: then returns the one with the longest wait.
 * The generic cell rate algorithm: at `until` a limit is completely refilled, at `next_at` it may be used again. It is
 * one statement, so concurrent requests cannot exceed a limit. On PostgreSQL the first check may be outdated once a row
 * is locked, so each row's own condition decides, and uses taken from the other limits are returned.
 */
export async function takeLimits(
  db: Db,
  charges: readonly Charge[],
  now: number,
): Promise<{ readonly key: string; readonly next_at: number } | undefined> {
  // A single lock order prevents deadlocks between statements.
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
    return sql`(${charge.key}, ${real(now + charge.refill)}, ${real(now + first)})`
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

/** The wait after the very first use; negative if there is none. */
function firstUse({ burst, refill, waits }: Charge): number {
  return burst === 1 && waits?.[0] !== undefined ? waits[0] : (2 - burst) * refill
}

/** The next allowed use, as a branch of a `case`. `left`: the time that was left until complete refill. */
function nextUse({ key, burst, refill, waits }: Charge, left: RawBuilder<unknown>, now: number) {
  const free = (burst - 1) * refill
  const over = sql`${left} + ${real(refill - free)}`
  if (!waits) return sql`when limits.key = ${key} then ${real(now)} + ${over}`
  const steps = waits.map(
    (wait, index) => sql`when ${over} <= ${real((index + 1) * refill)} then ${real(wait)}`,
  )
  const longest = real(waits.at(-1) ?? refill)
  return sql`when limits.key = ${key} then ${real(now)} + case
    when ${over} <= 0 then ${over} ${sql.join(steps, sql` `)} else ${longest} end`
}

/** PostgreSQL takes a bare parameter for text. */
function real(value: number): RawBuilder<number> {
  return sql<number>`cast(${value} as double precision)`
}

/** Returns one use of every limit. */
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

/** Deletes up to `limit` rows that were completely refilled before `before`; returns how many. */
export async function deleteRefilledLimits(db: Db, before: string, limit: number): Promise<number> {
  const old = db.selectFrom('limits').select('key').where('until', '<', Date.parse(before)).limit(limit)
  const result = await db.deleteFrom('limits').where('key', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
