import type { DatabaseConnection, DialectAdapter, Driver } from 'kysely'
import type { Db } from './db.ts'
import { lookUpsIn } from './sessions/look-ups.ts'
import type { DatabaseWatch } from './watched-driver.ts'

/** How a request uses the database: with SQLite reads do not wait for writers, with PostgreSQL look-ups for nothing else. */
export type Need = 'look-up' | 'read' | 'write'

const delays = new WeakMap<DialectAdapter, (need: Need) => number>()

/** How many milliseconds the next caller has been waiting for a connection or for other writers. */
export function queueDelay(db: Db, need: Need): number {
  const used = need === 'look-up' ? lookUpsIn(db) : db
  return delays.get(used.getExecutor().adapter)?.(need) ?? 0
}

/** Reports `delay` for writers only. */
export function watchWrites(adapter: DialectAdapter, delay: () => number): void {
  delays.set(adapter, (need) => (need === 'write' ? delay() : 0))
}

/** Measures how long callers wait for a connection of `driver`; they are served in order. */
export function watchQueue<Watched extends Driver>(
  driver: Watched,
  adapter: DialectAdapter,
  waited: DatabaseWatch['waited'],
): Watched {
  const waiting = new Map<object, number>()
  const acquire = driver.acquireConnection.bind(driver)
  driver.acquireConnection = async (...parameters): Promise<DatabaseConnection> => {
    const place = {}
    const since = performance.now()
    waiting.set(place, since)
    try {
      return await acquire(...parameters)
    } finally {
      waited(performance.now() - since)
      waiting.delete(place)
    }
  }
  delays.set(adapter, () => {
    const [oldest] = waiting.values()
    return oldest === undefined ? 0 : performance.now() - oldest
  })
  return driver
}
