import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrations } from './migrations/all.ts'
import { isMissingTable, waitedForLock } from './postgres/lock-errors.ts'
import type { Tables } from './tables.ts'

/** The database lacks migrations, and the caller asked not to apply them. */
export class PendingMigrations extends Error {}

/** How long other processes may hold a lock, in milliseconds: another migration, or a long transaction. */
const PATIENCE_MS = 60_000
const RETRY_MS = 500

/**
 * Applies missing migrations in one transaction under a lock: replicas may start together, and a killed one leaves
 * nothing behind. Returns their names. Throws if a newer version has changed what this one needs, or if another process
 * holds a lock for longer than `patience` milliseconds.
 */
export async function migrate(db: Kysely<Tables>, patience = PATIENCE_MS): Promise<string[]> {
  return await untilUnlocked(async () => {
    const pending = await listPending(db)
    if (pending.length > 0) await applyAll(db)
    return pending
  }, performance.now() + patience)
}

/** Throws `PendingMigrations`, or as `migrate` does for a newer database. */
export async function assertMigrated(db: Kysely<Tables>): Promise<void> {
  const pending = await listPending(db)
  if (pending.length > 0)
    throw new PendingMigrations(`The database lacks ${pending.length} migrations (${pending.join(', ')})`)
}

async function listPending(db: Kysely<Tables>): Promise<string[]> {
  const applied = await listApplied(db)
  assertCompatible(applied)
  return Object.keys(migrations).filter((name) => !applied.includes(name))
}

/**
 * A migration of a newer version is safe for this one, because it only adds, unless its name ends with the number of the
 * migration that a program must know: `0031-drop-old-names-after-0029` (docs/operations.md, "Upgrade").
 */
function assertCompatible(applied: readonly string[]): void {
  const newest = Object.keys(migrations).at(-1) ?? ''
  const breaking = applied.filter((name) => {
    const needs = /-after-(\d{4})$/.exec(name)?.[1]
    return !(name in migrations) && needs !== undefined && needs > newest.slice(0, 4)
  })
  if (breaking.length > 0)
    throw new Error(
      `a newer version has removed what this one needs (${breaking.sort().join(', ')}): start that version, or restore a backup from before it`,
    )
}

async function listApplied(db: Kysely<Tables>): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
    return rows.map(({ name }) => name)
  } catch (error) {
    if (isMissingTable(error)) return []
    throw error
  }
}

async function applyAll(db: Kysely<Tables>): Promise<void> {
  // Read again: another process may have migrated meanwhile. Those of a newer version are not ours to order.
  const known = new Set([...Object.keys(migrations), ...(await listApplied(db))])
  const noop = { up: async () => {} }
  const all = Object.fromEntries([...known].sort().map((name) => [name, migrations[name] ?? noop]))
  const provider = { getMigrations: async () => all }
  const { error } = await new Migrator({ db, provider, allowUnorderedMigrations: true }).migrateToLatest()
  if (error)
    throw error instanceof Error ? error : new Error('the database could not be migrated', { cause: error })
}

async function untilUnlocked<T>(work: () => Promise<T>, end: number): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (cause) {
      if (!waitedForLock(cause)) throw cause
      if (performance.now() > end)
        throw new Error(
          'another process migrates it, or holds a lock on its tables: let that end, then start again',
        )
      await sleep(RETRY_MS)
    }
  }
}
