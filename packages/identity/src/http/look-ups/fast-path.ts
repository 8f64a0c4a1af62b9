import type { IncomingHttpHeaders } from 'node:http'
import type { LiveSession } from '../../contract/caller.ts'
import type { Context } from '../../contract/contract.ts'
import { wantsSecondFactor } from '../../sessions/aal.ts'
import { findLiveSession } from '../../sessions/find.ts'
import { type PublicSession, publicSession } from '../../sessions/show.ts'
import type { StoredSession } from '../../storage/sessions/sessions.ts'
import { plainFailure } from '../errors.ts'
import { readCredential } from '../request.ts'
import { NO_STORE } from '../route.ts'
import { assertCapacity, beginsWork } from './load-shedding.ts'
import { outlivesCookie, unauthenticated } from './whoami.ts'

/**
 * Bypasses Hono, whose objects cost more than the work itself (decision 7). Undefined if a route must
 * respond.
 */
export async function respondFast(ctx: Context, request: PlainRequest): Promise<RoutedResponse | undefined> {
  const { method, path, headers } = request
  // The routes add CORS headers.
  if (method !== 'GET' || ctx.config.serve.public.cors.enabled) return undefined
  if (path === WHOAMI) return routed(WHOAMI, await whoamiResponse(ctx, request))
  const [pathname = ''] = path.split('?', 1)
  if (!beginsWork(pathname)) return undefined
  try {
    await assertCapacity(ctx, pathname, (name) => headers[name]?.toString())
    return undefined
  } catch (error) {
    const refused = errorResponse(ctx, { ...request, path: pathname }, error)
    return routed(pathname.replace(SESSION, '/sessions/*'), refused)
  }
}

/** With the template of the route, for metrics. */
export interface RoutedResponse extends PlainResponse {
  readonly route: string
}

const WHOAMI = '/sessions/whoami'
/** No other limited path contains an id. */
const SESSION = /^\/sessions\/.*/

function routed(route: string, response: PlainResponse | undefined): RoutedResponse | undefined {
  return response && { ...response, route }
}

/** Undefined for a session without its second factor, and for a cookie to renew. */
async function whoamiResponse(ctx: Context, request: PlainRequest): Promise<PlainResponse | undefined> {
  if (ctx.config.feature_flags.cacheable_sessions) return undefined
  try {
    await ctx.admission.assertCapacity('look-up')
    const credential = readCredential(ctx, (name) => request.headers[name]?.toString())
    const foundSession = credential && (await findLiveSession(ctx, { credential }))
    if (!foundSession) throw unauthenticated()
    if (wantsSecondFactor(ctx, foundSession) || outlivesCookie(foundSession)) return undefined
    const ownHeaders = { 'X-Kratos-Authenticated-Identity-Id': foundSession.identity.id }
    return jsonResponse(200, ownHeaders, bodyOf(ctx, foundSession))
  } catch (error) {
    // The route would query a failing database again.
    return errorResponse(ctx, request, error)
  }
}

/** The status of whoami, and its session with status 200. */
export interface SessionAnswer {
  readonly status: number
  readonly session?: PublicSession
  /** In seconds. */
  readonly retry_after?: number
}

export async function checkSession(ctx: Context, headers: Headers): Promise<SessionAnswer> {
  try {
    await ctx.admission.assertCapacity('look-up')
    const credential = readCredential(ctx, (name) => headers.get(name) ?? undefined)
    const foundSession = credential && (await findLiveSession(ctx, { credential }))
    if (!foundSession) return { status: 401 }
    return wantsSecondFactor(ctx, foundSession)
      ? { status: 403 }
      : { status: 200, session: publicSession(ctx, foundSession) }
  } catch (error) {
    const { status, headers } = plainFailure(ctx, { method: 'GET', path: WHOAMI, headers: {} }, error)
    const retry_after = Number(headers['Retry-After']) || undefined
    return { status, ...(retry_after !== undefined && { retry_after }) }
  }
}

/** Kept by session object, because equal rows share one. Saves a tenth of a look-up (`npm run bench -- --only whoami`). */
function bodyOf(ctx: Context, foundSession: LiveSession): string {
  const bodies = ctx.once(createBodies)
  const body = bodies.get(foundSession.session) ?? JSON.stringify(publicSession(ctx, foundSession))
  bodies.set(foundSession.session, body)
  return body
}

const createBodies = () => new WeakMap<StoredSession, string>()

/** Node's request without its objects, which cost more than the work. */
export interface PlainRequest {
  readonly method: string
  /** Path below the base URL, with the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly request_id?: string | undefined
}

export interface PlainResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function jsonResponse(status: number, headers: PlainResponse['headers'], body: string): PlainResponse {
  return {
    status,
    headers: {
      'Cache-Control': NO_STORE,
      Vary: 'Cookie',
      ...headers,
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
    },
    body,
  }
}

function errorResponse(ctx: Context, request: PlainRequest, error: unknown): PlainResponse {
  const { status, headers, body } = plainFailure(ctx, request, error)
  return jsonResponse(status, headers, body)
}
