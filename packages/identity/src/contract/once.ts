import type { Config } from '../config/config.ts'

/** Makes a value from the configuration at its first use and returns the same one from then on. */
export type Once = <Value>(make: (config: Config) => Value) => Value

/**
 * The caches of one configuration: they end with it. `make` is the key, so it must be a function of a module, not one
 * made for the call.
 */
export function createOnce(config: Config): Once {
  const made = new Map<unknown, unknown>()
  return <Value>(make: (config: Config) => Value) => {
    if (!made.has(make)) made.set(make, make(config))
    return made.get(make) as Value
  }
}
