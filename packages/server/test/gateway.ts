import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { listenOnLoopback } from '@ostiary/identity/testing/servers/loopback'
import { createClientReader } from '@ostiary/identity-server'
import { trustedProxies } from '@ostiary/identity-server/process'
import { Hono } from 'hono'
import { errorResponse, type ProductError } from '../src/http/errors.ts'
import { remoteGateway } from '../src/identity-gateway/remote-gateway.ts'
import { keepLog } from './quiet-log.ts'

interface Options {
  readonly public_url?: string
  readonly timeouts?: typeof PATIENT
  readonly trusted_proxies?: string | undefined
}

interface Answer {
  readonly status?: number
  readonly headers?: object
  readonly body?: string | Buffer
}

export const app_url = 'https://app.example'
/** Not its real address. */
export const base_url = 'https://id.example.test/base'
const PATIENT = { idleMs: 60_000, wholeMs: 60_000 }

export async function startGateway(
  upstream: (request: IncomingMessage, body: string) => Answer | 'nothing',
  { public_url = app_url, timeouts = PATIENT, trusted_proxies }: Options = {},
) {
  const seen: IncomingMessage[] = []
  const engine = await listenOnLoopback(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    if (request.url === '/self-service/login/api') {
      answer(response, json({ ui: { action: `${base_url}/self-service/login?flow=1` } }))
      return
    }
    seen.push(request)
    const answered = upstream(request, Buffer.concat(chunks).toString())
    if (answered !== 'nothing') answer(response, answered)
  })
  const log = keepLog()
  const app = new Hono()
  const client = createClientReader(trustedProxies.parse(trusted_proxies ?? 0))
  const now = () => new Date()
  remoteGateway({ identity_url: engine.url, public_url, now, log, timeouts, client }).mountOn(app)
  app.onError((error) => errorResponse(error as ProductError))
  const front = await listenOnLoopback(getRequestListener(app.fetch))
  return {
    base: front.url,
    engine,
    log,
    seen,
    [Symbol.dispose]() {
      void front.close()
      void engine.close()
    },
  }
}

export function json(body: unknown, headers: object = {}): Answer {
  return {
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(body),
  }
}

function answer(response: ServerResponse, { status = 200, headers = {}, body = '' }: Answer): void {
  response.writeHead(status, headers as Record<string, string>)
  response.end(body)
}
