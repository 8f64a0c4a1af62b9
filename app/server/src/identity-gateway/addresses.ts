import { identityPrefix } from './identity-gateway.ts'

export interface Addresses {
  /** The public URL of the service: `https://app.example/.ory`. */
  readonly ours: string
  /** What the other service calls itself, and where we reach it: not always the same. */
  readonly theirs: readonly URL[]
}

/** What the other service serves to users below its base URL. All else is unreachable, the admin API above all. */
const areas = ['/self-service', '/sessions', '/schemas', '/.well-known', '/health']

// No escapes: `%2f` and the like mean one thing here and another where they are decoded.
const plainPath = /^(?:\/[\w.~@:+=,-]+)+\/?$/

export function isPassedOn(path: string): boolean {
  return plainPath.test(path) && areas.some((area) => path === area || path.startsWith(`${area}/`))
}

/**
 * The same place below `/.ory`, for a URL that the other service emitted of itself; any other URL stays as
 * it is. URLs inside a query stay too: they return to the service, which knows them.
 */
export function toOurs(address: string, { ours, theirs }: Addresses): string {
  if (address.startsWith('/')) return isPassedOn(pathOf(address)) ? identityPrefix + address : address
  const url = URL.parse(address)
  if (!url) return address
  const path = theirs.map((base) => pathBelow(base, url)).find((found) => found !== undefined)
  return path === undefined ? address : ours + path + url.search + url.hash
}

/** http and https are equivalent: behind a proxy that ends TLS a service may see either. */
function pathBelow(base: URL, { host, pathname }: URL): string | undefined {
  const above = base.pathname.replace(/\/$/, '')
  if (host !== base.host || !pathname.startsWith(`${above}/`)) return undefined
  const path = pathname.slice(above.length)
  return isPassedOn(path) ? path : undefined
}

function pathOf(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? ''
}
