import { identityPrefix } from './identity-gateway.ts'

export interface Addresses {
  readonly ours: string
  /** Its base URL and the URL at which we reach it. */
  readonly theirs: readonly URL[]
}

/** Public paths. Everything else is unreachable, above all the admin API. */
const areas = ['/self-service', '/sessions', '/schemas', '/.well-known', '/health']

// No escapes: the other service could decode `%2f` differently.
const plainPath = /^(?:\/[\w.~@:+=,-]+)+\/?$/

export function isPassedOn(path: string): boolean {
  return plainPath.test(path) && areas.some((area) => path === area || path.startsWith(`${area}/`))
}

/**
 * Rewrites a URL to the same path below `/.ory`. URLs in queries stay, because they return to the service.
 */
export function toOurs(address: string, { ours, theirs }: Addresses): string {
  if (address.startsWith('/'))
    return isPassedOn(address.split(/[?#]/, 1)[0] ?? '') ? identityPrefix + address : address
  const url = URL.parse(address)
  if (!url) return address
  const path = theirs.map((base) => pathBelow(base, url)).find((found) => found !== undefined)
  return path === undefined ? address : ours + path + url.search + url.hash
}

/** http and https are equivalent: a service behind a TLS proxy may see either. */
function pathBelow(base: URL, { host, pathname }: URL): string | undefined {
  const above = base.pathname.replace(/\/$/, '')
  if (host !== base.host || !pathname.startsWith(`${above}/`)) return undefined
  const path = pathname.slice(above.length)
  return isPassedOn(path) ? path : undefined
}
