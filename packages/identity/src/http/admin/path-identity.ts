import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import type { StoredIdentity } from '../../storage/identities/identities.ts'
import { findIdentity } from '../../storage/identities/identities.ts'
import type { Http } from '../request.ts'
import { canonicalUuid } from './uuid.ts'

/** The identity whose id the path contains. Throws 404. */
export async function getIdentity(ctx: Context, c: Http): Promise<StoredIdentity> {
  const found = await findIdentity(ctx.db, pathId(c))
  if (!found) throw noSuchIdentity()
  return found
}

/** The id in the path; empty if it is not a UUID, because no identity has it. */
export function pathId(c: Http): string {
  return canonicalUuid(c.req.param('id') ?? '') ?? ''
}

export function noSuchIdentity(): ProtocolError {
  return new ProtocolError({ status: 404, message: 'This identity does not exist.' })
}
