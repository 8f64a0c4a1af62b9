import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './db.ts'

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

export async function findInstallation(db: Db): Promise<string | undefined> {
  return (await db.selectFrom('installation').select('id').executeTakeFirst())?.id
}

export interface Heartbeat {
  /** Throws the failure after at most 0.5 s, so that a hanging database does not block the health probe. */
  assertWritable(): Promise<void>
}

const FRESH_MS = 1000
const PROBE_MS = 500
const SLOW_MS = 2000

export function createHeartbeat(
  db: Db,
  id: string,
  now: () => Date,
  clock = () => performance.now(),
): Heartbeat {
  let last = { at: Number.NEGATIVE_INFINITY, error: undefined as unknown }
  let running: { readonly since: number; readonly done: Promise<void> } | undefined
  const beat = async () => {
    const error = await write(db, id, now()).catch((error: unknown) => error ?? new Error('no reason given'))
    last = { at: clock(), error }
    running = undefined
  }
  return {
    async assertWritable() {
      if (last.error === undefined && clock() - last.at < FRESH_MS) return
      running ??= { since: clock(), done: beat() }
      const { since, done } = running
      await Promise.race([done, sleep(PROBE_MS, undefined, { ref: false })])
      if (running && (clock() - since > SLOW_MS || last.at === Number.NEGATIVE_INFINITY))
        throw new Error('the database takes too long to write')
      if (last.error !== undefined) throw last.error
    },
  }
}

async function write(db: Db, id: string, now: Date): Promise<undefined> {
  const { numUpdatedRows } = await db
    .updateTable('installation')
    .set({ heartbeat_at: now.toISOString() })
    .where('id', '=', id)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Error('another database has replaced the one at the start')
  return undefined
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
