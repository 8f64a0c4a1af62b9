import { z } from 'zod'
import type { Context } from '../../contract/contract.ts'
import { badRequest, ProtocolError } from '../../errors/errors.ts'
import { parseBool } from '../../input/plain-text.ts'
import { isLive, sessionState } from '../../sessions/find.ts'
import { extendedEnd } from '../../sessions/issue.ts'
import { removeSession, removeSessions, revokeSession } from '../../sessions/revoke.ts'
import { publicSession } from '../../sessions/show.ts'
import { findIdentities, findIdentity } from '../../storage/identities/identities.ts'
import type { SessionAndIdentity, SessionState, StoredSession } from '../../storage/sessions/sessions.ts'
import {
  countSessions,
  extendSession as extendStored,
  findSession,
  listAllSessions,
  listSessions,
} from '../../storage/sessions/sessions.ts'
import type { Session } from '../../wire/session.ts'
import { readPage, writePageHeaders } from '../public/pages.ts'
import type { Http } from '../request.ts'
import { readBody, undecodable, uuid } from './body.ts'
import { keysetPage, openPosition, pageSize, sealPosition } from './pages.ts'
import { pathUuid } from './path.ts'

export async function listIdentitySessions(ctx: Context, c: Http): Promise<Response> {
  const id = pathUuid(c)
  const identity = await findIdentity(ctx.db, id)
  const page = readPage(new URL(c.req.url).searchParams)
  const filter = { identity_id: id, limit: page.size, offset: page.offset, ...readState(ctx, c) }
  const sessions = identity ? await listSessions(ctx.db, filter) : []
  writePageHeaders(c, page, identity ? await countSessions(ctx.db, filter) : 0)
  return c.json(identity ? sessions.map((session) => publicSession(ctx, { session, identity })) : [])
}

export async function deleteIdentitySessions(ctx: Context, c: Http): Promise<Response> {
  const count = await removeSessions(ctx, pathUuid(c))
  if (count === 0) throw new ProtocolError({ status: 404, message: 'This identity has no sessions.' })
  return c.body(null, 204)
}

const DEFAULT_SIZE = 250
const LARGEST_SIZE = 1000

export async function listEverySession(ctx: Context, c: Http): Promise<Response> {
  const state = readState(ctx, c)
  const limit = pageSize(c.req.query('page_size'), DEFAULT_SIZE, LARGEST_SIZE, undecodable)
  const after = openPosition(ctx, c.req.query('page_token'))
  const expansions = readExpansions(c)
  const sessions = await listAllSessions(ctx.db, state, { limit: limit + 1, after })
  const next = ({ issued_at, id }: StoredSession) => sealPosition(ctx, issued_at, id)
  const page = keysetPage(c, sessions, limit, { first: '', next })
  const owners = await findIdentities(ctx.db, [...new Set(page.map(({ identity_id }) => identity_id))])
  const byId = new Map(owners.map((identity) => [identity.id, identity]))
  const sessionsWithOwners = page.flatMap((session) => {
    const identity = byId.get(session.identity_id)
    return identity ? [{ session, identity }] : []
  })
  return c.json(sessionsWithOwners.map((one) => expandedSession(ctx, one, expansions)))
}

export async function showSession(ctx: Context, c: Http): Promise<Response> {
  pathUuid(c)
  const expansions = readExpansions(c)
  return c.json(expandedSession(ctx, await readSession(ctx, c), expansions))
}

export async function endAnySession(ctx: Context, c: Http): Promise<Response> {
  const { session } = await readSession(ctx, c)
  await revokeSession(ctx, session.identity_id, session.id, 'by_operator')
  // Kratos compatibility: empty responses have a Content-Type.
  c.header('Content-Type', 'application/json')
  return c.body(null, 204)
}

const MOST_IDS = 500
const ids = z.array(uuid).max(MOST_IDS)
const managed = z.object({
  action: z.enum(['disable', 'delete']),
  identities: z
    .union([z.tuple([z.literal('*')]), ids], { error: `needs 1 to ${MOST_IDS} ids, or *` })
    .nullish(),
  sessions: ids.nullish(),
})

/** Ends the sessions of `identities`, where `*` is the next batch of all, or the named `sessions`. */
export async function manageSessions(ctx: Context, c: Http): Promise<Response> {
  const { action, identities, sessions } = await readBody(c, managed)
  if (!identities?.length === !sessions?.length)
    throw badRequest('Name either identities or sessions, at least one.')
  const keepsEnded = action === 'disable'
  const state = keepsEnded ? sessionState(ctx, 'live') : {}
  const isAll = identities?.[0] === '*'
  const batch = isAll ? await listAllSessions(ctx.db, state, { limit: MOST_IDS }) : []
  const owners = isAll ? batch.map(({ identity_id }) => identity_id) : identities
  let processed = 0
  for (const id of new Set(owners)) processed += await removeSessions(ctx, id, { keepsEnded })
  for (const id of new Set(sessions)) processed += (await endSession(ctx, id, keepsEnded)) ? 1 : 0
  return c.json({ processed, more: batch.length === MOST_IDS })
}

async function endSession(ctx: Context, id: string, keepsEnded: boolean): Promise<boolean> {
  if (!keepsEnded) return await removeSession(ctx, id)
  const foundSession = await findSession(ctx.db, id)
  return foundSession !== undefined && (await revokeSession(ctx, foundSession.identity.id, id, 'by_operator'))
}

/**
 * Extends by a full lifespan, within `session.earliest_possible_extend` of the expiry. Does not revive
 * expired sessions.
 */
export async function extendSession(ctx: Context, c: Http): Promise<Response> {
  const foundSession = await readSession(ctx, c)
  const remainingMs = Date.parse(foundSession.session.expires_at) - ctx.now().getTime()
  if (isLive(ctx, foundSession) && remainingMs <= ctx.config.session.earliest_possible_extend) {
    await extendStored(ctx.db, foundSession.session.id, extendedEnd(ctx, foundSession.session))
  }
  if (ctx.config.feature_flags.faster_session_extend) return c.body(null, 204)
  return c.json(expandedSession(ctx, await readSession(ctx, c), ['identity']))
}

async function readSession(ctx: Context, c: Http): Promise<SessionAndIdentity> {
  const foundSession = await findSession(ctx.db, pathUuid(c))
  if (!foundSession) throw new ProtocolError({ status: 404, message: 'This session does not exist.' })
  c.set('identity_id', foundSession.session.identity_id)
  return foundSession
}

function readState(ctx: Context, c: Http): SessionState {
  const active = c.req.query('active')
  if (!active) return {}
  switch (parseBool(active)) {
    case true:
      return sessionState(ctx, 'live')
    case false:
      return sessionState(ctx, 'ended')
    default:
      throw undecodable('active must be true or false.')
  }
}

function readExpansions(c: Http): readonly string[] {
  const expansions = (c.req.queries('expand') ?? []).map((name) => name.toLowerCase())
  if (expansions.every((name) => name === 'identity' || name === 'devices')) return expansions
  throw badRequest('expand must be identity or devices.')
}

function expandedSession(
  ctx: Context,
  foundSession: SessionAndIdentity,
  expansions: readonly string[],
): Session {
  const session = publicSession(ctx, foundSession)
  return {
    ...session,
    identity: expansions.includes('identity') ? session.identity : null,
    devices: expansions.includes('devices') ? session.devices : [],
  }
}
