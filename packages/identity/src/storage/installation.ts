import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from './db.ts'

/**
 * The permanent id of the database. A new database takes the proposed one; replicas that start together agree on one.
 */
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

/** Checks that the database accepts writes; a result is cached for a second. */
export interface Heartbeat {
  /** Throws the failure. Waits at most half a second, so that a hanging database does not block the health probe. */
  assertWritable(): Promise<void>
}

const FRESH_MS = 1000
const PROBE_MS = 500
/** A write that takes longer counts as failed. */
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
