import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { csrfViolation } from '../../flows/form/csrf.ts'
import { completeHeld } from '../../flows/run/handoff.ts'
import { redeemExchange } from '../../sessions/exchange.ts'
import { sessionState } from '../../sessions/find.ts'
import { revokeAllSessions, revokeSession } from '../../sessions/revoke.ts'
import { deliveredSession, publicSession } from '../../sessions/show.ts'
import { countSessions, listSessions, type SessionAndIdentity } from '../../storage/sessions/sessions.ts'
import { pathUuid } from '../admin/path.ts'
import { assertAal, requireSession } from '../look-ups/whoami.ts'
import type { Http } from '../request.ts'
import { respond } from '../respond.ts'
import { setCookies } from '../set-cookies.ts'
import { readPage, writePageHeaders } from './pages.ts'

/** Exchanges an app's two codes for the session that was started in a browser, or completes its registration. */
export async function exchangeToken(ctx: Context, c: Http): Promise<Response> {
  const init_code = c.req.query('init_code')
  const return_to_code = c.req.query('return_to_code')
  if (!init_code || !return_to_code) {
    throw new ProtocolError({ status: 400, reason: 'init_code and return_to_code must both be given.' })
  }
  const codes = { init_code, return_to_code }
  const caller = c.get('caller')
  const unfinished = await completeHeld(ctx, codes, caller)
  if (unfinished) return respond(ctx, c, unfinished, caller)
  const foundSession = await redeemExchange(ctx, codes)
  // Kratos compatibility: omits the devices.
  return c.json({
    session_token: foundSession.token,
    session: { ...deliveredSession(ctx, foundSession), devices: [] },
  })
}

export async function listOwnSessions(ctx: Context, c: Http): Promise<Response> {
  const ownSession = await requireFinished(ctx, c)
  const page = readPage(new URL(c.req.url).searchParams)
  const filter = {
    identity_id: ownSession.identity.id,
    except: ownSession.session.id,
    ...sessionState(ctx, 'live'),
    limit: page.size,
    offset: page.offset,
  }
  const [sessions, total] = await Promise.all([listSessions(ctx.db, filter), countSessions(ctx.db, filter)])
  writePageHeaders(c, page, total)
  return c.json(sessions.map((session) => publicSession(ctx, { session, identity: ownSession.identity })))
}

/** Kratos compatibility: also counts sessions that had already ended. */
export async function endOtherSessions(ctx: Context, c: Http): Promise<Response> {
  const ownSession = await requireOwnSite(ctx, c)
  const { identity, session } = ownSession
  const count = await countSessions(ctx.db, { identity_id: identity.id, except: session.id })
  await revokeAllSessions(ctx, identity.id, { except: session.id })
  if (c.get('caller').credential?.from === 'cookie') setCookies(ctx, c, { device: ownSession })
  return c.json({ count })
}

/** Another user's session and an unknown one are answered alike (SEC-21). */
export async function endSession(ctx: Context, c: Http): Promise<Response> {
  const ownSession = await requireOwnSite(ctx, c)
  const id = pathUuid(c)
  if (id === ownSession.session.id) {
    throw new ProtocolError({ status: 400, message: 'This is the current session. Please log out instead.' })
  }
  await revokeSession(ctx, ownSession.identity.id, id, 'revoked')
  // Kratos compatibility: empty responses have a Content-Type.
  c.header('Content-Type', 'application/json')
  return c.body(null, 204)
}

/** Rejects other sites: those of the same domain send the cookie too (SEC-34). */
async function requireOwnSite(ctx: Context, c: Http): Promise<SessionAndIdentity> {
  const ownSession = await requireFinished(ctx, c)
  const caller = c.get('caller')
  // Without a token as in forms, a sandboxed frame of a sibling host must not count as our page.
  const isSiblings = caller.origin === 'null' && c.req.header('sec-fetch-site') === 'same-site'
  const isForeign = caller.csrf.foreign_origin || isSiblings
  if (caller.credential?.from !== 'cookie' || !isForeign) return ownSession
  throw csrfViolation(caller, 'unsafe-method')
}

/** A session without its second factor must not list or end others (SEC-73). */
async function requireFinished(ctx: Context, c: Http): Promise<SessionAndIdentity> {
  const ownSession = await requireSession(ctx, c)
  assertAal(ctx, ownSession)
  return ownSession
}
