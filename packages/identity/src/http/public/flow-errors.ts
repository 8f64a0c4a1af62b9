import type { Context } from '../../contract/contract.ts'
import { newId } from '../../crypto/random.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { findError } from '../../storage/errors.ts'
import { ZERO_TIME } from '../admin/zero-time.ts'
import type { Http } from '../request.ts'

/** The error that a browser was redirected to show. `stub:500` is a sample. */
export async function showFlowError(ctx: Context, c: Http): Promise<Response> {
  const id = c.req.query('id') ?? c.req.query('error') ?? ''
  if (id === 'stub:500') {
    const error = {
      code: 500,
      status: 'Internal Server Error',
      reason: 'This is a sample error.',
      message: 'A sample.',
    }
    return c.json({ id: newId(), error, created_at: ZERO_TIME, updated_at: ZERO_TIME })
  }
  const found = await findError(ctx.db, id)
  if (!found) throw new ProtocolError({ status: 404, message: 'This error does not exist.' })
  return c.json(found)
}
