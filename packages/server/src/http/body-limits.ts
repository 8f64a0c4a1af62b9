import type { UploadTimes } from '@ostiary/identity-server'
import type { Hono, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { errorResponse, ProductError } from './errors.ts'

/** The largest body by prefix of a path, such as `{ '/api/v1/photos': '5MB' }`. */
export type BodyLimits = Readonly<Record<string, string>>

/** Also rejects compressed bodies, which hide their size. The longest prefix counts. */
export function limitBodies(app: Hono, maxSize: number, larger: BodyLimits = {}): void {
  const limit = limitOf(maxSize)
  const undeclared = limitOf(maxSize, 'Send a large request with its Content-Length')
  const paths = Object.entries(larger)
    .map(([prefix, size]) => ({ prefix, limit: limitOf(parseSize(size) ?? 0) }))
    .sort((one, other) => other.prefix.length - one.prefix.length)
  app.on(['POST', 'PUT', 'PATCH', 'DELETE'], '*', (c, next) => {
    const encoding = c.req.header('content-encoding') ?? 'identity'
    if (encoding !== 'identity')
      throw new ProductError('unsupported_media_type', 415, 'Send the request body without compression')
    const path = paths.find(({ prefix }) => `${c.req.path}/`.startsWith(`${prefix}/`))
    if (!path) return limit(c, next)
    // `bodyLimit` buffers a body of unknown size before the route checks the session.
    const hasLength = c.req.header('content-length') !== undefined
    const isDeclared = hasLength && c.req.header('transfer-encoding') === undefined
    return (isDeclared ? path.limit : undeclared)(c, next)
  })
}

function limitOf(maxSize: number, message = `Send at most ${describeSize(maxSize)}`): MiddlewareHandler {
  return bodyLimit({
    maxSize,
    onError: () =>
      errorResponse(
        // Closing the connection is the only way to stop an upload in progress.
        new ProductError('body_too_large', 413, message, { headers: { Connection: 'close' } }),
      ),
  })
}

function describeSize(bytes: number): string {
  return bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20} MB` : `${Math.floor(bytes / 2 ** 10)} KB`
}

/** Bytes in a second: a phone with a weak signal. */
const SLOWEST_LINE = 50_000

export function uploadTimes(limits: BodyLimits = {}): UploadTimes {
  const times = Object.entries(limits).map(([prefix, size]) => ({
    prefix,
    time: Math.ceil(((parseSize(size) ?? 0) / SLOWEST_LINE) * 1000),
  }))
  return {
    longest: Math.max(0, ...times.map(({ time }) => time)),
    of(target) {
      const path = `${target.split('?', 1)}/`
      return Math.max(0, ...times.map(({ prefix, time }) => (path.startsWith(`${prefix}/`) ? time : 0)))
    },
  }
}

const LARGEST = 100 * 2 ** 20

export function* findBodyLimitProblems(limits: BodyLimits = {}) {
  for (const [prefix, size] of Object.entries(limits)) {
    if (!/^\/api\/v1(\/[\w.~-]+)+$/.test(prefix))
      yield `bodyLimits in app/server.ts names ${JSON.stringify(prefix)}. Use a path such as /api/v1/photos, without parameters.`
    const bytes = parseSize(size)
    if (bytes === undefined || bytes > LARGEST)
      yield `bodyLimits in app/server.ts gives ${prefix} ${JSON.stringify(size)}. Use a size from 1KB to 100MB, such as 5MB.`
  }
}

/** @param paths of all routes, such as `/api/v1/photos/:id` */
export function* findUnusedBodyLimits(limits: BodyLimits = {}, paths: readonly string[]) {
  for (const prefix of Object.keys(limits)) {
    const segments = prefix.split('/')
    const isBelow = (path: string) => {
      const steps = path.split('/')
      const matches = (segment: string, n: number) => steps[n] === segment || /^[:*]/.test(steps[n] ?? '')
      return segments.slice(0, steps.at(-1) === '*' ? steps.length : undefined).every(matches)
    }
    if (!paths.some((path) => /^\/api\/v1\/[^*]/.test(path) && isBelow(path)))
      yield `bodyLimits in app/server.ts names ${prefix}, but no route begins so. Correct it, or add the route to app/server/api.ts.`
  }
}

const UNITS: Readonly<Record<string, number>> = { KB: 2 ** 10, MB: 2 ** 20 }

function parseSize(text: string): number | undefined {
  const [, digits, unit = ''] = /^([1-9]\d{0,5})(KB|MB)$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits) * (UNITS[unit] ?? 0)
}
