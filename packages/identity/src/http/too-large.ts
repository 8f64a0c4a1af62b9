import type { Context } from '../contract/contract.ts'
import { ProtocolError } from '../errors/errors.ts'
import { failed } from './errors.ts'
import type { Http } from './request.ts'

/** Clients keep sending before they read a response: up to here the body is read and discarded. */
const PATIENCE_BYTES = 5 * 1024 * 1024

/**
 * 413. A client that is still sending when the connection closes sees a broken connection instead of the response, so
 * the rest of a moderately sized body is read first; for a larger one the connection is closed (FLT-15).
 */
export async function tooLarge(ctx: Context, c: Http, reason: string): Promise<Response> {
  const announced = Number(c.req.header('content-length') ?? 0)
  const bearable = announced <= PATIENCE_BYTES && (await drained(c.req.raw.body))
  if (!bearable) c.header('Connection', 'close')
  return await failed(ctx, c, new ProtocolError({ status: 413, reason }), 'data')
}

async function drained(body: ReadableStream<Uint8Array> | null): Promise<boolean> {
  if (!body || body.locked) return false
  let left = PATIENCE_BYTES
  for await (const chunk of body) {
    left -= chunk.length
    if (left < 0) return false
  }
  return true
}
