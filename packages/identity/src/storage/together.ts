import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { DialectAdapter } from 'kysely'
import type { Db } from './db.ts'

interface Waiting<Found> {
  readonly keys: Set<string>
  readonly found: Promise<ReadonlyMap<string, Found>>
}

/**
 * Finds by one statement what requests of the same turn of the event loop look for. The statement begins after them all,
 * so none misses what was committed before it. Not for transactions, which have a connection of their own.
 */
export function together<Found>(
  find: (db: Db, keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): (db: Db, key: string) => Promise<Found | undefined> {
  const waiting = new WeakMap<DialectAdapter, Waiting<Found>>()
  const begin = (db: Db): Waiting<Found> => {
    const { adapter } = db.getExecutor()
    const keys = new Set<string>()
    const found = endOfTurn().then(() => {
      waiting.delete(adapter)
      return find(db, [...keys])
    })
    const begun = { keys, found }
    waiting.set(adapter, begun)
    return begun
  }
  return async (db, key) => {
    const { keys, found } = waiting.get(db.getExecutor().adapter) ?? begin(db)
    keys.add(key)
    return (await found).get(key)
  }
}
