import type { Context } from '../contract.ts'
import { ProtocolError } from '../errors.ts'
import { pingDatabase } from '../storage/db.ts'
import type { Http } from './request.ts'

/** 200 while the database answers, else 503. Why is in the log, not in the answer. */
export async function ready(ctx: Context, c: Http): Promise<Response> {
  try {
    await pingDatabase(ctx.db)
    return c.json({ status: 'ok' })
  } catch (cause) {
    ctx.log.error({ err: cause }, 'the database does not answer')
    throw new ProtocolError({
      status: 503,
      code: 500,
      reason: 'The database does not answer.',
      retryAfter: 1,
    })
  }
}
