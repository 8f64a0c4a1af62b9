import type { Http } from './request.ts'

/** Redirects the browser. A GET gets a small page as well, for clients that do not follow redirects. */
export function redirect(c: Http, url: string, status: 302 | 303 | 307): Response {
  c.header('Location', headerSafe(url))
  // The URL of a flow or an emailed link must not leak.
  c.header('Referrer-Policy', 'no-referrer')
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return c.body(null, status)
  c.header('Content-Type', 'text/html; charset=utf-8')
  return c.body('<!doctype html><title>Redirect</title>', status)
}

/** URLs come from a parser; characters that a header cannot contain are escaped anyway. */
function headerSafe(url: string): string {
  return url.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character))
}
