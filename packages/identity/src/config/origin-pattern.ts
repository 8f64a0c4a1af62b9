/**
 * Whether this is an origin with at most one wildcard label (`https://*.my-app.example`,
 * `https://preview-*.my-app.example`). The wildcard stands for one label or a part of it, and the last two labels are
 * fixed, so that a pattern covers one domain and not a whole registry.
 */
export function isOriginPattern(entry: string): boolean {
  const [, host] = /^https?:\/\/([^/\s]+)\/?$/i.exec(entry) ?? []
  if (host === undefined) return false
  if (!host.includes('*')) return URL.canParse(entry)
  return /^[a-z0-9-]*\*[a-z0-9-]*(\.[a-z0-9-]+){2,}(:\d+)?$/i.test(host)
}

/**
 * Returns a function that tells whether the list contains an origin: exact, except for wildcards. Invalid entries match
 * nothing.
 */
export function originMatcher(entries: readonly string[]): (origin: string) => boolean {
  const known = entries.filter(isOriginPattern)
  const exact = new Set(known.filter((entry) => !entry.includes('*')).map((entry) => new URL(entry).origin))
  const patterns = known.filter((entry) => entry.includes('*')).map(toExpression)
  return (origin) => exact.has(origin) || patterns.some((pattern) => pattern.test(origin))
}

function toExpression(entry: string): RegExp {
  const escaped = entry.toLowerCase().replace(/\/$/, '').replaceAll('.', '\\.')
  return new RegExp(`^${escaped.replace('*', '[a-z0-9-]+')}$`)
}
