import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../settings/env-values.ts'

/**
 * Redirects a page to the app's own host: cookies of `127.0.0.1` are not sent to `localhost`, which would
 * break a sign-in. The URL comes from the settings; Host is only compared.
 */
export function canonicalLocation(request: IncomingMessage, public_url: URL): string | undefined {
  if (request.method !== 'GET' || request.headers.host === public_url.host) return undefined
  if (!isLoopback(public_url.hostname)) return undefined
  const requestedHost = request.headers.host?.replace(/:\d+$/, '').toLowerCase()
  if (requestedHost === undefined || requestedHost === public_url.hostname || !isLoopback(requestedHost))
    return undefined
  const path = request.url ?? '/'
  if (!path.startsWith('/') || !isNavigation(request, path)) return undefined
  return public_url.origin + path
}

function isNavigation(request: IncomingMessage, path: string): boolean {
  const mode = request.headers['sec-fetch-mode']
  if (mode !== undefined) return mode === 'navigate' && request.headers['sec-fetch-dest'] !== 'iframe'
  // Older browsers accept HTML, as do some clients of the identity service.
  return /^\/(?!\.ory\/|api\/|demo\/api\/)/.test(path) && (request.headers.accept ?? '').includes('text/html')
}
