import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { createOutageLog, type Tracing, tracedCall } from '@ostiary/identity/serving'
import type { ClientReader } from '@ostiary/identity-server'
import type { Log } from '@ostiary/identity-server/process'
import type { Context } from 'hono'
import { z } from 'zod'
import { ProductError } from '../http/errors.ts'
import { type Addresses, isPassedOn, toOurs } from './addresses.ts'
import { createBaseUrl } from './base-url.ts'
import { forwardedHeaders, responseHeaders, withoutOwnCookies } from './headers.ts'
import { type IdentityGateway, identityPrefix, type SessionAnswer } from './identity-gateway.ts'
import { rewriteJson } from './json-body.ts'
import { readAnswer, send, type Timeouts, unavailable } from './send.ts'

export interface RemoteParts {
  readonly identity_url: string
  readonly public_url: string
  readonly now: () => Date
  readonly log: Log
  readonly client: ClientReader
  readonly tracing?: Tracing | undefined
  readonly timeouts?: Timeouts
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const defaultPatience: Timeouts = { idleMs: 10_000, wholeMs: 30_000 }
const aboutBytes = ['content-length', 'content-encoding', 'etag', 'content-md5', 'digest', 'content-digest']
const callTimeoutMs = 5_000

export function remoteGateway(parts: RemoteParts): IdentityGateway {
  const { identity_url, now, log, tracing } = parts
  const outage = createOutageLog(log, OUTAGE)
  const call = (path: string, headers: Headers) =>
    logOutage(
      outage,
      tracedCall(
        tracing,
        { target: 'identity_service', method: 'GET', url: identity_url },
        () => callRemote(parts, path, headers),
        ({ status }) => status,
      ),
    )
  const openLogin = async () =>
    (await call('/self-service/login/api', new Headers({ accept: 'application/json' }))).json()
  const baseUrl = createBaseUrl(identity_url, openLogin, now)
  return {
    mountOn: (app) => {
      app.on(methods, `${identityPrefix}/*`, (c) => logOutage(outage, forwardRequest(c, parts, baseUrl)))
    },
    checkSession: async (credentials) => readSession(await call('/sessions/whoami', credentials)),
    call,
    issuer: baseUrl,
    // Pages must load, with a message, while the identity service is down.
    isReady: async () => true,
  }
}

const OUTAGE = { begin: 'the identity service does not answer', end: 'the identity service answers again' }

/** Only the log gets the reason. */
async function logOutage<T>(outage: ReturnType<typeof createOutageLog>, answer: Promise<T>): Promise<T> {
  try {
    const received = await answer
    outage.answered()
    return received
  } catch (error) {
    if (error instanceof ProductError && error.code === 'identity_unavailable')
      outage.failed({ reason: reasonOf(error.cause) })
    throw error
  }
}

/** A message could quote the request. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown'
  if ('code' in cause && typeof cause.code === 'string') return cause.code
  return cause.cause === undefined ? cause.name : reasonOf(cause.cause)
}

async function callRemote(
  { identity_url, tracing }: RemoteParts,
  path: string,
  requestHeaders: Headers,
): Promise<Response> {
  const headers = new Headers(requestHeaders)
  for (const [name, value] of Object.entries(tracing?.headers() ?? {})) headers.set(name, value)
  const cookies = withoutOwnCookies(headers.get('cookie') ?? '')
  if (cookies === undefined) headers.delete('cookie')
  else headers.set('cookie', cookies)
  try {
    return await fetch(identity_url + path, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(callTimeoutMs),
    })
  } catch (error) {
    throw unavailable(error)
  }
}

/** A body that is not JSON is a failure. An inactive session counts as none. */
export async function readSession(response: Response): Promise<SessionAnswer> {
  const { status, headers } = response
  if (status !== 200) return { status, retry_after: Number(headers.get('retry-after')) || 1 }
  const body: unknown = await response.json().catch(() => undefined)
  if (body === undefined) return { status: 502 }
  const { data: session } = activeSession.safeParse(body)
  return session ? { status, session } : { status: 401 }
}

const activeSession = z.object({
  active: z.literal(true),
  id: z.string(),
  identity: z.object({
    id: z.string(),
    traits: z.record(z.string(), z.unknown()),
    metadata_public: z.unknown().optional(),
  }),
})

async function forwardRequest(
  c: Context,
  parts: RemoteParts,
  baseUrl: () => Promise<string>,
): Promise<Response> {
  const { identity_url, public_url, client, tracing, timeouts = defaultPatience } = parts
  const { pathname, search } = new URL(c.req.url)
  const path = pathname.slice(identityPrefix.length)
  if (!isPassedOn(path)) throw new ProductError('not_found', 404, 'There is nothing here')
  const base_url = await baseUrl()
  const { method, body, signal } = c.req.raw
  const origins = { ours: public_url, theirs: new URL(base_url).origin }
  const url = identity_url + path + search
  const answer = await tracedCall(
    tracing,
    { target: 'identity_service', method, url: identity_url },
    () => {
      const headers = forwardedHeaders(c, origins, { client, tracing })
      return send({ url, method, headers, body: body as ReadableStream | null, signal }, timeouts)
    },
    ({ statusCode = 502 }) => statusCode,
  )
  return await toOurResponse(answer, method, public_url, {
    ours: public_url + identityPrefix,
    theirs: [new URL(base_url), new URL(identity_url)],
  })
}

async function toOurResponse(
  answer: IncomingMessage,
  method: string,
  public_url: string,
  addresses: Addresses,
): Promise<Response> {
  const rewrite = (address: string) => toOurs(address, addresses)
  const headers = responseHeaders(answer, public_url.startsWith('https:'), rewrite)
  const status = answer.statusCode ?? 502
  if (method === 'HEAD' || [204, 205, 304].includes(status)) {
    answer.resume()
    // The rewritten body's length is unknown.
    if (method === 'HEAD') headers.delete('content-length')
    return new Response(null, { status, headers })
  }
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(headers.get('content-type') ?? '')
  if (!isJson || status === 206)
    return new Response(Readable.toWeb(answer) as globalThis.ReadableStream, { status, headers })
  const { bytes: sent, text } = await readAnswer(answer, headers.get('content-encoding'))
  const rewritten = text === undefined ? undefined : rewriteJson(text, rewrite)
  if (rewritten === undefined || rewritten === text) return new Response(sent, { status, headers })
  for (const name of aboutBytes) headers.delete(name)
  return new Response(rewritten, { status, headers })
}
