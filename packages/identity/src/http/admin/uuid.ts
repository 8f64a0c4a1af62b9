import { ProtocolError } from '../../errors/errors.ts'
import type { Http } from '../request.ts'

/**
 * The canonical form of an id; clients also send upper case, or no hyphens. Undefined if it is not a UUID (RFC 9562).
 */
export function canonicalUuid(text: string): string | undefined {
  const id = text.toLowerCase()
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return id
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(id)
  return parts?.slice(1).join('-')
}

/** The id in the path of a session. Throws 400 if it is not a UUID. */
export function pathUuid(c: Http): string {
  const id = canonicalUuid(c.req.param('id') ?? '')
  if (id === undefined) throw new ProtocolError({ status: 400, message: 'The id must be a UUID.' })
  return id
}
