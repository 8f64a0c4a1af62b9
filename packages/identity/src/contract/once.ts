import type { Config } from '../config/config.ts'

/** Builds a value at its first use and caches it. */
export type Once = <Value>(make: (config: Config) => Value) => Value

/** Caches of one configuration. `make` is the key, so it must be a module-level function. */
export function createOnce(config: Config): Once {
  const made = new Map<unknown, unknown>()
  return <Value>(make: (config: Config) => Value) => {
    if (!made.has(make)) made.set(make, make(config))
    return made.get(make) as Value
  }
}
