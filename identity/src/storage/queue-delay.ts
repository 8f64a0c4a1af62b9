import type { DatabaseConnection, DialectAdapter, Driver } from 'kysely'
import type { Db } from './db.ts'

const delays = new WeakMap<DialectAdapter, () => number>()

/** For how many milliseconds whoever is next has been waiting for a connection. */
export function queueDelay(db: Db): number {
  return delays.get(db.getExecutor().adapter)?.() ?? 0
}

/** Notes since when each caller waits for a connection of `driver`; they are served in their order. */
export function watchQueue<Watched extends Driver>(driver: Watched, adapter: DialectAdapter): Watched {
  const waiting = new Map<object, number>()
  const acquire = driver.acquireConnection.bind(driver)
  driver.acquireConnection = async (...parameters): Promise<DatabaseConnection> => {
    const place = {}
    waiting.set(place, performance.now())
    try {
      return await acquire(...parameters)
    } finally {
      waiting.delete(place)
    }
  }
  delays.set(adapter, () => {
    const [oldest] = waiting.values()
    return oldest === undefined ? 0 : performance.now() - oldest
  })
  return driver
}
