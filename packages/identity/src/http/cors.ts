import type { Context, MiddlewareHandler } from 'hono'
import type { Config } from '../config/config.ts'
import { originMatcher } from '../config/values.ts'

type Across = Config['serve']['public']['cors']

/** In seconds (SEC-38). */
const LONGEST_MAX_AGE = 600

/** Excludes `*` with credentials and the origin `null` (SEC-38). */
export function cors(settings: Across): MiddlewareHandler {
  const isAllowed = originMatcher(settings.allowed_origins)
  const exposed = settings.exposed_headers.join(', ')
  const answerPreflight = preflight(settings, isAllowed)
  return async (c, next) => {
    const origin = c.req.header('origin') ?? ''
    const method = c.req.header('access-control-request-method')
    if (c.req.method === 'OPTIONS' && method !== undefined) return answerPreflight(c, origin, method)
    c.header('Vary', 'Origin', { append: true })
    if (isAllowed(origin)) {
      allowOrigin(c, settings, origin)
      if (exposed !== '') c.header('Access-Control-Expose-Headers', exposed)
    }
    return await next()
  }
}

function preflight(settings: Across, isAllowed: (origin: string) => boolean) {
  const allowedHeaders = new Set(['origin', ...settings.allowed_headers.map((name) => name.toLowerCase())])
  const max_age = Math.min(settings.max_age, LONGEST_MAX_AGE)
  return (c: Context, origin: string, method: string): Response => {
    c.header('Vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers')
    const headers = c.req.header('access-control-request-headers') ?? ''
    const allowed = settings.allowed_methods.includes(method) && areListed(headers, allowedHeaders)
    if (!allowed || !isAllowed(origin)) return c.body(null, 204)
    allowOrigin(c, settings, origin)
    c.header('Access-Control-Allow-Methods', method)
    if (headers !== '') c.header('Access-Control-Allow-Headers', headers)
    if (max_age > 0) c.header('Access-Control-Max-Age', String(max_age))
    return c.body(null, 204)
  }
}

function allowOrigin(c: Context, { allow_credentials }: Across, origin: string): void {
  c.header('Access-Control-Allow-Origin', origin)
  if (allow_credentials) c.header('Access-Control-Allow-Credentials', 'true')
}

/** Browsers send the names in lower case and sorted (Fetch, CORS-preflight). */
function areListed(headers: string, allowedHeaders: ReadonlySet<string>): boolean {
  const names = headers.split(',').map((name) => name.trim())
  const isSorted = names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name)
  return headers === '' || (isSorted && names.every((name) => allowedHeaders.has(name)))
}
