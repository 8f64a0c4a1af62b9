import { identityPrefix } from './identity-gateway.ts'

export interface Addresses {
  /** Where people reach the service: `https://app.example/.ory`. */
  readonly ours: string
  /** What the other service calls itself, and where we reach it: not always the same. */
  readonly theirs: readonly URL[]
}

/** What the other service answers people below its base. All else stays out of reach, the admin API above all. */
const areas = ['/self-service', '/sessions', '/schemas', '/.well-known', '/health']

// No escapes: `%2f` and its kind mean one thing here and another where they are decoded.
const plainPath = /^(?:\/[\w.~@:+=,-]+)+\/?$/

export function isPassedOn(path: string): boolean {
  return plainPath.test(path) && areas.some((area) => path === area || path.startsWith(`${area}/`))
}

/**
 * The same place below `/.ory`, for an address that the other service gave of itself; any other address stays as
 * it is. Addresses inside a query stay too: they come back to the service, which knows them.
 */
export function toOurs(address: string, { ours, theirs }: Addresses): string {
  if (address.startsWith('/')) return isPassedOn(pathOf(address)) ? identityPrefix + address : address
  const url = URL.parse(address)
  if (!url) return address
  const path = theirs.map((base) => pathBelow(base, url)).find((found) => found !== undefined)
  return path === undefined ? address : ours + path + url.search + url.hash
}

/** http and https are not told apart: behind a proxy that ends TLS a service may see itself either way. */
function pathBelow(base: URL, { host, pathname }: URL): string | undefined {
  const above = base.pathname.replace(/\/$/, '')
  if (host !== base.host || !pathname.startsWith(`${above}/`)) return undefined
  const path = pathname.slice(above.length)
  return isPassedOn(path) ? path : undefined
}

function pathOf(address: string): string {
  return address.split(/[?#]/, 1)[0] ?? ''
}
