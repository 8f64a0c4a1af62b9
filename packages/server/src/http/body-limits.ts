import type { Hono, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { errorResponse, ProductError } from './errors.ts'

/** Also rejects compressed bodies, which hide their size. `larger` has the longest prefix first. */
export function limitBodies(
  app: Hono,
  maxSize: number,
  larger: readonly (readonly [prefix: string, maxSize: number])[] = [],
): void {
  const limit = limitOf(maxSize)
  const undeclared = limitOf(maxSize, 'Send a large request with its Content-Length')
  const paths = larger.map(([prefix, size]) => ({ prefix, limit: limitOf(size) }))
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
