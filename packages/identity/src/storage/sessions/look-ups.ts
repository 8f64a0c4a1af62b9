import type { DialectAdapter } from 'kysely'
import type { Db } from '../db.ts'

const handles = new WeakMap<DialectAdapter, Db>()

/** The same database, for look-ups of sessions: with PostgreSQL they have a connection of their own. */
export function lookUpsIn(db: Db): Db {
  return handles.get(db.getExecutor().adapter) ?? db
}

/** Lets look-ups in `db` use `own`, which is closed with it. */
export function withLookUps(db: Db, own: Db): Db {
  handles.set(db.getExecutor().adapter, own)
  const destroy = db.destroy.bind(db)
  db.destroy = async () => {
    await Promise.all([destroy(), own.destroy()])
  }
  return db
}
