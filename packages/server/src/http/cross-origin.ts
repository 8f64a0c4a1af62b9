import type { MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { ProductError } from './errors.ts'

/** How long a browser may remember a preflight, in seconds (SEC-38). */
const PREFLIGHT_MAX_AGE = 600

/** Lets scripts of these origins read responses, with cookies. */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler {
  return cors({ origin: [...origins], credentials: true, maxAge: PREFLIGHT_MAX_AGE })
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** Answers 403 to changes that a page of another origin makes with our cookies. */
export function requireKnownOrigin(ownOrigin: string, otherOrigins: readonly string[]): MiddlewareHandler {
  return async ({ req }, next) => {
    // Without cookies the caller sends a session token, which no site can make a browser send.
    const isHarmless = SAFE_METHODS.includes(req.method) || req.header('cookie') === undefined
    const origin = req.header('origin') ?? ''
    const site = req.header('sec-fetch-site') ?? 'same-origin'
    const isKnown = (origin === ownOrigin && site === 'same-origin') || otherOrigins.includes(origin)
    if (!isHarmless && !isKnown)
      throw new ProductError('forbidden', 403, 'This request did not come from our own pages')
    await next()
  }
}
