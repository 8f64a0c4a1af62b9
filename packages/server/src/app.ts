import { isAbortedUpload, recordRoute } from '@ostiary/identity/serving'
import type { Log } from '@ostiary/identity-server/process'
import { Hono } from 'hono'
import { type ProductApiParts, productApi } from './api.ts'
import { type BodyLimits, findUnusedBodyLimits, limitBodies } from './http/body-limits.ts'
import { allowOrigins, requireKnownOrigin } from './http/cross-origin.ts'
import { cspReportRoute } from './http/csp-report.ts'
import { errorResponse, ProductError, StartError } from './http/errors.ts'
import { type IdentityGateway, identityPrefix } from './identity-gateway/identity-gateway.ts'
import { sessionHint } from './pages/session-hint.ts'
import type { Pages } from './pages/spa.ts'
import { wellKnownRoutes } from './pages/well-known.ts'

export interface AppParts extends ProductApiParts {
  readonly identity: IdentityGateway
  readonly bodyLimits: BodyLimits | undefined
  readonly pages: Pages
  /** Undefined outside demo mode: nothing below `/demo` exists. */
  readonly mountDemo: ((app: Hono) => void) | undefined
  readonly isStopping: () => boolean
  readonly now: () => Date
  readonly log: Log
}

export function createApp(parts: AppParts): Hono {
  const { bodyLimits, log, now } = parts
  const { cors_origins } = parts.settings
  const public_url = new URL(parts.settings.public_url)
  const app = new Hono()
  app.use(recordRoute())
  limitBodies(app, 128 * 1024, bodyLimits)
  parts.mountDemo?.(app)
  parts.identity.mountOn(app)
  if (cors_origins.length > 0) app.use('/api/v1/*', allowOrigins(cors_origins))
  app.use('/api/v1/*', requireKnownOrigin(public_url.origin, cors_origins))
  app.route('/api/v1', productApi(parts))
  const paths = app.routes.map(({ path }) => path)
  const [unused] = findUnusedBodyLimits(bodyLimits, paths)
  if (unused) throw new StartError(unused)
  app.route('/health', healthRoutes(parts))
  app.route('/csp-report', cspReportRoute(log, now))
  app.route('/', wellKnownRoutes(parts))
  for (const area of [identityPrefix, '/api', '/health', '/demo/api', '/demo/mails', '/demo/providers'])
    app.all(`${area}/*`, () => notFound())
  app.use(sessionHint(public_url))
  app.route('/', parts.pages.app)
  app.notFound(() => notFound())
  app.onError((error) => answerError(error, log))
  return app
}

/** 503 while the server stops, or the database is not writable. */
function healthRoutes({ isStopping, identity }: AppParts): Hono {
  const app = new Hono()
  app.get('/alive', (c) => c.json({ status: 'ok' }))
  app.get('/ready', async (c) => {
    const isReady = !isStopping() && (await identity.isReady().catch(() => false))
    return isReady ? c.json({ status: 'ok' }) : c.json({ status: 'not ready' }, 503, { 'Retry-After': '1' })
  })
  return app
}

function notFound(): Response {
  return errorResponse(new ProductError('not_found', 404, 'There is nothing here'))
}

function answerError(error: unknown, log: Log): Response {
  if (error instanceof ProductError) return errorResponse(error)
  if (isAbortedUpload(error))
    return errorResponse(new ProductError('bad_request', 400, 'The body of the request is incomplete'))
  log.error({ err: error }, 'request failed')
  return errorResponse(new ProductError('internal_error', 500, 'Something went wrong', { cause: error }))
}
