import type { Http } from './request.ts'

/** Sends the browser on. A GET is answered with a small page too, for clients that follow nothing. */
export function redirect(c: Http, url: string, status: 302 | 303 | 307): Response {
  c.header('Location', headerSafe(url))
  // The address of a flow or of a mailed link is nobody else's business.
  c.header('Referrer-Policy', 'no-referrer')
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') return c.body(null, status)
  c.header('Content-Type', 'text/html; charset=utf-8')
  return c.body('<!doctype html><title>Redirect</title>', status)
}

/** Addresses come from parsed URLs; what a header could not carry is escaped all the same. */
function headerSafe(url: string): string {
  return url.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character))
}
