import { originMatcher } from '../config/origin-pattern.ts'
import type { Config } from '../config.ts'

interface Marks {
  readonly origin: string | undefined
  /** The Sec-Fetch-Site header. */
  readonly site: string | undefined
}

/**
 * Whether a browser says that another site made it send this request (SEC-34, SEC-35). Where it says nothing the
 * CSRF token alone decides, and so it does for `Origin: null`, which pages send that keep their address to themselves
 * (`Referrer-Policy: no-referrer`), unless the browser says beside it that they are another site's.
 */
export function isForeignOrigin(config: Config, { origin, site }: Marks): boolean {
  if (origin === undefined) return site === 'cross-site' || site === 'same-site'
  if (origin === 'null') return site === 'cross-site'
  return !ownOrigins(config)(origin)
}

const known = new WeakMap<Config, (origin: string) => boolean>()

function ownOrigins(config: Config): (origin: string) => boolean {
  const before = known.get(config)
  if (before) return before
  const { flows } = config.selfservice
  const screens = [flows.login, flows.registration, flows.verification, flows.recovery, flows.settings]
  const base = config.serve.public.base_url
  const { cors } = config.serve.public
  const isOwn = originMatcher([
    new URL(base).origin,
    ...screens.map(({ ui_url }) => new URL(ui_url, base).origin),
    ...(cors.enabled ? cors.allowed_origins : []),
  ])
  known.set(config, isOwn)
  return isOwn
}
