import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { portOf } from '@ostiary/identity-server'
import { app_url, base_url, json, startGateway } from '../../test/gateway.ts'
import { createBaseUrl } from './base-url.ts'
import { readAnswer, send } from './send.ts'

test('a call reaches the other service unchanged', async () => {
  using product = await startGateway((_request, body) => ({ body }))
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

const closed = [
  '/admin/identities',
  '/identities',
  '/courier/messages',
  '/self-service/../admin/identities',
  '/self-service/%2e%2e/admin/identities',
  '/self-service/..%2fadmin/identities',
  '/self-service%2f..%2fadmin',
  '/sessions/..%5c..%5cadmin',
  '/sessions/%252e%252e/admin',
  '//evil.example/self-service/login',
  '/self-service//evil.example',
  '/selfservice',
  '/self-service-x/login',
  '/ui/login',
  '/',
]
test("SEC-42 only the other service's public paths can be reached", async () => {
  using product = await startGateway(() => ({}))
  for (const path of closed) assert.equal(await rawStatus(product.base, `/.ory${path}`), 404, path)
  assert.equal(await rawStatus(product.base, 'http://evil.example/.ory/admin/identities'), 404)
  assert.equal(product.seen.length, 0)
})

const SMUGGLED = 'GET /admin/identities HTTP/1.1\r\nHost: engine\r\n\r\n'

for (const [name, given] of [
  ['of a GET', { method: 'GET', headers: { 'Content-Length': SMUGGLED.length } }],
  ['of a DELETE without a length', { method: 'DELETE', headers: { 'Transfer-Encoding': 'chunked' } }],
  [
    'whose length is for the connection',
    { method: 'DELETE', headers: { 'Content-Length': SMUGGLED.length, Connection: 'content-length' } },
  ],
] as const)
  test(`SEC-91 the body ${name} never becomes part of another request`, async () => {
    using product = await startGateway(() => ({}), { timeouts: { idleMs: 1000, wholeMs: 1000 } })
    assert.equal(await rawStatus(product.base, '/.ory/sessions', { ...given, body: SMUGGLED }), 200)
    assert.equal(await rawStatus(product.base, '/.ory/sessions/whoami'), 200)
    assert.deepEqual(
      product.seen.map(({ url }) => url),
      ['/sessions', '/sessions/whoami'],
    )
  })

test('an absolute target chooses no other host', async () => {
  using product = await startGateway(() => json({ from: 'engine' }))
  assert.equal(await rawStatus(product.base, 'http://evil.example/.ory/sessions/whoami'), 200)
  assert.equal(product.seen[0]?.url, '/sessions/whoami')
})

/** `fetch` would normalise the path. */
async function rawStatus(
  base: string,
  path: string,
  { body = '', ...given }: RequestOptions & { readonly body?: string } = {},
): Promise<number | undefined> {
  const { hostname, port } = new URL(base)
  const outgoing = request({ ...given, hostname, port, path })
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

test("drops hop-by-hop headers and a client's claims about its address", async () => {
  using product = await startGateway(() => ({ headers: { 'Proxy-Authenticate': 'Basic', Age: '7' } }))
  const response = await fetch(`${product.base}/.ory/health/alive`, {
    headers: {
      te: 'trailers',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-for': '203.0.113.7',
      'proxy-authorization': 'Basic x',
      'ory-base-url-rewrite': 'https://evil.example',
      'x-kept': 'yes',
    },
  })
  const headers = product.seen[0]?.headers ?? {}
  assert.deepEqual(
    [
      headers.te,
      headers['x-forwarded-host'],
      headers['proxy-authorization'],
      headers['ory-base-url-rewrite'],
      headers['x-kept'],
    ],
    [undefined, undefined, undefined, undefined, 'yes'],
  )
  assert.equal(headers['x-forwarded-proto'], 'https')
  assert.equal(headers['x-forwarded-for'], '127.0.0.1')
  assert.ok(!headers.host?.includes('evil'))
  assert.equal(response.headers.get('proxy-authenticate'), null)
  assert.equal(response.headers.get('age'), '7')
})

const marks: [string, Record<string, string>, (string | undefined)[]][] = [
  [
    'a page of ours is a page of the other service, and its address stays here',
    { origin: app_url, referer: `${app_url}/verify?flow=1&code=2` },
    ['https://id.example.test', 'https://id.example.test/'],
  ],
  [
    'SEC-35 a page of another site stays one',
    { origin: 'https://evil.example', referer: 'https://evil.example/x' },
    ['https://evil.example', 'https://evil.example/x'],
  ],
  ['SEC-35 a hidden origin stays hidden', { origin: 'null' }, ['null', undefined]],
]
for (const [name, headers, [origin, referer]] of marks) {
  test(name, async () => {
    using product = await startGateway(() => ({}))
    await fetch(`${product.base}/.ory/self-service/login?flow=1`, { method: 'POST', headers, body: 'a=b' })
    assert.equal(product.seen[0]?.headers.origin, origin)
    assert.equal(product.seen[0]?.headers.referer, referer)
  })
}

test("does not send the product's token to the other service", async () => {
  using product = await startGateway(() => ({}))
  const headers = { cookie: 'a=b; user_jwt=x.y.z; my_user_jwt=c' }
  await fetch(`${product.base}/.ory/sessions/whoami`, { headers })
  await fetch(`${product.base}/.ory/sessions/whoami`, { headers: { cookie: 'user_jwt=x.y.z' } })
  assert.deepEqual(
    product.seen.map(({ headers }) => headers.cookie),
    ['a=b; my_user_jwt=c', undefined],
  )
})

for (const [method, status] of Object.entries({ GET: 200, POST: 502 })) {
  test(`when the other service closes a kept connection, a ${method} is sent ${status === 200 ? 'again' : 'once'}`, async () => {
    const used = new Set<object>()
    using product = await startGateway(({ socket }) => {
      if (!used.has(socket)) {
        used.add(socket)
        return {}
      }
      socket.destroy()
      return 'nothing'
    })
    await fetch(`${product.base}/.ory/sessions/whoami`)
    const body = method === 'POST' ? { body: 'a=b' } : {}
    const response = await fetch(`${product.base}/.ory/self-service/login?flow=1`, { method, ...body })
    assert.equal(response.status, status)
    assert.equal(product.seen.length, status === 200 ? 3 : 2)
  })
}

test('an unreachable service is 502', async () => {
  using product = await startGateway(() => ({}))
  await product.engine.close()
  const response = await fetch(`${product.base}/.ory/sessions/whoami`)
  assert.equal(response.status, 502)
  const { error } = (await response.json()) as { error: { code: string } }
  assert.equal(error.code, 'identity_unavailable')
  assert.equal(response.headers.get('retry-after'), '5')
  const lines = product.log.lines.map(({ level, fields, message }) => [level, fields, message])
  assert.deepEqual(lines, [['warn', { reason: 'ECONNREFUSED' }, 'the identity service does not answer']])
})

test('the log has one line for an outage and one for its end', async () => {
  let isDown = true
  using product = await startGateway(({ socket }) => {
    if (isDown) socket.destroy()
    return isDown ? 'nothing' : {}
  })
  const ask = async () => (await fetch(`${product.base}/.ory/sessions/whoami`)).status
  assert.deepEqual([await ask(), await ask(), await ask()], [502, 502, 502])
  isDown = false
  assert.deepEqual([await ask(), await ask()], [200, 200])
  assert.deepEqual(
    product.log.lines.map(({ message }) => message),
    ['the identity service does not answer', 'the identity service answers again'],
  )
})

test('a slow service is 504', async () => {
  using product = await startGateway(() => 'nothing', { timeouts: { idleMs: 200, wholeMs: 600 } })
  const response = await fetch(`${product.base}/.ory/sessions/whoami`)
  assert.equal(response.status, 504)
  const { error } = (await response.json()) as { error: { code: string; message: string } }
  assert.equal(error.code, 'identity_unavailable')
  assert.equal(error.message, 'The identity service did not answer in time')
})

test('a response that ends early is 502', async () => {
  using product = await startGateway(() => ({
    headers: { 'Content-Type': 'application/json', 'Content-Length': '1000' },
    body: '{"id":',
  }))
  const answered = fetch(`${product.base}/.ory/sessions/whoami`)
  while (product.seen.length === 0) await delay(5)
  await product.engine.close()
  assert.equal((await answered).status, 502)
})

test('a response that trickles is ended', async () => {
  const trickle = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 50)
    response.once('close', () => clearInterval(timer))
  })
  trickle.listen(0, '127.0.0.1')
  await once(trickle, 'listening')
  const url = `http://127.0.0.1:${portOf([trickle])}`
  const outgoing = { url, method: 'GET', headers: {}, body: null, signal: new AbortController().signal }
  const answered = send(outgoing, { idleMs: 60_000, wholeMs: 300 }).then((answer) => readAnswer(answer, null))
  await assert.rejects(answered, { code: 'identity_unavailable' })
  trickle.close()
})

test('asks again for an unknown base URL', async () => {
  const clock = { now: 0 }
  let asked = 0
  const answers = [
    new Error('down'),
    { error: 'no flow' },
    { ui: { action: `${base_url}/self-service/login?flow=1` } },
  ]
  const openLogin = async () => {
    const answered = answers[asked++]
    if (answered instanceof Error) throw answered
    return answered
  }
  const baseUrl = createBaseUrl('http://engine:4433', openLogin, () => new Date(clock.now))
  for (const expected of ['http://engine:4433', 'http://engine:4433', base_url, base_url]) {
    assert.deepEqual(await Promise.all([baseUrl(), baseUrl()]), [expected, expected])
    clock.now += 1_001
  }
  assert.equal(asked, 3)
})
