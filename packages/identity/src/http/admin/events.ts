import type { Context } from '../../contract/contract.ts'
import { listEvents } from '../../storage/events.ts'
import type { Http } from '../request.ts'
import { badRequest } from './body.ts'
import { onePage, pageSize, writeKeysetLinks } from './pages.ts'
import { getIdentity } from './path-identity.ts'
import { canonicalUuid } from './uuid.ts'

const DEFAULT_SIZE = 50
const LARGEST_SIZE = 500

/** The security events of an account, newest first. Kratos has none; 404 for an unknown account. */
export async function listIdentityEvents(ctx: Context, c: Http): Promise<Response> {
  const limit = pageSize(c.req.query('page_size'), DEFAULT_SIZE, LARGEST_SIZE)
  const before = c.req.query('page_token') || undefined
  if (before !== undefined && canonicalUuid(before) === undefined) throw badRequest('page_token is invalid.')
  const identity = await getIdentity(ctx, c)
  const { page, last } = onePage(await listEvents(ctx.db, identity.id, { limit: limit + 1, before }), limit)
  writeKeysetLinks(c, limit, '', last?.id)
  return c.json(page)
}
