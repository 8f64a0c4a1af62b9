import type { IncomingMessage, RequestOptions } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Identity } from '@my-app/identity'
import type { Context, Hono } from 'hono'
import { ProductError } from './errors.ts'

/** Where the identity service answers, whichever it is. */
export interface IdentityGateway {
  /** Adds the routes below `/.ory`. */
  mountOn(app: Hono): void
  /** A call of the product itself, such as whoami. The path begins below `/.ory`. */
  call(path: string, headers: Headers): Promise<Response>
  isReady(): Promise<boolean>
}

export const identityPrefix = '/.ory'

export function embeddedGateway(identity: Pick<Identity, 'publicApp' | 'isReady'>): IdentityGateway {
  return {
    mountOn: (app) => {
      app.route(identityPrefix, identity.publicApp)
    },
    call: async (path, headers) => identity.publicApp.request(path, { headers }),
    isReady: () => identity.isReady(),
  }
}

/** Passes everything below `/.ory` on to an identity service elsewhere, and its answers back as they are. */
export function remoteGateway(identity_url: string): IdentityGateway {
  return {
    mountOn: (app) => {
      app.all(`${identityPrefix}/*`, (c) => passOn(c, identity_url))
    },
    call: (path, headers) => fetchRemote(identity_url + path, headers),
    // Pages must be served, and say so kindly, while the identity service is down.
    isReady: async () => true,
  }
}

const idleTimeoutMs = 15_000

async function fetchRemote(url: string, headers: Headers): Promise<Response> {
  try {
    return await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(5_000) })
  } catch (error) {
    throw unavailable(error)
  }
}

async function passOn(c: Context, identity_url: string): Promise<Response> {
  const url = new URL(c.req.url)
  const path = url.pathname.slice(identityPrefix.length)
  const answer = await send(identity_url + path + url.search, c.req.raw, forwardedHeaders(c))
  const status = answer.statusCode ?? 502
  const headers = answeredHeaders(answer)
  if (hasBody(status)) return new Response(Readable.toWeb(answer), { status, headers })
  answer.resume()
  return new Response(null, { status, headers })
}

/** `node:http` and not `fetch`: it adds no header of its own, follows nothing and unpacks nothing. */
function send(url: string, request: Request, headers: RequestOptions['headers']): Promise<IncomingMessage> {
  const open = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const outgoing = open(url, { method: request.method, headers, signal: request.signal })
    outgoing.setTimeout(idleTimeoutMs, () => outgoing.destroy(new Error('no answer in time')))
    outgoing.once('response', resolve)
    outgoing.once('error', (error) => reject(unavailable(error)))
    if (!request.body) {
      outgoing.end()
      return
    }
    Readable.fromWeb(request.body as ReadableStream)
      .once('error', (error) => outgoing.destroy(error))
      .pipe(outgoing)
  })
}

// RFC 9110 §7.6.1: these belong to one connection and must not travel further.
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
// What a client says about its own way here must not reach the identity service as if we had said it.
const notForwarded = new Set([
  'host',
  'forwarded',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-for',
  'x-real-ip',
  'true-client-ip',
  'cf-connecting-ip',
])

function forwardedHeaders(c: Context): Record<string, string> {
  const dropped = connectionOptions(c.req.header('connection'))
  const headers: Record<string, string> = {}
  c.req.raw.headers.forEach((value, name) => {
    if (!hopByHop.has(name) && !notForwarded.has(name) && !dropped.has(name)) headers[name] = value
  })
  const address = peerAddress(c)
  return address ? { ...headers, 'x-forwarded-for': address } : headers
}

function answeredHeaders(answer: IncomingMessage): Headers {
  const dropped = connectionOptions(answer.headers.connection)
  const headers = new Headers()
  for (let index = 0; index < answer.rawHeaders.length; index += 2) {
    const name = answer.rawHeaders[index]?.toLowerCase() ?? ''
    if (hopByHop.has(name) || dropped.has(name)) continue
    // Each Set-Cookie stays a line of its own: joined by commas no browser can take them apart.
    headers.append(name, answer.rawHeaders[index + 1] ?? '')
  }
  return headers
}

function connectionOptions(value: string | undefined): Set<string> {
  return new Set((value ?? '').split(',').map((name) => name.trim().toLowerCase()))
}

function peerAddress(c: Context): string | undefined {
  const env: { incoming?: IncomingMessage } | undefined = c.env
  return env?.incoming?.socket.remoteAddress
}

function hasBody(status: number): boolean {
  return status !== 204 && status !== 205 && status !== 304
}

function unavailable(cause: unknown): ProductError {
  return new ProductError('identity_unavailable', 502, 'The identity service did not answer', {
    cause,
    retryAfter: 5,
  })
}
