import { type Expression, type QueryResult, type RawBuilder, sql } from 'kysely'
import { isPostgres } from './database.ts'
import type { Db } from './db.ts'
import { executeWithoutFsync } from './durability.ts'
import { type Places, type Prepared, prepared, preparedRows } from './prepared.ts'
import type { LimitsTable } from './tables.ts'

/** In milliseconds. */
export interface Charge {
  readonly key: string
  readonly refill: number
  readonly burst: number
  /** One by default. All are taken, or none. */
  readonly uses?: number | undefined
  /** Waits after each use beyond `burst`, by default the refill. */
  readonly waits?: readonly number[]
}

export interface CountedAttempt {
  readonly charges: readonly Charge[]
}

export interface Exhausted {
  readonly key: string
  readonly next_at: number
  readonly keys: readonly string[]
}

/**
 * Takes uses of every limit, or none if one is exhausted, by the generic cell rate algorithm
 * (GCRA): full at `until`, next use at `next_at`. One statement keeps concurrent requests within
 * the limit. On PostgreSQL the first check may be stale once a row is locked, so each row checks
 * again, and uses of other limits are refunded.
 */
export async function takeLimits(
  db: Db,
  charges: readonly Charge[],
  now: number,
): Promise<Exhausted | undefined> {
  const { rows: takenRows } = await takeStatement(db, charges, now)
  if (takenRows.length === charges.length) return undefined
  await refundLimits(
    db,
    charges.filter(({ key }) => takenRows.some((row) => row.key === key)),
  )
  const { rows } = await usesQuery(
    db,
    charges.map(({ key }) => ({ key })),
  )
  const [longest] = rows
  // The limit was refilled and deleted meanwhile.
  if (!longest) return await takeLimits(db, charges, now)
  for (const charge of charges) {
    const row = rows.find(({ key }) => key === charge.key)
    if (!row || row.next_at <= latestUse(charge, now)) continue
    await leaveHalf(db, charge, row.next_at, now)
    return await takeLimits(db, charges, now)
  }
  return { ...longest, keys: rows.filter(({ next_at }) => next_at > now).map(({ key }) => key) }
}

const usesQuery = preparedRows((db, rows: readonly Places<Pick<LimitsTable, 'key'>>[]) =>
  db
    .selectFrom('limits')
    .select(['key', 'next_at'])
    .where(
      'key',
      'in',
      rows.map(({ key }) => key),
    )
    .orderBy('next_at', 'desc'),
)

/** Maximum clock skew between replicas. */
const SKEW_MS = 60_000

function latestUse({ refill, waits = [] }: Charge, now: number): number {
  return now + Math.max(refill, waits.at(-1) ?? 0) + SKEW_MS
}

/**
 * A later use predates a clock change and would cause a long lockout (FLT-12). The uses that
 * were left are unknown, so half of them remain.
 */
async function leaveHalf(db: Db, { key, burst, refill }: Charge, seen: number, now: number): Promise<void> {
  const until = now + Math.floor(burst / 2) * refill
  await executeWithoutFsync(
    db,
    db
      .updateTable('limits')
      .set({ until, next_at: until - (burst - 1) * refill })
      .where('key', '=', key)
      .where('next_at', '=', seen),
  )
}

type Values = Readonly<Record<`key${number}`, string>> &
  Readonly<Record<`${'place' | 'until' | 'next' | 'due' | 'refill'}${number}` | 'now', number>>

function valuesOf(charges: readonly Charge[], now: number): Values {
  // Locking rows in key order prevents deadlocks.
  const sorted = charges.map(({ key }) => key).sort()
  const values = charges.flatMap((charge, n) => {
    const { key, refill, uses = 1 } = charge
    return [
      [`key${n}`, key],
      [`place${n}`, sorted.indexOf(key)],
      [`until${n}`, now + uses * refill],
      [`next${n}`, now + firstUse(charge)],
      [`due${n}`, now - (uses - 1) * refill],
      [`refill${n}`, refill],
    ]
  })
  return { ...Object.fromEntries(values), now }
}

/** Negative without a wait after the first use. */
function firstUse({ burst, refill, waits, uses = 1 }: Charge): number {
  return burst === 1 && waits?.[0] !== undefined ? waits[0] : (uses + 1 - burst) * refill
}

const takeCache = new Map<string, Prepared<Values, { key: string }>>()

function takeStatement(
  db: Db,
  charges: readonly Charge[],
  now: number,
): Promise<QueryResult<{ key: string }>> {
  // Waits come from the configuration, so there are few distinct statements.
  const shape = charges.map(({ waits, burst, refill }) => (waits ? `${burst}/${refill}/${waits}` : '')).join()
  const statement =
    takeCache.get(shape) ??
    prepared((db, values) => ({ compile: () => buildTake(charges, values).compile(db) }), {
      needsNoFsync: true,
    })
  takeCache.set(shape, statement)
  return statement(db, valuesOf(charges, now))
}

function buildTake(charges: readonly Charge[], values: Places<Values>): RawBuilder<{ key: string }> {
  const now = real(values.now)
  const remainingMs = sql`(case when limits.until > ${now} then limits.until - ${now} else 0 end)`
  const rows = charges.map((_, n) => {
    const numbers = (['place', 'until', 'next', 'due'] as const).map((name) => real(values[`${name}${n}`]))
    return sql`(${values[`key${n}`]}, ${sql.join(numbers)})`
  })
  const due = byKey(charges, values, (_, n) => real(values[`due${n}`]))
  const next_at = byKey(charges, values, ({ burst, refill, waits }) =>
    waits
      ? sql`${now} + ${slowed(waits, refill, sql`${remainingMs} + ${sql.lit((2 - burst) * refill)}`)}`
      : sql`${remainingMs} + excluded.next_at`,
  )
  return sql`
    with wanted (key, place, until, next_at, due) as (values ${sql.join(rows)})
    insert into limits (key, until, next_at)
    select key, until, next_at from wanted
    where not exists (
      select 1 from limits as used join wanted as one on one.key = used.key where used.next_at > one.due
    )
    order by place
    on conflict (key) do update set until = ${remainingMs} + excluded.until, next_at = ${next_at}
    where limits.next_at <= ${due}
    returning key`
}

/** `over` is negative within the burst. */
function slowed(waits: readonly number[], refill: number, over: RawBuilder<unknown>): RawBuilder<unknown> {
  const steps = waits.map(
    (wait, n) => sql`when ${over} <= ${sql.lit((n + 1) * refill)} then ${sql.lit(wait)}`,
  )
  const longest = sql.lit(waits.at(-1) ?? refill)
  return sql`case when ${over} <= 0 then ${over} ${sql.join(steps, sql` `)} else ${longest} end`
}

function byKey(
  charges: readonly Charge[],
  values: Places<Values>,
  build: (charge: Charge, n: number) => RawBuilder<unknown>,
): RawBuilder<number> {
  const cases = charges.map((charge, n) => sql`when ${values[`key${n}`]} then ${build(charge, n)}`)
  return sql`case limits.key ${sql.join(cases, sql` `)} end`
}

/** PostgreSQL treats an untyped parameter as text. */
function real(value: Expression<number> | undefined): RawBuilder<number> {
  return sql<number>`cast(${value} as double precision)`
}

export async function refundLimits(db: Db, charges: readonly Charge[]): Promise<void> {
  if (charges.length === 0) return
  const { length } = charges
  const statement =
    refundCache.get(length) ??
    prepared((db, values) => buildRefund(db, charges, values), { needsNoFsync: true })
  refundCache.set(length, statement)
  await statement(db, valuesOf(charges, 0))
}

const refundCache = new Map<number, Prepared<Values, unknown>>()

function buildRefund(db: Db, charges: readonly Charge[], values: Places<Values>) {
  const refill = byKey(charges, values, (_, n) => real(values[`refill${n}`]))
  const keys = charges.map((_, n) => values[`key${n}`] as Expression<string>)
  const inOrder = db.selectFrom('limits').select('key').where('key', 'in', keys).orderBy('key').forUpdate()
  return db
    .updateTable('limits')
    .set({ until: sql`until - ${refill}`, next_at: sql`next_at - ${refill}` })
    .where('key', 'in', isPostgres(db) ? inOrder : keys)
}

/** The last of the next `size` keys, or undefined if fewer are left. */
export async function findLimitsWindow(
  db: Db,
  after: string | undefined,
  size: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('limits')
    .select('key')
    .where('key', '>', after ?? '')
    .orderBy('key')
    .offset(size - 1)
    .limit(1)
    .executeTakeFirst()
  return row?.key
}

export async function deleteRefilledLimits(
  db: Db,
  { after = '', last, before }: { after?: string | undefined; last: string | undefined; before: number },
): Promise<number> {
  let query = db.deleteFrom('limits').where('key', '>', after).where('until', '<', before)
  if (last !== undefined) query = query.where('key', '<=', last)
  return await executeWithoutFsync(db, query)
}
