import type { Context } from '../../contract/contract.ts'
import type { Http } from '../request.ts'

/** The metrics in the Prometheus text format. */
export async function metrics(ctx: Context, c: Http): Promise<Response> {
  const { type, text } = await ctx.metrics.expose()
  return c.body(text, 200, { 'Content-Type': type })
}
