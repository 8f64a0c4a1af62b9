import { createHmac } from 'node:crypto'
import type { Config } from './config.ts'

export const VERSION = '0.1.0'

/** Its `revision`, or a MAC that changes with it. */
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
