import { Kysely } from 'kysely'
import { migrate } from './migrate.ts'
import { sqliteDialect } from './sqlite.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

/**
 * Opens the database that a `dsn` names and brings its tables up to date: `memory`, a file's path, or
 * `sqlite://path` as Ory Kratos writes it (its query is Kratos' own driver's and is ignored).
 */
export async function openDatabase(dsn: string): Promise<Db> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(sqlitePath(dsn)) })
  await migrate(db)
  return db
}

/** The file that a `dsn` names; undefined for a database in memory. */
export function sqlitePath(dsn: string): string {
  if (dsn === 'memory' || dsn === 'memory:' || dsn === ':memory:') return ':memory:'
  const path = dsn.replace(/^sqlite:(\/\/)?/, '').replace(/\?.*$/, '')
  return path === '' ? ':memory:' : path
}

/** Runs `work` as one transaction; inside a transaction it joins the one that is open. */
export async function withTransaction<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  if (db.isTransaction) return await work(db)
  return await db.transaction().execute(work)
}

/** Throws when the database does not answer. */
export async function pingDatabase(db: Db): Promise<void> {
  await db.selectFrom('flows').select('id').limit(1).execute()
}
