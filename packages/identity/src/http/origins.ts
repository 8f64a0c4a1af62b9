import type { Config } from '../config/config.ts'
import { originMatcher } from '../config/values.ts'
import type { Context } from '../contract/contract.ts'

interface Marks {
  readonly origin: string | undefined
  /** The Sec-Fetch-Site header. */
  readonly site: string | undefined
}

/**
 * Whether the browser reports a cross-site request (SEC-34, SEC-35). Without these headers the CSRF token alone
 * decides. The same holds for `Origin: null`, which pages with `Referrer-Policy: no-referrer` send, unless
 * Sec-Fetch-Site reports another site.
 */
export function isForeignOrigin({ once }: Pick<Context, 'once'>, { origin, site }: Marks): boolean {
  if (origin === undefined) return site === 'cross-site' || site === 'same-site'
  if (origin === 'null') return site === 'cross-site'
  return !once(ownOrigins)(origin)
}

function ownOrigins(config: Config): (origin: string) => boolean {
  const { flows } = config.selfservice
  const screens = [flows.login, flows.registration, flows.verification, flows.recovery, flows.settings]
  const base = config.serve.public.base_url
  const { cors } = config.serve.public
  return originMatcher([
    new URL(base).origin,
    ...screens.map(({ ui_url }) => new URL(ui_url, base).origin),
    ...(cors.enabled ? cors.allowed_origins : []),
  ])
}
