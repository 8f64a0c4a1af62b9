import { ProductError } from '../http/errors.ts'

/** Throws 403 for a cross-site or same-site request that carries our cookies. */
export function assertOwnOrigin(headers: Headers, public_url: URL): void {
  const site = headers.get('sec-fetch-site')
  const isOwn = headers.get('origin') === public_url.origin && (site === null || site === 'same-origin')
  // A client without cookies sends a session token, which no site can make a browser send.
  const hasOwnToken = !headers.has('cookie')
  if (isOwn || hasOwnToken) return
  throw new ProductError('forbidden', 403, 'This request did not come from our own pages')
}
