import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, zstdDecompress } from 'node:zlib'
import { readCapped } from '@ostiary/identity/serving'
import { ProductError } from '../http/errors.ts'

export interface Outgoing {
  readonly url: string
  readonly method: string
  readonly headers: OutgoingHttpHeaders
  readonly body: ReadableStream | null
  readonly signal: AbortSignal
}

export interface Timeouts {
  /** Milliseconds without a byte. */
  readonly idleMs: number
  /** Milliseconds for the whole response, even if it trickles. */
  readonly wholeMs: number
}

/**
 * `fetch` would add headers, follow redirects and decode bodies. Throws a `ProductError` without
 * a response.
 */
export async function send(outgoing: Outgoing, patience: Timeouts): Promise<IncomingMessage> {
  try {
    return await attempt(outgoing, patience)
  } catch (error) {
    const { method, body } = outgoing
    const mayRepeat = error instanceof ReusedSocketError && body === null && ['GET', 'HEAD'].includes(method)
    if (!mayRepeat) throw unavailable(error)
    return await attempt(outgoing, patience).catch((again: unknown) => Promise.reject(unavailable(again)))
  }
}

export function unavailable(cause: unknown): ProductError {
  const tooLate = cause instanceof Error && cause.name === 'TimeoutError'
  return new ProductError(
    'identity_unavailable',
    tooLate ? 504 : 502,
    tooLate ? 'The identity service did not answer in time' : 'The identity service did not answer',
    { cause, retryAfter: 5 },
  )
}

/** The other side may close a kept connection just when we reuse it. */
class ReusedSocketError extends Error {}

function attempt(outgoing: Outgoing, { idleMs, wholeMs }: Timeouts): Promise<IncomingMessage> {
  const { url, method, headers, body, signal } = outgoing
  const open = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const request = open(url, { method, headers, signal })
    setBodyFraming(request, body)
    const giveUp = () => request.destroy(new DOMException('no answer in time', 'TimeoutError'))
    const timer = setTimeout(giveUp, wholeMs)
    request.setTimeout(idleMs, giveUp)
    request.once('close', () => clearTimeout(timer))
    request.once('response', resolve)
    request.once('error', (cause: NodeJS.ErrnoException) => {
      const reused = request.reusedSocket && cause.code === 'ECONNRESET'
      reject(reused ? new ReusedSocketError('a kept connection was closed', { cause }) : cause)
    })
    if (!body) {
      request.end()
      return
    }
    Readable.fromWeb(body)
      .once('error', (error) => request.destroy(error))
      .pipe(request)
  })
}

/**
 * Node sends the body of a DELETE without its end, and we drop that of a GET but not its length. Either way, the
 * service would take the body for a request, or the next user's request for a body (SEC-91).
 */
function setBodyFraming(request: ClientRequest, body: ReadableStream | null): void {
  if (!body) request.removeHeader('content-length')
  else if (!request.hasHeader('content-length')) request.setHeader('transfer-encoding', 'chunked')
}

/** A page of sessions, the largest response, has half a megabyte. */
const maxSize = 4 * 2 ** 20

type Unpack = (packed: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>

const unpackers: Readonly<Record<string, Unpack>> = {
  identity: async (content) => content,
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
  zstd: promisify(zstdDecompress),
}

/**
 * The body as received, and its text unless the encoding is unknown or wrong. Throws a `ProductError` if it ends early
 * or is too large, encoded or decoded.
 */
export async function readAnswer(answer: IncomingMessage, encoding: string | null) {
  const bytes = await readCapped(answer, maxSize).catch((error: unknown) =>
    Promise.reject(unavailable(error)),
  )
  const unpack = unpackers[(encoding ?? 'identity').trim().toLowerCase()]
  const text = await unpack?.(bytes, { maxOutputLength: maxSize }).then(
    (content) => content.toString('utf8'),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_BUFFER_TOO_LARGE') throw unavailable(error)
      return undefined
    },
  )
  return { bytes, text }
}
