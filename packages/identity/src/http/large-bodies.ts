import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MiddlewareHandler } from 'hono'

/** More than any form of ours: password managers and passkeys stay below. */
const LARGE = 16 * 1024

/**
 * Begins one large body in each turn of the event loop. A hundred at once, some milliseconds each, would otherwise hold
 * up every other request until all of them are read (SEC-64).
 */
export function largeBodiesInTurn(): MiddlewareHandler {
  let last = Promise.resolve()
  return async (c, next) => {
    // Without a length it may be of any.
    const length = Number(c.req.header('content-length') ?? Number.POSITIVE_INFINITY)
    if (length > LARGE) {
      last = last.then(() => nextTurn())
      await last
    }
    return await next()
  }
}
