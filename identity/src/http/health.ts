import type { Context } from '../contract.ts'
import { ProtocolError } from '../errors.ts'
import type { Http } from './request.ts'

/** 200 while the database takes writes, else 503. Why is in the log, not in the answer. */
export async function ready(ctx: Context, c: Http): Promise<Response> {
  try {
    await ctx.heartbeat.assertWritable()
    return c.json({ status: 'ok' })
  } catch (cause) {
    ctx.log.error({ err: cause }, 'the database takes no writes')
    throw new ProtocolError({
      status: 503,
      code: 500,
      reason: 'The database takes no writes.',
      retryAfter: 1,
    })
  }
}
