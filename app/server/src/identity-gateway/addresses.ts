import { identityPrefix } from './identity-gateway.ts'

export interface Addresses {
  /** The public URL of the service: `https://app.example/.ory`. */
  readonly ours: string
  /** The base URL of the other service and the URL at which we reach it, which may differ. */
  readonly theirs: readonly URL[]
}

/** Public paths of the other service. Everything else is unreachable, above all its admin API. */
const areas = ['/self-service', '/sessions', '/schemas', '/.well-known', '/health']

// No escapes, because `%2f` could be decoded differently by the other service.
const plainPath = /^(?:\/[\w.~@:+=,-]+)+\/?$/

export function isPassedOn(path: string): boolean {
  return plainPath.test(path) && areas.some((area) => path === area || path.startsWith(`${area}/`))
}

/**
 * Rewrites a URL of the other service to the same path below `/.ory`. Other URLs stay, and so do URLs in queries,
 * which return to the service.
 */
export function toOurs(address: string, { ours, theirs }: Addresses): string {
  if (address.startsWith('/')) return isPassedOn(pathOf(address)) ? identityPrefix + address : address
  const url = URL.parse(address)
  if (!url) return address
  const path = theirs.map((base) => pathBelow(base, url)).find((found) => found !== undefined)
  return path === undefined ? address : ours + path + url.search + url.hash
}

/** http and https are equivalent, because a service behind a TLS proxy may see either. */
function pathBelow(base: URL, { host, pathname }: URL): string | undefined {
  const above = base.pathname.replace(/\/$/, '')
  if (host !== base.host || !pathname.startsWith(`${above}/`)) return undefined
  const path = pathname.slice(above.length)
  return isPassedOn(path) ? path : undefined
}

function pathOf(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? ''
}
