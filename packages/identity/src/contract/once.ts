import type { Config } from '../config/config.ts'

export type Once = <Value>(make: (config: Config) => Value) => Value

/** `make` is the cache key, so it must be a module-level function. */
export function createOnce(config: Config): Once {
  const made = new Map<unknown, unknown>()
  return <Value>(make: (config: Config) => Value) => {
    if (!made.has(make)) made.set(make, make(config))
    return made.get(make) as Value
  }
}
