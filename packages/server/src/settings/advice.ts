import { isAddress, isLoopback } from '@ostiary/identity/serving'
import { applyRules, type Rule } from './conflicts.ts'
import type { Settings } from './env.ts'

/** Valid, but perhaps unintended. Each sentence names the remedy. */
export function adviseOn(settings: Settings): string[] {
  return [...settings.misspellings, ...applyRules(ADVICE, settings)]
}

const ADVICE: readonly Rule[] = [
  ({ production, trusted_proxies }) =>
    production &&
    trusted_proxies === undefined &&
    'TRUSTED_PROXIES is not set: X-Forwarded-For is ignored, and behind a proxy all users count as one client. Set it to the number of proxies before this server, or to 0',
  ({ public_url, identity_url }) => {
    const { hostname, protocol } = new URL(public_url)
    if (identity_url === undefined && isAddress(hostname))
      return 'PUBLIC_URL is an IP address, for which browsers allow no passkeys. Use a host name'
    return (
      protocol === 'http:' &&
      !isLoopback(hostname) &&
      'PUBLIC_URL is http: passwords and cookies travel in the clear. Use https'
    )
  },
  ({ sends_mail, identity_url }) =>
    !sends_mail &&
    identity_url === undefined &&
    'No email is sent: new users cannot verify an address, and nobody can reset a password. Set SMTP_URL to a mail server',
  ({ cors_origins, public_url }) => {
    const foreign = cors_origins.filter((origin) => siteOf(origin) !== siteOf(public_url))
    return (
      foreign.length > 0 &&
      `CORS_ORIGINS names ${foreign.join(', ')}, to which browsers send no cookies of ${new URL(public_url).hostname}. Use origins on the same site`
    )
  },
]

/** Only a list of public suffixes would be exact. */
function siteOf(origin: string): string {
  const { hostname } = new URL(origin)
  return isAddress(hostname) ? hostname : hostname.split('.').slice(-2).join('.')
}
