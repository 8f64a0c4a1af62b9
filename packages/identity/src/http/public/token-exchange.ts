import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { redeemExchange } from '../../sessions/exchange.ts'
import { deliveredSession } from '../../sessions/show.ts'
import type { Http } from '../request.ts'

/** A native app exchanges its two codes, once, for the session that was started in a browser. */
export async function exchangeToken(ctx: Context, c: Http): Promise<Response> {
  const init_code = c.req.query('init_code')
  const return_to_code = c.req.query('return_to_code')
  if (!init_code || !return_to_code) {
    throw new ProtocolError({ status: 400, reason: 'init_code and return_to_code must both be given.' })
  }
  const found = await redeemExchange(ctx, init_code, return_to_code)
  // Kratos compatibility: the devices are omitted.
  return c.json({ session_token: found.token, session: { ...deliveredSession(ctx, found), devices: [] } })
}
