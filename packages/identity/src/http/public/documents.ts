import type { Context } from '../../contract/contract.ts'
import { NIL_ID, newId } from '../../crypto/random.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { canonicalUuid } from '../../input/plain-text.ts'
import { findError } from '../../storage/flows/flows.ts'
import { ZERO_TIME } from '../bodies.ts'
import type { Http } from '../request.ts'
import { readPage, writePageHeaders } from './pages.ts'

export async function listSchemas(ctx: Context, c: Http): Promise<Response> {
  const all = ctx.schemas.all.map(({ id, raw }) => ({ id, schema: raw }))
  const page = readPage(new URL(c.req.url).searchParams, 0)
  writePageHeaders(c, page, all.length)
  return c.json(all.slice(page.offset, page.offset + page.size))
}

export async function showSchema(ctx: Context, c: Http): Promise<Response> {
  const id = c.req.param('id') ?? ''
  const schema = ctx.schemas.findInUrl(id)
  if (!schema) throw new ProtocolError({ status: 404, reason: 'This identity schema does not exist.' })
  return c.json(schema.raw as object)
}

export async function showFlowError(ctx: Context, c: Http): Promise<Response> {
  const id = c.req.query('error') || c.req.query('id') || ''
  if (id === 'stub:500') {
    const error = {
      code: 500,
      status: 'Internal Server Error',
      reason: 'This is a sample error.',
      message: 'A sample.',
    }
    return c.json({ id: newId(), error, created_at: ZERO_TIME, updated_at: ZERO_TIME })
  }
  const storedError = await findError(ctx.db, canonicalUuid(id) ?? NIL_ID)
  if (!storedError) throw new ProtocolError({ status: 404, message: 'This error does not exist.' })
  return c.json(storedError)
}
