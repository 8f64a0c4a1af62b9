import { publicUrl } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import { newCsrfSecret } from '../../crypto/csrf.ts'
import { hashToken } from '../../crypto/random.ts'
import { badRequest, ProtocolError } from '../../errors/errors.ts'
import { returnUrlOr } from '../../flows/form/return-to.ts'
import { isObject, parseFirstValue } from '../../input/json.ts'
import { findLiveSession } from '../../sessions/find.ts'
import { logoutToken, ownsLogoutToken, revokeSession, revokeSessionByToken } from '../../sessions/revoke.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { mediaTypeOf, readText } from '../bodies.ts'
import { redirect } from '../headers.ts'
import type { Http } from '../request.ts'
import { setCookies } from '../set-cookies.ts'

/** The logout token keeps forged links from signing users out (SEC-33). */
export async function createLogout(ctx: Context, c: Http): Promise<Response> {
  const returnTo = c.req.query('return_to')
  const { session } = await requireOwnSession(ctx, c)
  const logout_token = logoutToken(ctx, session.id)
  const query = new URLSearchParams({
    ...(returnTo && { return_to: returnUrlOr(ctx, returnTo) }),
    token: logout_token,
  })
  return c.json({ logout_url: publicUrl(ctx, `/self-service/logout?${query}`), logout_token })
}

export async function submitLogout(ctx: Context, c: Http): Promise<Response> {
  const token = c.req.query('token')
  if (!token) throw badRequest('The parameter token is missing.')
  const { session, identity } = await requireOwnSession(ctx, c)
  if (!ownsLogoutToken(ctx, session.id, token)) {
    throw new ProtocolError({ status: 403, reason: 'This token belongs to another session.' })
  }
  await revokeSession(ctx, identity.id, session.id, 'logout')
  const { after, clear_browser_data } = ctx.config.selfservice.flows.logout
  const caller = c.get('caller')
  const from = caller.credential?.from
  if (from !== 'bearer') {
    const csrf = newCsrfSecret()
    setCookies(ctx, c, from === 'cookie' ? { session: 'removed', csrf } : { csrf })
    // Off by default: browsers answer only after they have emptied the cache, which can take seconds.
    if (clear_browser_data) c.header('Clear-Site-Data', '"cookies", "storage", "cache"')
  }
  const { default_browser_return_url } = after
  const url = returnUrlOr(ctx, c.req.query('return_to'), default_browser_return_url)
  return caller.json ? c.body(null, 204) : redirect(c, url, 303)
}

async function requireOwnSession(ctx: Context, c: Http): Promise<SessionAndIdentity> {
  const foundSession = await findLiveSession(ctx, c.get('caller'))
  if (foundSession) return foundSession
  throw new ProtocolError({ id: 'session_inactive', status: 401, reason: 'Not logged in.' })
}

export async function nativeLogout(ctx: Context, c: Http): Promise<Response> {
  const isJson = mediaTypeOf(c) === 'application/json'
  const body = await readText(c)
    .then(parseFirstValue)
    .catch(() => undefined)
  const token = isJson && isObject(body) ? (body.session_token ?? '') : undefined
  if (typeof token !== 'string') throw badRequest('The body must be JSON with the member session_token.')
  const wasRevoked = token !== '' && (await revokeSessionByToken(ctx, hashToken(token)))
  if (!wasRevoked) throw new ProtocolError({ status: 403, reason: 'This session token is invalid.' })
  return c.body(null, 204)
}
