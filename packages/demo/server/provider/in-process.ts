import { createServer, type IncomingMessage, type RequestListener, request as requestHttp } from 'node:http'
import { duplexPair, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'

export type Ask = (request: Request) => Promise<Response>

/** Calls through a pipe, so that host names need not resolve here. */
export function askInProcess(listener: RequestListener): Ask {
  const server = createServer(listener)
  return async (request) => {
    const [near, far] = duplexPair()
    const https = request.url.startsWith('https:')
    // Koa allows `Secure` cookies only if this is set.
    server.emit('connection', https ? Object.assign(far, { encrypted: true }) : far)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const { host, pathname, search } = new URL(request.url)
      const outgoing = requestHttp({
        createConnection: () => near,
        method: request.method,
        path: pathname + search,
        headers: { ...Object.fromEntries(request.headers), host },
        signal: request.signal,
      })
      outgoing.once('response', resolve)
      outgoing.once('error', (error) => reject(request.signal.aborted ? request.signal.reason : error))
      if (request.body) Readable.fromWeb(request.body as ReadableStream).pipe(outgoing)
      else outgoing.end()
    })
    return toResponse(answer)
  }
}

function toResponse(answer: IncomingMessage): Response {
  const headers = new Headers()
  for (let index = 0; index < answer.rawHeaders.length; index += 2) {
    const name = answer.rawHeaders[index]?.toLowerCase() ?? ''
    if (!['connection', 'keep-alive', 'transfer-encoding'].includes(name))
      headers.append(name, answer.rawHeaders[index + 1] ?? '')
  }
  const status = answer.statusCode ?? 502
  if (status !== 204 && status !== 304)
    return new Response(Readable.toWeb(answer) as globalThis.ReadableStream, { status, headers })
  answer.resume()
  return new Response(null, { status, headers })
}
