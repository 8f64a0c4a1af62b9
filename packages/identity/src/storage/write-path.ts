import { type CompiledQuery, sql } from 'kysely'
import { isPostgres } from './database.ts'
import { type Operation, type Statement, tableOf } from './database-watch.ts'
import type { Db } from './db.ts'
import { causeOf, type FailureCause } from './driver-errors.ts'

/** Whether statements that failed would fail again. Other tables, such as the heartbeat's, may still accept writes. */
export interface WritePath {
  failed(operation: Operation, statement: Statement): void
  /** Throws while a recorded failure persists. */
  assertWorks(db: Db): Promise<void>
}

/** A bound for raw statements. */
const MOST_SUSPECTS = 50

export function createWritePath(): WritePath {
  const suspects = new Map<string, CompiledQuery>()
  let wasLocked = false
  return {
    failed(operation, { query, error }) {
      const cause = causeOf(error)
      if (isWait(cause)) wasLocked = true
      if (!query || operation === 'select' || !isBroken(cause)) return
      if (suspects.size < MOST_SUSPECTS) suspects.set(`${operation} ${tableOf(query) ?? query.sql}`, query)
    },
    async assertWorks(db) {
      if (wasLocked && isPostgres(db)) await assertUnlocked(db)
      wasLocked = false
      for (const [name, query] of suspects) {
        await repeatAndUndo(db, query)
        if (suspects.get(name) === query) suspects.delete(name)
      }
    },
  }
}

/** A wait for a row ends by itself, unlike one for a table. A pooler has no lock timeout. */
function isWait(cause: FailureCause | undefined): boolean {
  return cause === 'lock' || cause === 'timeout'
}

function isBroken(cause: FailureCause | undefined): boolean {
  return cause === 'disk_full' || cause === 'io' || cause === 'damaged'
}

/** https://www.postgresql.org/docs/current/explicit-locking.html: those that conflict with writes. */
const LOCKS = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

async function assertUnlocked(db: Db): Promise<void> {
  const lock = await findTableLock(db).catch((error: unknown) => {
    // Other databases that speak PostgreSQL's protocol may lack these tables.
    if (causeOf(error) !== 'other') throw error
  })
  if (lock) throw new Error(`process ${lock.pid} of PostgreSQL locks the table ${lock.relname}`)
}

async function findTableLock(db: Db) {
  const { rows } = await sql<{ relname: string; pid: number | null }>`
    select c.relname, l.pid from pg_locks l join pg_class c on c.oid = l.relation
    where l.locktype = 'relation' and l.granted and l.mode in (${sql.join(LOCKS)}) and c.relkind = 'r'
      and l.database = (select oid from pg_database where datname = current_database())
      and c.relnamespace = (select oid from pg_namespace where nspname = current_schema())
    limit 1`.execute(db)
  return rows[0]
}

class Undone extends Error {}

/** A full disk or a damaged page shows before the commit. */
async function repeatAndUndo(db: Db, query: CompiledQuery): Promise<void> {
  const undo = async (db: Db) => {
    await db.executeQuery(query)
    throw new Undone()
  }
  await db
    .transaction()
    .execute(undo)
    .catch((error: unknown) => {
      // Any other failure, such as a duplicate, is the statement's own.
      if (isBroken(causeOf(error))) throw error
    })
}
