import type { Config } from '../config.ts'

interface Marks {
  readonly origin: string | undefined
  /** The Sec-Fetch-Site header. */
  readonly site: string | undefined
}

/**
 * Whether a browser says that another site made it send this request (SEC-34, SEC-35). Where it says nothing the
 * CSRF token alone decides; `Origin: null` counts as ours only when the browser says so beside it.
 */
export function isForeignOrigin(config: Config, { origin, site }: Marks): boolean {
  if (origin === undefined) return site === 'cross-site' || site === 'same-site'
  if (origin === 'null') return site !== 'same-origin'
  return !ownOrigins(config).has(origin)
}

const known = new WeakMap<Config, ReadonlySet<string>>()

function ownOrigins(config: Config): ReadonlySet<string> {
  let origins = known.get(config)
  if (!origins) {
    const { flows } = config.selfservice
    const screens = [flows.login, flows.registration, flows.verification, flows.recovery, flows.settings]
    const base = config.serve.public.base_url
    const { cors } = config.serve.public
    origins = new Set([
      new URL(base).origin,
      ...screens.map(({ ui_url }) => new URL(ui_url, base).origin),
      ...(cors.enabled ? cors.allowed_origins.filter((entry) => !entry.includes('*')) : []),
    ])
    known.set(config, origins)
  }
  return origins
}
