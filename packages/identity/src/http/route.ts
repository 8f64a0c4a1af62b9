import { Hono, type MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import { TrieRouter } from 'hono/router/trie-router'
import type { Caller } from '../contract/caller.ts'
import type { Context } from '../contract/contract.ts'
import { ProtocolError } from '../errors/errors.ts'
import { csrfViolation, lacksCookies } from '../flows/form/csrf.ts'
import { csrfCookie } from './cookies.ts'
import { errorFor } from './errors.ts'
import { redirect } from './headers.ts'
import { type Bindings, type Http, readCaller, type Variables } from './request.ts'

/**
 * `guarded` sets the cookie and requires the token for unsafe methods. `ignored` does neither; the
 * handler has its own checks. `off` does not even vary by cookie.
 */
export type Guard = 'guarded' | 'ignored' | 'off'

export interface Route {
  readonly method: string
  readonly path: string
  readonly guard: Guard
  readonly handler: (c: Http) => Promise<Response>
}

export function withRequest(ctx: Context, c: Http): Context {
  return { ...ctx, request: c.get('caller') }
}

export type App = Hono<{ Bindings: Bindings; Variables: Variables }>

/** Records the routes of requests. `path` is what they match. */
export function createApp(path: (request: Request) => string): App {
  // Hono's other routers do not support `/sessions/whoami` next to `/sessions/:id`.
  const app: App = new Hono({ router: new TrieRouter(), getPath: path })
  app.use(recordRoute())
  return app
}

/** Required in every response to a GET. */
export const NO_STORE = 'private, no-cache, no-store, must-revalidate'
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

export function addRoutes(ctx: Context, app: App, routes: readonly Route[]): App {
  const guards = new Map(routes.map(({ path, guard }) => [path, guard]))
  for (const { method, path, guard, handler } of routes) {
    app.on(method, path, (c) => {
      prepareCaller(ctx, c, guard)
      return handler(c)
    })
  }
  for (const [path, guard] of guards) {
    const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
    app.all(path, (c) => methodMismatch(ctx, c, guard, methods))
    // Kratos compatibility: `/sessions/` has the guard of `/sessions/:id`.
    const [parent] = /^.*\/(?=:\w+$)/.exec(path) ?? []
    if (parent) app.all(parent, (c) => methodMismatch(ctx, c, guard, undefined))
  }
  app.all('*', (c) => methodMismatch(ctx, c, 'guarded', undefined))
  return app
}

export function allowed(methods: readonly string[]): string {
  const all = methods.includes('GET') ? [...methods, 'HEAD'] : methods
  return [...new Set(all)].sort().join(', ')
}

/** Returns 404, or a redirect that removes doubled slashes. */
export function notFound(c: Http): Response {
  const { pathname, search } = new URL(c.req.url)
  const clean = pathname.replaceAll(/\/{2,}/g, '/')
  return clean === pathname ? plainError(c, '404 page not found', 404) : redirect(c, clean + search, 307)
}

export function plainError(c: Http, text: string, status: 404 | 405): Response {
  c.header('X-Content-Type-Options', 'nosniff')
  return c.text(`${text}\n`, status)
}

function prepareCaller(ctx: Context, c: Http, guard: Guard): Caller {
  const caller = readCaller(ctx, c)
  c.set('caller', caller)
  if (c.req.method === 'GET') c.header('Cache-Control', NO_STORE)
  if (guard !== 'off') c.header('Vary', 'Cookie', { append: true })
  // Another site's images, scripts and forms carry no cookies; a new one would replace the browser's.
  if (guard === 'guarded' && !caller.csrf.sent && !lacksCookies(caller)) {
    c.header('Set-Cookie', csrfCookie(ctx.config, caller.csrf.secret))
  }
  return caller
}

async function methodMismatch(
  ctx: Context,
  c: Http,
  guard: Guard,
  methods: readonly string[] | undefined,
): Promise<Response> {
  const caller = prepareCaller(ctx, c, guard)
  if (guard === 'guarded' && !SAFE.has(c.req.method)) {
    return await errorFor(ctx, c, csrfViolation(caller, 'unsafe-method'), 'data')
  }
  if (methods === undefined) return notFound(c)
  c.header('Allow', allowed(methods))
  return plainError(c, 'Method Not Allowed', 405)
}

/** A weak map of requests would slow down every garbage collection. */
const TEMPLATE = Symbol('route template')

type Incoming = object & { [TEMPLATE]?: string }

/** Records the template for metrics and traces, because paths contain ids. */
export function recordRoute(): MiddlewareHandler<{ Bindings: Bindings }> {
  return async (c, next) => {
    await next()
    // Undefined for calls within the process.
    const { incoming } = c.env ?? {}
    if (incoming) assignRoute(incoming, routePath(c))
  }
}

/** For requests that are answered outside of the routes. */
export function assignRoute(incoming: Incoming, template: string): void {
  incoming[TEMPLATE] = template
}

/** The path of the route without ids; `*` before a route was found. */
export function templateOf(incoming: Incoming): string {
  return incoming[TEMPLATE] ?? '*'
}

/** Logs the reason without sending it. */
export async function ready(ctx: Context, c: Http): Promise<Response> {
  try {
    await ctx.heartbeat.assertReady()
    return c.json({ status: 'ok' })
  } catch (cause) {
    throw new ProtocolError({
      status: 503,
      code: 500,
      reason: 'The database does not accept writes, or the clock is wrong.',
      retryAfter: 1,
      cause,
    })
  }
}
