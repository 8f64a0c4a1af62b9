import type { Config } from '../config/config.ts'

export type Once = <Value>(make: Make<Value>) => Value

type Make<Value> = (config: Config) => Value

/** `make` is the cache key, so it must be a module-level function. `keptValues` come from an earlier cache. */
export function createOnce(
  config: Config,
  keptValues: ReadonlyMap<Make<unknown>, unknown> = new Map(),
): Once {
  const values = new Map<unknown, unknown>(keptValues)
  return <Value>(make: Make<Value>) => {
    if (!values.has(make)) values.set(make, make(config))
    return values.get(make) as Value
  }
}
