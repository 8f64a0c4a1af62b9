import type { Config } from '../config/config.ts'

export type Once = <Value>(make: Make<Value>) => Value

type Make<Value> = (config: Config) => Value

/** `make` is the cache key, so it must be a module-level function. `kept` values come from an earlier cache. */
export function createOnce(config: Config, kept: ReadonlyMap<Make<unknown>, unknown> = new Map()): Once {
  const made = new Map<unknown, unknown>(kept)
  return <Value>(make: Make<Value>) => {
    if (!made.has(make)) made.set(make, make(config))
    return made.get(make) as Value
  }
}
