import { isIP } from 'node:net'
import type { Settings } from './env.ts'
import { isLoopback } from './env-values.ts'

/** Valid, but perhaps unintended. Each sentence names the remedy. */
export function adviseOn(settings: Settings): string[] {
  return [
    ...settings.misspellings,
    ...unknownProxies(settings),
    ...addressOfHost(settings),
    ...noMail(settings),
    ...foreignOrigins(settings),
  ]
}

function* unknownProxies({ production, trusted_proxies }: Settings) {
  if (production && trusted_proxies === undefined)
    yield 'TRUSTED_PROXIES is not set: X-Forwarded-For is ignored, and behind a proxy all users count as one client. Set it to the number of proxies before this server, or to 0'
}

function* addressOfHost({ public_url, identity_url }: Settings) {
  const { hostname, protocol } = new URL(public_url)
  if (identity_url === undefined && isAddress(hostname))
    yield 'PUBLIC_URL is an IP address, for which browsers allow no passkeys. Use a host name'
  else if (protocol === 'http:' && !isLoopback(hostname))
    yield 'PUBLIC_URL is http: passwords and cookies travel in the clear. Use https'
}

/** Only a list of public suffixes would find all of them. */
function* foreignOrigins({ cors_origins, public_url }: Settings) {
  const site = siteOf(public_url)
  const foreign = cors_origins.filter((origin) => siteOf(origin) !== site)
  if (foreign.length > 0)
    yield `CORS_ORIGINS names ${foreign.join(', ')}, to which browsers send no cookies of ${new URL(public_url).hostname}. Use origins on the same site`
}

function siteOf(origin: string): string {
  const { hostname } = new URL(origin)
  return isAddress(hostname) ? hostname : hostname.split('.').slice(-2).join('.')
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) > 0
}

function* noMail({ sends_mail, identity_url }: Settings) {
  if (!sends_mail && identity_url === undefined)
    yield 'No email is sent: new users cannot verify an address, and nobody can reset a password. Set SMTP_URL to a mail server'
}
