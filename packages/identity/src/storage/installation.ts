import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isPostgres } from './database.ts'
import type { DatabaseWatch } from './database-watch.ts'
import type { Db } from './db.ts'
import { isMissingTable } from './driver-errors.ts'
import { countChanged } from './durability.ts'

/** Replicas that start together agree on one id. */
export async function ensureInstallation(db: Db, proposed: string, now: string): Promise<string> {
  const row = { singleton: 'this', id: proposed, created_at: now, heartbeat_at: now, secrets: null } as const
  await db
    .insertInto('installation')
    .values(row)
    .onConflict((c) => c.doNothing())
    .execute()
  const { id } = await db.selectFrom('installation').select('id').executeTakeFirstOrThrow()
  return id
}

/** Undefined in a database without tables, too. */
export async function findInstallation(db: Db): Promise<string | undefined> {
  try {
    return (await db.selectFrom('installation').select('id').executeTakeFirst())?.id
  } catch (error) {
    if (isMissingTable(error)) return undefined
    throw error
  }
}

export async function findHeartbeat(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('installation').select('heartbeat_at').executeTakeFirst())?.heartbeat_at
}

/** Undefined on SQLite. */
export async function readClock(db: Db): Promise<Date | undefined> {
  if (!isPostgres(db)) return undefined
  const { rows } = await sql<{ time: string }>`select clock_timestamp() as time`.execute(db)
  return rows[0] && new Date(rows[0].time)
}

export interface Heartbeat {
  /** Throws the failure after at most 0.5 s, so that a hanging database does not block the health probe. */
  assertWritable(): Promise<void>
  /** Also checks the clock. */
  assertReady(): Promise<void>
}

const FRESH_MS = 1000
const PROBE_MS = 500
const SLOW_MS = 2000

interface HeartbeatParts {
  readonly db: Db
  readonly id: string
  readonly clock: { readonly now: () => Date; assertRight(db: Db): Promise<void> }
  readonly writePath: Pick<DatabaseWatch, 'assertWorks'>
  /** Throws if the file of the database is gone. */
  assertInPlace(): void
}

export function createHeartbeat(
  { db, id, clock, writePath, assertInPlace }: HeartbeatParts,
  elapsed = () => performance.now(),
): Heartbeat {
  const check = async () => {
    assertInPlace()
    await write(db, id, clock.now())
    await writePath.assertWorks(db)
    return undefined
  }
  let lastCheck = { at: Number.NEGATIVE_INFINITY, error: undefined as unknown }
  let currentCheck: { readonly since: number; readonly done: Promise<void> } | undefined
  const beat = async () => {
    const error = await check().catch((error: unknown) => error ?? new Error('no reason given'))
    lastCheck = { at: elapsed(), error }
    currentCheck = undefined
  }
  const heartbeat: Heartbeat = {
    async assertWritable() {
      if (lastCheck.error === undefined && elapsed() - lastCheck.at < FRESH_MS) return
      currentCheck ??= { since: elapsed(), done: beat() }
      const { since, done } = currentCheck
      await Promise.race([done, sleep(PROBE_MS, undefined, { ref: false })])
      if (currentCheck && (elapsed() - since > SLOW_MS || lastCheck.at === Number.NEGATIVE_INFINITY))
        throw new Error('the database takes too long to write')
      if (lastCheck.error !== undefined) throw lastCheck.error
    },
    async assertReady() {
      await heartbeat.assertWritable()
      await clock.assertRight(db)
    },
  }
  return heartbeat
}

async function write(db: Db, id: string, now: Date): Promise<void> {
  const heartbeat = { heartbeat_at: now.toISOString() }
  const update = db.updateTable('installation').set(heartbeat).where('id', '=', id)
  if ((await countChanged(db, update)) === 0)
    throw new Error('another database has replaced the one at the start')
}

/** Secret fingerprints by use. The first one signs. */
export type KnownSecrets = Readonly<Record<string, readonly string[]>>

export async function keepReplica(db: Db, id: string, secrets: KnownSecrets, now: string): Promise<void> {
  const row = { secrets: JSON.stringify(secrets), seen_at: now }
  await db
    .insertInto('replicas')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}

export async function listOtherReplicas(db: Db, id: string, since: string): Promise<KnownSecrets[]> {
  const rows = await db
    .selectFrom('replicas')
    .select('secrets')
    .where('id', '!=', id)
    .where('seen_at', '>', since)
    .execute()
  return rows.map(({ secrets }) => JSON.parse(secrets) as KnownSecrets)
}

export async function findLastSecrets(db: Db): Promise<KnownSecrets | undefined> {
  const row = await db.selectFrom('installation').select('secrets').executeTakeFirst()
  return row?.secrets ? (JSON.parse(row.secrets) as KnownSecrets) : undefined
}

/** @param secrets undefined: the next process may have any */
export async function keepLastSecrets(db: Db, secrets: KnownSecrets | undefined): Promise<void> {
  await db
    .updateTable('installation')
    .set({ secrets: secrets === undefined ? null : JSON.stringify(secrets) })
    .execute()
}

export async function deleteReplica(db: Db, id: string): Promise<void> {
  await db.deleteFrom('replicas').where('id', '=', id).execute()
}
