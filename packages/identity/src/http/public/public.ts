import { bodyLimit } from 'hono/body-limit'
import { getPath } from 'hono/utils/url'
import { SCRIPT_PATH, webauthnScript } from '../../authenticators/nodes.ts'
import { adminUrl, pageUrl, pathBelowBase } from '../../config/base-url.ts'
import type { Context } from '../../contract/contract.ts'
import type { FlowStages } from '../../flows/form/decision.ts'
import { flowFor } from '../../flows/form/public-flow.ts'
import { openFlow, readFlow, submitByGet, submitFlow } from '../../flows/run/entries.ts'
import { flowStages } from '../../flows/run/stages.ts'
import { publicKeys } from '../../sessions/tokenize.ts'
import type { FlowKind } from '../../wire/flow.ts'
import { fewBodiesPerTurn, readSubmission, tooLarge } from '../bodies.ts'
import { cors } from '../cors.ts'
import { type ErrorStyle, errorFor } from '../errors.ts'
import { redirect } from '../headers.ts'
import { assertCapacity, beginsWork, reserveForForm, reserveForHash } from '../look-ups/load-shedding.ts'
import { whoami } from '../look-ups/whoami.ts'
import { openApi } from '../openapi.ts'
import { adminPath, type Http } from '../request.ts'
import { respond } from '../respond.ts'
import {
  type App,
  addRoutes,
  createApp,
  type Guard,
  notFound,
  type Route,
  ready,
  withRequest,
} from '../route.ts'
import { listSchemas, showFlowError, showSchema } from './documents.ts'
import { createLogout, nativeLogout, submitLogout } from './logout.ts'
import { fedcmParameters, fedcmToken, formToQuery, handleProviderCallback } from './providers.ts'
import { endOtherSessions, endSession, exchangeToken, listOwnSessions } from './sessions.ts'

/** Ory Kratos accepts 5 MB (documented difference). */
const LONGEST_BODY = 64 * 1024

const CALLBACK = '/self-service/methods/oidc/callback'

// Looking for a body would double the cost of a look-up.
const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE']

export function publicApp(ctx: Context): App {
  const app = createApp((request) => routedPath(ctx, request))
  const { cors: across } = ctx.config.serve.public
  if (across.enabled) app.use(cors(across))
  const limit = bodyLimit({
    maxSize: LONGEST_BODY,
    onError: (c) => tooLarge(ctx, c as Http, 'The request is larger than 64 KiB.'),
  })
  app.on(METHODS_WITH_BODY, '*', fewBodiesPerTurn(ctx), limit)
  return addRoutes(ctx, app, [...routes(ctx), ...(ctx.config.dev ? developerRoutes(ctx) : [])])
}

/** Embedding servers may or may not remove the path at which they mount the service. */
function routedPath(ctx: Context, request: Request): string {
  const path = getPath(request)
  return pathBelowBase(ctx, path) ?? path
}

export function publicPaths(ctx: Context): readonly Pick<Route, 'method' | 'path'>[] {
  return routes(ctx).filter(
    ({ method, path }) =>
      (/^\/(self-service|schemas)/.test(path) && !path.startsWith(CALLBACK)) ||
      (path === '/sessions/whoami' && method === 'GET'),
  )
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

function routes(ctx: Context): Route[] {
  const data = (method: string, path: string, guard: Guard, run: Run): Route =>
    route(ctx, method, path, guard, 'data', run)
  const pages = (method: string, path: string, guard: Guard, run: Run): Route =>
    route(ctx, method, path, guard, 'pages', run)
  return [
    ...flowRoutes(ctx, flowStages.login),
    ...flowRoutes(ctx, flowStages.registration),
    ...flowRoutes(ctx, flowStages.recovery),
    ...flowRoutes(ctx, flowStages.verification),
    ...flowRoutes(ctx, flowStages.settings),
    pages('GET', CALLBACK, 'guarded', handleProviderCallback),
    pages('GET', `${CALLBACK}/:provider`, 'ignored', handleProviderCallback),
    pages('POST', `${CALLBACK}/:provider`, 'ignored', formToQuery),
    pages('GET', '/self-service/fed-cm/parameters', 'guarded', fedcmParameters),
    pages('POST', '/self-service/fed-cm/token', 'ignored', fedcmToken),
    data('GET', '/self-service/errors', 'guarded', showFlowError),
    pages('GET', '/self-service/logout/browser', 'guarded', createLogout),
    pages('GET', '/self-service/logout', 'guarded', submitLogout),
    data('DELETE', '/self-service/logout/api', 'ignored', nativeLogout),
    ...METHODS.map((method) => data(method, '/sessions/whoami', 'ignored', whoami)),
    data('GET', '/sessions/token-exchange', 'ignored', exchangeToken),
    data('GET', '/sessions', 'ignored', listOwnSessions),
    data('DELETE', '/sessions', 'ignored', endOtherSessions),
    data('DELETE', '/sessions/:id', 'ignored', endSession),
    // Kratos compatibility: schemas are also public under their admin path.
    ...['/schemas', '/admin/schemas'].flatMap((path) => [
      data('GET', path, 'guarded', listSchemas),
      data('GET', `${path}/:id`, 'ignored', showSchema),
    ]),
    // Kratos compatibility: only the admin port serves these, but their CSRF guard applies here
    // too.
    ...METHODS.flatMap((method) => [
      data(method, '/version', 'off', async (_ctx, c) => notFound(c)),
      data(method, '/metrics/prometheus', 'off', async (_ctx, c) => notFound(c)),
      data(method, '/sessions/:id/extend', 'ignored', async (_ctx, c) => notFound(c)),
      data(method, '/courier/messages', 'ignored', async (_ctx, c) => notFound(c)),
    ]),
    data('GET', SCRIPT_PATH, 'guarded', async (_ctx, c) =>
      c.body(webauthnScript, 200, { 'Content-Type': 'text/javascript; charset=UTF-8' }),
    ),
    // https://w3c.github.io/webappsec-change-password-url/
    data('GET', '/.well-known/change-password', 'off', async (ctx, c) =>
      redirect(c, pageUrl(ctx, 'settings'), 303),
    ),
    data('GET', '/.well-known/jwks.json', 'off', async (ctx, c) => c.json(await publicKeys(ctx))),
    data('GET', '/health/alive', 'off', async (_ctx, c) => c.json({ status: 'ok' })),
    data('GET', '/health/ready', 'off', ready),
  ]
}

function developerRoutes(ctx: Context): Route[] {
  const document = openApi(ctx)
  const handler = async (c: Http) => c.json(document)
  return [...operatorRoutes(ctx), { method: 'GET', path: '/openapi.json', guard: 'off', handler }]
}

/** Redirects to the admin port in dev mode. Production does not reveal its address. */
function operatorRoutes(ctx: Context): Route[] {
  const handler = async (c: Http) => {
    return redirect(c, adminUrl(ctx, adminPath(c)) + new URL(c.req.url).search, 307)
  }
  return OPERATOR_PATHS.flatMap(([guard, path, ...methods]) =>
    methods.map((method): Route => ({ method, path, guard, handler })),
  )
}

type OperatorPath = readonly [guard: Guard, path: string, ...methods: string[]]

/** Kratos compatibility: prefixes and guards differ by path. */
const OPERATOR_PATHS: readonly OperatorPath[] = [
  ...['', '/admin'].flatMap((prefix): OperatorPath[] => [
    ['ignored', `${prefix}/identities`, 'GET', 'POST'],
    ['guarded', `${prefix}/identities/by/external/:external_id`, 'GET'],
    ['ignored', `${prefix}/identities/:id`, 'GET', 'PUT', 'PATCH', 'DELETE'],
    ['ignored', `${prefix}/identities/:id/credentials/:type`, 'DELETE'],
  ]),
  ['ignored', '/identities/:id/sessions', 'DELETE'],
  ['ignored', '/recovery/code', 'POST'],
  ['ignored', '/recovery/link', 'POST'],
  ['ignored', '/admin/courier/messages', 'GET'],
  ['guarded', '/admin/courier/messages/:id', 'GET'],
]

function flowRoutes<K extends FlowKind>(ctx: Context, stages: FlowStages<K>): Route[] {
  const base = `/self-service/${stages.kind}`
  const create =
    (type: 'browser' | 'api'): Run =>
    async (ctx, c) => {
      const caller = c.get('caller')
      const { searchParams } = new URL(c.req.url)
      return respond(ctx, c, await openFlow(ctx, stages, type, searchParams, caller), caller)
    }
  return [
    route(ctx, 'GET', `${base}/browser`, 'guarded', 'pages', create('browser')),
    // Native apps have no error page.
    route(ctx, 'GET', `${base}/api`, 'ignored', 'data', create('api')),
    route(ctx, 'GET', `${base}/flows`, 'guarded', 'data', async (ctx, c) => {
      const caller = c.get('caller')
      const outcome = await readFlow(ctx, stages, c.req.query('id') ?? null, caller)
      if (outcome.kind !== 'opened') return respond(ctx, c, outcome, caller)
      return c.json(flowFor(caller, outcome))
    }),
    route(ctx, 'GET', base, 'ignored', 'pages', async (ctx, c) => {
      const caller = c.get('caller')
      return respond(ctx, c, await submitByGet(ctx, stages, new URL(c.req.url).searchParams, caller), caller)
    }),
    route(ctx, 'POST', base, 'ignored', 'pages', async (ctx, c) => {
      const caller = c.get('caller')
      const submission = await readSubmission(c, caller)
      // Reserving earlier would let slow senders hold capacity at no cost.
      const release = reserveForHash(ctx, base, caller)
      return respond(ctx, c, await submitFlow(ctx, stages, submission).finally(release), caller)
    }),
  ]
}

type Run = (ctx: Context, c: Http) => Promise<Response>

function route(ctx: Context, method: string, path: string, guard: Guard, style: ErrorStyle, run: Run): Route {
  const begins = beginsWork(path)
  const handler = async (c: Http) => {
    try {
      if (begins) await assertCapacity(ctx, path, (name) => c.req.header(name))
    } catch (error) {
      // Pages get JSON too: an error page would cost another request and a stored row.
      return await errorFor(ctx, c, error, 'data')
    }
    const requestCtx = withRequest(ctx, c)
    const release = reserveForForm(ctx, path, c.get('caller'))
    try {
      return await run(requestCtx, c)
    } catch (error) {
      return await errorFor(requestCtx, c, error, style)
    } finally {
      release()
    }
  }
  return { method, path, guard, handler }
}
