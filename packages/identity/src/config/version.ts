import { createHmac } from 'node:crypto'
import type { Config } from './config.ts'

/** The version of the service, as its package has it. */
export const VERSION = '0.1.0'

/** Identifies the configuration in effect: its own `revision`, or a text that changes with it. */
export function revisionOf(config: Config): string {
  const { revision, secrets } = config
  // Keyed, because a plain hash would allow guessing secret settings.
  return (
    revision ??
    createHmac('sha256', secrets.default[0] ?? '')
      .update(JSON.stringify(config, (_, value) => (typeof value === 'function' ? String(value) : value)))
      .digest('hex')
  )
}
