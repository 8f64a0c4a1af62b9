import { bodyLimit } from 'hono/body-limit'
import { getPath } from 'hono/utils/url'
import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { recordEvent, recordRefusal } from '../../events/record.ts'
import { canonicalUuid } from '../../input/plain-text.ts'
import { fewBodiesPerTurn, tooLarge } from '../bodies.ts'
import { errorFor } from '../errors.ts'
import { publicPaths } from '../public/public.ts'
import { type Http, readCaller, withoutPrefix, withoutSlashes } from '../request.ts'
import { type App, allowed, createApp, NO_STORE, notFound, plainError, withRequest } from '../route.ts'
import { LARGEST_ACCOUNT } from './body.ts'
import { assertMayCall, findOperator, storeCall } from './operators.ts'
import { ADMIN_ROUTES, type AdminHandler, type AdminRoute, toPublicPort } from './routes.ts'

const LONGEST_BATCH = 5 * 1024 * 1024

/** Serves each route with and without the prefix `/admin`. Rejects requests caused by another web page. */
export function adminApp(ctx: Context): App {
  const app = createApp((request) => withoutSlashes(getPath(request)))
  app.use(async (c, next) => {
    const operator = findOperator(ctx, c)
    // Operators could forge proxies' headers in the audit list.
    c.set('caller', Object.assign(readCaller(ctx, c, 0), { operator }))
    const refusal = fromForeignPage(ctx, c) ? foreignCaller() : operator ? undefined : missingToken(c)
    if (refusal) {
      recordRefusal(withRequest(ctx, c), { event: 'admin_call', method: c.req.method, detail: 'not_allowed' })
      return await errorFor(ctx, c, refusal, 'data')
    }
    if (c.req.method === 'GET') c.header('Cache-Control', NO_STORE)
    return await next()
  })
  const [single, batch] = [bodyOf(ctx, LARGEST_ACCOUNT, '256 KiB'), bodyOf(ctx, LONGEST_BATCH, '5 MiB')]
  app.on(['POST', 'PUT', 'PATCH'], '*', fewBodiesPerTurn(ctx))
  app.use((c, next) => (isBatch(c) ? batch(c, next) : single(c, next)))
  const publicRoutes = publicPaths(ctx).map(({ method, path }) => [method, path, toPublicPort] as const)
  for (const [method, path, handler] of [...publicRoutes, ...ADMIN_ROUTES.map(withRecord)]) {
    const guarded = (c: Http) => {
      const requestCtx = withRequest(ctx, c)
      return handler(requestCtx, c).catch((error: unknown) => errorFor(requestCtx, c, error, 'data'))
    }
    app.on(method, [path, `/admin${path}`], guarded)
  }
  const routes = [...ADMIN_ROUTES, ...publicRoutes]
  for (const path of new Set(routes.map(([, path]) => path))) {
    const methods = routes.filter(([, other]) => other === path).map(([method]) => method)
    app.on('ALL', [path, `/admin${path}`], (c) => {
      c.header('Allow', allowed(methods))
      return plainError(c, 'Method Not Allowed', 405)
    })
  }
  app.all('*', notFound)
  return app
}

function bodyOf(ctx: Context, maxSize: number, size: string) {
  return bodyLimit({
    maxSize,
    onError: (c) => tooLarge(ctx, c as Http, `The request is larger than ${size}.`),
  })
}

function isBatch({ req }: Http): boolean {
  return req.method === 'PATCH' && withoutPrefix(req.path) === '/identities'
}

/** Polled every few seconds. */
function withRecord([method, path, handler]: AdminRoute) {
  if (/^\/(health|metrics)\b/.test(path)) return [method, path, handler] as const
  const permitted: AdminHandler = async (ctx, c) => {
    assertMayCall(c, `${method} ${path}`)
    return await handler(ctx, c)
  }
  const recording: AdminHandler = async (ctx, c) => {
    const answer = await permitted(ctx, c).catch((error: unknown) => errorFor(ctx, c, error, 'data'))
    await recordCall(ctx, c, [method, path], answer)
    return answer
  }
  return [method, path, recording] as const
}

/** The account owner sees the calls that changed the account. */
async function recordCall(
  ctx: Context,
  c: Http,
  [method, path]: readonly [string, string],
  { ok }: Response,
): Promise<void> {
  const inPath = path.startsWith('/identities/:id') ? canonicalUuid(c.req.param('id') ?? '') : undefined
  const identity_id = inPath ?? c.get('identity_id')
  const call = { identity_id, method: `${method} ${path}` }
  const stored = { ...call, identity_id: identity_id ?? null }
  const isStored = !c.env?.unrecorded
  if (!ok) {
    recordRefusal(ctx, { event: 'admin_call', ...call })
    // The database may be the reason.
    if (isStored) await storeCall(ctx, c, { ...stored, outcome: 'refused' }).catch(() => {})
    return
  }
  await recordEvent(ctx, { event: 'admin_call', outcome: 'ok', ...call })
  if (isStored && method !== 'GET') await storeCall(ctx, c, { ...stored, outcome: 'ok' })
  const changed = method !== 'GET' && !LEAVES_NO_CHANGE.includes(call.method)
  if (changed && inPath) await recordEvent(ctx, { event: 'changed_by_operator', outcome: 'ok', ...call })
}

/** A deleted account has no activity, and sending a code changes nothing. */
const LEAVES_NO_CHANGE = ['DELETE /identities/:id', 'POST /identities/:id/verification']

/**
 * Web pages can post to this port. Browsers then send Origin or, since 2023, Sec-Fetch-Site; other
 * clients neither.
 */
function fromForeignPage(ctx: Context, c: Http): boolean {
  const site = c.req.header('sec-fetch-site') ?? 'none'
  const origin = c.req.header('origin')
  const { own_page, token, tokens } = ctx.config.serve.admin
  const isPage = site !== 'none' || origin !== undefined
  if (isPage) return !(own_page && ownHost(ctx, c) && isOwnPage(c, site, origin))
  // A page with DNS rebinding does not know the token.
  return token === undefined && tokens.length === 0 && !ownHost(ctx, c)
}

/**
 * Pages cannot forge these headers. Over plain HTTP beyond loopback, browsers send only Origin, and
 * only for changes.
 */
function isOwnPage(c: Http, site: string, origin: string | undefined): boolean {
  const { host } = new URL(c.req.url)
  // A TLS proxy changes only the scheme.
  const sameHost = origin === undefined || (URL.canParse(origin) && new URL(origin).host === host)
  return sameHost && ['same-origin', 'none'].includes(site)
}

function missingToken(c: Http): ProtocolError | undefined {
  if (withoutPrefix(c.req.path).startsWith('/health/')) return undefined
  c.header('WWW-Authenticate', 'Bearer')
  return new ProtocolError({
    status: 401,
    reason: 'Send the admin API token as Authorization: Bearer.',
  })
}

/** Prevents DNS rebinding, where the attacking page sends its own host name. */
function ownHost(ctx: Context, c: Http): boolean {
  const { hostname } = new URL(c.req.url)
  const ownHostname = new URL(ctx.config.serve.admin.base_url).hostname
  return (
    hostname === ownHostname || hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
  )
}

function foreignCaller(): ProtocolError {
  return new ProtocolError({ status: 403, reason: 'The admin API cannot be called from web pages.' })
}
