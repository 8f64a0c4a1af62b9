import { publicUrl } from '../../config/base-url.ts'
import type { LiveSession } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { secondFactorRequired, wantsSecondFactor } from '../../sessions/aal.ts'
import { findLiveSession } from '../../sessions/find.ts'
import { publicSession } from '../../sessions/show.ts'
import { tokenize } from '../../sessions/tokenize.ts'
import type { SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { sessionCookie } from '../cookies.ts'
import type { Http } from '../request.ts'

export async function whoami(ctx: Context, c: Http): Promise<Response> {
  const template = c.req.query('tokenize_as')
  const foundSession = await findLiveSession(ctx, c.get('caller'))
  if (!foundSession) {
    // Kratos compatibility: a 401 may be cached only without a token.
    if (c.get('caller').credential === undefined) allowCaching(ctx, c, 60_000)
    throw unauthenticated()
  }
  assertAal(ctx, foundSession)
  renewCookie(ctx, c, foundSession)
  const session = publicSession(ctx, foundSession)
  const rest = Date.parse(session.expires_at) - ctx.now().getTime()
  const longest = ctx.config.feature_flags.cacheable_sessions_max_age || rest
  if (!template) allowCaching(ctx, c, Math.min(rest, longest))
  const tokenized = template ? { tokenized: await tokenize(ctx, session, template) } : {}
  c.header('X-Kratos-Authenticated-Identity-Id', foundSession.identity.id)
  return c.json({ ...session, ...tokenized })
}

/** Kratos compatibility: the 401 has no error id. */
export async function requireSession(ctx: Context, c: Http): Promise<SessionAndIdentity> {
  const foundSession = await findLiveSession(ctx, c.get('caller'))
  if (foundSession) return foundSession
  throw unauthenticated()
}

export function unauthenticated(): ProtocolError {
  return new ProtocolError({
    status: 401,
    reason: 'This request is not authenticated.',
    kratos_reason: 'No valid session credentials found in the request.',
  })
}

/** Lets a proxy cache the response. */
function allowCaching(ctx: Context, c: Http, milliseconds: number): void {
  if (!ctx.config.feature_flags.cacheable_sessions) return
  c.header('Ory-Session-Cache-For', String(Math.round(milliseconds / 1000)))
}

/** Throws 403 `session_aal2_required` below the user's highest level. */
export function assertAal(ctx: Context, foundSession: SessionAndIdentity): void {
  if (!wantsSecondFactor(ctx, foundSession)) return
  throw secondFactorRequired(publicUrl(ctx, '/self-service/login/browser?aal=aal2'))
}

function renewCookie(ctx: Context, c: Http, foundSession: LiveSession): void {
  if (!outlivesCookie(foundSession)) return
  const { credential, session } = foundSession
  c.header('Set-Cookie', sessionCookie(ctx, credential.token, session, ctx.now()), { append: true })
}

/** Whether an extended session needs a new cookie. */
export function outlivesCookie({ credential: { from, cookie_expires }, session }: LiveSession): boolean {
  if (from !== 'cookie' || cookie_expires === undefined) return false
  const ends = Date.parse(session.expires_at) / 1000
  // Cookies of Kratos and of older releases hold whole seconds.
  return (Number.isInteger(cookie_expires) ? Math.floor(ends) : ends) > cookie_expires
}
