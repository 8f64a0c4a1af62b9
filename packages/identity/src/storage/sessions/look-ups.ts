import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { Db } from '../db.ts'

interface Recent<Made> {
  /**
   * Reuses the value of an equal text, because parsing takes longer than reading. Compares the whole text, so
   * no change is missed.
   */
  reuse(key: string, text: string | undefined, make: (text: string) => Made): Made | undefined
}

/** @param most values to keep; the least recently used is dropped */
export function createRecent<Made>(most: number): Recent<Made> {
  const entries = new Map<string, { readonly text: string; readonly made: Made }>()
  return {
    reuse(key, text, make) {
      const keptEntry = entries.get(key)
      entries.delete(key)
      // Attackers send unknown keys for free, so these displace nothing.
      if (text === undefined) return undefined
      const entry = keptEntry?.text === text ? keptEntry : { text, made: make(text) }
      if (entries.size >= most) entries.delete(entries.keys().next().value ?? '')
      entries.set(key, entry)
      return entry.made
    },
  }
}

interface Batch<Found> {
  readonly keys: Set<string>
  readonly results: Promise<ReadonlyMap<string, Found>>
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
    const results = endOfTurn().then(() => {
      batches.delete(db)
      return find(db, [...keys])
    })
    const batch = { keys, results }
    batches.set(db, batch)
    return batch
  }
  return async (db, key) => {
    const { keys, results: found } = batches.get(db) ?? begin(db)
    keys.add(key)
    return (await found).get(key)
  }
}
