import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { Db } from '../db.ts'

interface Batch<Found> {
  readonly keys: Set<string>
  readonly found: Promise<ReadonlyMap<string, Found>>
}

/**
 * Combines look-ups of one event-loop turn into a statement that starts after the last of them, so
 * none misses an earlier commit. Not for transactions.
 */
export function batchPerTurn<Found>(
  find: (db: Db, keys: readonly string[]) => Promise<ReadonlyMap<string, Found>>,
): (db: Db, key: string) => Promise<Found | undefined> {
  const batches = new Map<Db, Batch<Found>>()
  const begin = (db: Db): Batch<Found> => {
    const keys = new Set<string>()
    const found = endOfTurn().then(() => {
      batches.delete(db)
      return find(db, [...keys])
    })
    const batch = { keys, found }
    batches.set(db, batch)
    return batch
  }
  return async (db, key) => {
    const { keys, found } = batches.get(db) ?? begin(db)
    keys.add(key)
    return (await found).get(key)
  }
}
