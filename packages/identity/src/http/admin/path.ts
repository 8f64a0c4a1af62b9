import { hash } from 'node:crypto'
import type { Context } from '../../contract/contract.ts'
import { NIL_ID } from '../../crypto/random.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { canonicalUuid } from '../../input/plain-text.ts'
import { findIdentity, lockIdentity, type StoredIdentity } from '../../storage/identities/identities.ts'
import type { Http } from '../request.ts'

export async function getIdentity(ctx: Context, c: Http): Promise<StoredIdentity> {
  const foundIdentity = await findIdentity(ctx.db, pathId(c))
  if (!foundIdentity) throw noSuchIdentity()
  return foundIdentity
}

/** Call inside `transact`. Throws 412 if the caller read another version than the stored one (RFC 9110 §13.1.1). */
export async function lockMatching(ctx: Context, c: Http): Promise<StoredIdentity> {
  await lockIdentity(ctx.db, pathId(c))
  const foundIdentity = await getIdentity(ctx, c)
  const entityTags = c.req.header('if-match')?.split(',') ?? ['*']
  if (entityTags.some((tag) => ['*', etagOf(foundIdentity)].includes(tag.trim()))) return foundIdentity
  throw new ProtocolError({ status: 412, message: 'This identity was changed since it was read.' })
}

/** The version of an account, without its credentials. */
export function etagOf(identity: StoredIdentity): string {
  return `"${hash('sha256', JSON.stringify(identity), 'base64url')}"`
}

/** Returns the nil UUID, which matches no identity, unless the path has a UUID. */
function pathId(c: Http): string {
  return canonicalUuid(c.req.param('id') ?? '') ?? NIL_ID
}

export function noSuchIdentity(): ProtocolError {
  return new ProtocolError({ status: 404, message: 'This identity does not exist.' })
}

export function pathUuid(c: Http): string {
  const id = canonicalUuid(c.req.param('id') ?? '')
  if (id === undefined) throw new ProtocolError({ status: 400, message: 'The id must be a UUID.' })
  return id
}
