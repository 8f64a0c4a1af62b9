import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dialect } from 'kysely'
import { Kysely, PostgresAdapter } from 'kysely'
import { ProtocolError } from '../errors.ts'
import { tightenFiles } from './file-modes.ts'
import { migrate } from './migrate.ts'
import { describePostgres, isPostgresDsn } from './postgres-dsn.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/**
 * Opens the database that a `dsn` names and brings its tables up to date: `memory`, a file's path, `sqlite://path`
 * or `postgres://…` as Ory Kratos writes them (of the query only what belongs to the connection itself counts).
 */
export async function openDatabase(dsn: string): Promise<Db> {
  if (!isPostgresDsn(dsn)) return await migrated(sqliteDialect(sqlitePath(dsn)))
  // Only here: who uses SQLite starts without the driver.
  const { postgresDialect, migratingDialect } = await import('./postgres.ts')
  await (await migrated(migratingDialect(dsn))).destroy()
  return new Kysely<Tables>({ dialect: postgresDialect(dsn) })
}

async function migrated(dialect: Dialect): Promise<Db> {
  const db = new Kysely<Tables>({ dialect })
  try {
    await migrate(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}

/** Takes the rights of group and others from the files of a database; returns which had any. */
export function tightenDatabase(dsn: string): string[] {
  return isPostgresDsn(dsn) ? [] : tightenFiles(sqlitePath(dsn))
}

function sqlitePath(dsn: string): string {
  if (dsn === 'memory' || dsn === 'memory:' || dsn === ':memory:') return ':memory:'
  const path = dsn.replace(/^sqlite:(\/\/)?/, '').replace(/\?.*$/, '')
  return path === '' ? ':memory:' : path
}

/** What a `dsn` names, in words that may be shown: without a password. */
export function describeDatabase(dsn: string): string {
  if (isPostgresDsn(dsn)) return describePostgres(dsn)
  const path = sqlitePath(dsn)
  return path === ':memory:' ? 'in memory, lost at the end' : path
}

/** How often a transaction is begun that PostgreSQL undid in favour of another. */
const TRIES = 5

/**
 * Runs `work` as one transaction; inside a transaction it joins the one that is open. It runs again after a deadlock
 * or a serialisation failure.
 */
export async function withTransaction<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return await work(db)
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!isConflict(error) || tries === TRIES) throw error
      await sleep(randomInt(10 * 2 ** tries))
    }
  }
}

// serialization_failure and deadlock_detected
const CONFLICTS: readonly unknown[] = ['40001', '40P01']

function isConflict(error: unknown): boolean {
  const cause = error instanceof ProtocolError ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && CONFLICTS.includes(cause.code)
}

/** Whether several may write at once, so that a statement can lock what it reads. */
export function locksRows(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
