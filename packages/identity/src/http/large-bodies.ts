import type { MiddlewareHandler } from 'hono'
import type { Context } from '../contract/contract.ts'

/** Reads a few bodies per turn of the event loop. */
export function bodiesInTurn({ admission }: Context): MiddlewareHandler {
  return async (c, next) => {
    // Without a length it may be of any.
    await admission.waitToRead(Number(c.req.header('content-length') ?? Number.POSITIVE_INFINITY))
    return await next()
  }
}
