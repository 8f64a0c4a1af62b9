import { createHmac } from 'node:crypto'
import manifest from '../../package.json' with { type: 'json' }
import type { Config } from './config.ts'

declare const BUILD_COMMIT: string | undefined

/** With the commit as build metadata (Semantic Versioning) if the build knew it. */
export const VERSION = [
  manifest.version,
  ...(typeof BUILD_COMMIT === 'string' && BUILD_COMMIT !== '' ? [BUILD_COMMIT.slice(0, 12)] : []),
].join('+')

const VERSIONS = new Intl.Collator('en', { numeric: true })

/** Whether the clients expect the responses of an Ory Kratos after v26.2.0. */
export function isForLaterKratos({ version = '' }: Pick<Config, 'version'>): boolean {
  return VERSIONS.compare(version, 'v26.2.0') > 0
}

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
