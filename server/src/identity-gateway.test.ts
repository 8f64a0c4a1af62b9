import assert from 'node:assert/strict'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { errorResponse, type ProductError } from './errors.ts'
import { remoteGateway } from './identity-gateway.ts'

async function serve(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Our app in front of an identity service elsewhere, both on real sockets. */
async function setUp(upstream: (request: IncomingMessage, body: string) => Parameters<typeof answer>[1]) {
  const seen: IncomingMessage[] = []
  const engine = await serve(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    seen.push(request)
    answer(response, upstream(request, Buffer.concat(chunks).toString()))
  })
  const app = new Hono()
  remoteGateway(engine.base).mountOn(app)
  app.onError((error) => errorResponse(error as ProductError))
  const front = await serve(getRequestListener(app.fetch))
  return {
    base: front.base,
    engine,
    seen,
    [Symbol.dispose]() {
      front.close()
      engine.close()
    },
  }
}

function answer(
  response: import('node:http').ServerResponse,
  { status = 200, headers = {}, body = '' }: { status?: number; headers?: object; body?: string | Buffer },
): void {
  response.writeHead(status, headers as Record<string, string>)
  response.end(body)
}

test('a call reaches the other identity service as it was sent', async () => {
  using product = await setUp((_request, body) => ({ body }))
  const response = await fetch(`${product.base}/.ory/self-service/login?flow=a%2Fb`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: 'a=b; c=d', 'x-session-token': 't' },
    body: '{"method":"password"}',
  })
  assert.equal(await response.text(), '{"method":"password"}')
  const [request] = product.seen
  assert.equal(`${request?.method} ${request?.url}`, 'POST /self-service/login?flow=a%2Fb')
  assert.equal(request?.headers.cookie, 'a=b; c=d')
  assert.equal(request?.headers['x-session-token'], 't')
})

test('every cookie of an answer stays a header of its own', async () => {
  const cookies = ['a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Path=/', 'b=2; HttpOnly']
  using product = await setUp(() => ({ headers: { 'Set-Cookie': cookies } }))
  const response = await fetch(`${product.base}/.ory/sessions/whoami`)
  assert.deepEqual(response.headers.getSetCookie(), cookies)
})

test('redirects and refusals come back as they are, and nothing is followed', async () => {
  using product = await setUp(({ url }) => ({
    status: url === '/go' ? 303 : 422,
    headers: { Location: 'https://elsewhere.example/login?flow=1' },
    body: '{}',
  }))
  const redirect = await fetch(`${product.base}/.ory/go`, { redirect: 'manual' })
  assert.equal(redirect.status, 303)
  assert.equal(redirect.headers.get('location'), 'https://elsewhere.example/login?flow=1')
  assert.equal((await fetch(`${product.base}/.ory/self-service/login`, { redirect: 'manual' })).status, 422)
  assert.equal(product.seen.length, 2)
})

test('answers without a body arrive', async () => {
  using product = await setUp(() => ({ status: 204 }))
  assert.equal((await fetch(`${product.base}/.ory/self-service/logout`)).status, 204)
})

test('a packed answer stays packed', async () => {
  using product = await setUp(() => ({
    headers: { 'Content-Encoding': 'gzip' },
    body: gzipSync('{"packed":true}'),
  }))
  const response = await fetch(`${product.base}/.ory/schemas`)
  assert.deepEqual(await response.json(), { packed: true })
})

test('headers of one connection do not travel on, nor what a client says about its own way here', async () => {
  using product = await setUp(() => ({ headers: { 'Proxy-Authenticate': 'Basic', 'X-Kept': 'yes' } }))
  const response = await fetch(`${product.base}/.ory/health/alive`, {
    headers: {
      te: 'trailers',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-for': '203.0.113.7',
      'proxy-authorization': 'Basic x',
    },
  })
  const headers = product.seen[0]?.headers ?? {}
  assert.deepEqual(
    [headers.te, headers['x-forwarded-host'], headers['proxy-authorization']],
    [undefined, undefined, undefined],
  )
  assert.equal(headers['x-forwarded-for'], '127.0.0.1')
  assert.ok(!headers.host?.includes('evil'))
  assert.equal(response.headers.get('proxy-authenticate'), null)
  assert.equal(response.headers.get('x-kept'), 'yes')
})

test('a service that is down is a 502 that says so', async () => {
  using product = await setUp(() => ({}))
  product.engine.close()
  const response = await fetch(`${product.base}/.ory/sessions/whoami`)
  assert.equal(response.status, 502)
  const { error } = (await response.json()) as { error: { code: string } }
  assert.equal(error.code, 'identity_unavailable')
  assert.equal(response.headers.get('retry-after'), '5')
})
