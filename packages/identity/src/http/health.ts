import type { Context } from '../contract/contract.ts'
import { ProtocolError } from '../errors/errors.ts'
import type { Http } from './request.ts'

/** 200 while the database accepts writes, else 503. The reason is logged, not sent. */
export async function ready(ctx: Context, c: Http): Promise<Response> {
  try {
    await ctx.heartbeat.assertWritable()
    return c.json({ status: 'ok' })
  } catch (cause) {
    throw new ProtocolError({
      status: 503,
      code: 500,
      reason: 'The database does not accept writes.',
      retryAfter: 1,
      cause,
    })
  }
}
