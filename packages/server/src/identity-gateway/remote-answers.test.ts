import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { app_url, base_url, json, startGateway } from '../../test/gateway.ts'

test('every cookie keeps its header, for this host', async () => {
  const cookies = [
    'a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Path=/base; Domain=example.test',
    'b=2; HttpOnly',
  ]
  using product = await startGateway(() => ({ headers: { 'Set-Cookie': cookies } }))
  const response = await fetch(`${product.base}/.ory/sessions/whoami`)
  assert.deepEqual(response.headers.getSetCookie(), [
    'a=1; Expires=Wed, 01 Jan 2031 00:00:00 GMT; Path=/; Secure',
    'b=2; HttpOnly; Path=/; Secure',
  ])
})

test('passes redirects and refusals on', async () => {
  using product = await startGateway(({ url }) => ({
    status: url === '/self-service/errors' ? 303 : 422,
    headers: { Location: 'https://elsewhere.example/login?flow=1' },
    body: '{}',
  }))
  const redirect = await fetch(`${product.base}/.ory/self-service/errors`, { redirect: 'manual' })
  assert.equal(redirect.status, 303)
  assert.equal(redirect.headers.get('location'), 'https://elsewhere.example/login?flow=1')
  assert.equal((await fetch(`${product.base}/.ory/self-service/login`, { redirect: 'manual' })).status, 422)
  assert.equal(product.seen.length, 2)
})

test('a redirect to the service leads back here', async () => {
  using product = await startGateway(({ url }) => ({
    status: 303,
    headers: {
      Location: `${url === '/sessions' ? base_url : product.engine.url}/self-service/login/browser?aal=aal2`,
    },
  }))
  for (const path of ['/sessions', '/sessions/whoami']) {
    const response = await fetch(`${product.base}/.ory${path}`, { redirect: 'manual' })
    assert.equal(response.headers.get('location'), `${app_url}/.ory/self-service/login/browser?aal=aal2`)
  }
})

test('pagination links stay on this host', async () => {
  using product = await startGateway(() =>
    json([], {
      Link: `<${base_url}/sessions?page_token=a>; rel="first", </sessions?page_token=b>; rel="next"`,
    }),
  )
  const response = await fetch(`${product.base}/.ory/sessions`)
  assert.equal(
    response.headers.get('link'),
    `<${app_url}/.ory/sessions?page_token=a>; rel="first", </.ory/sessions?page_token=b>; rel="next"`,
  )
})

const flow = { id: '1', ui: { action: `${base_url}/self-service/login?flow=1` } }
const ourFlow = { id: '1', ui: { action: `${app_url}/.ory/self-service/login?flow=1` } }
const packings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }

for (const [encoding, pack] of Object.entries(packings)) {
  test(`URLs change in ${encoding} too`, async () => {
    using product = await startGateway(() => ({
      ...json(flow, { 'Content-Encoding': encoding, ETag: '"1"' }),
      body: pack(JSON.stringify(flow)),
    }))
    const response = await fetch(`${product.base}/.ory/self-service/login/flows?id=1`)
    assert.equal(response.headers.get('etag'), null)
    assert.equal(Number(response.headers.get('content-length')), JSON.stringify(ourFlow).length)
    assert.deepEqual(await response.json(), ourFlow)
  })
}

test('an unchanged response arrives byte for byte', async () => {
  const bodies = ['{ "big": 12345678901234567890 }', '{"cut": ', '']
  using product = await startGateway(({ url }) => ({ ...json({}), body: bodies[Number(url?.at(-1))] ?? '' }))
  for (const [index, body] of bodies.entries())
    assert.equal(await (await fetch(`${product.base}/.ory/schemas/${index}`)).text(), body)
})

test('a script arrives unchanged', async () => {
  const body = `// ${base_url}/self-service/login`
  using product = await startGateway(() => ({ headers: { 'Content-Type': 'text/javascript' }, body }))
  assert.equal(await (await fetch(`${product.base}/.ory/.well-known/ory/webauthn.js`)).text(), body)
})

test('a response that decodes to too much is 502', async () => {
  using product = await startGateway(() => ({
    ...json({}, { 'Content-Encoding': 'gzip' }),
    body: gzipSync(Buffer.alloc(2 ** 24)),
  }))
  assert.equal((await fetch(`${product.base}/.ory/sessions`)).status, 502)
})

test('HEAD has the headers and no body', async () => {
  using product = await startGateway(() => json(flow))
  const response = await fetch(`${product.base}/.ory/self-service/login/flows?id=1`, { method: 'HEAD' })
  assert.equal(product.seen[0]?.method, 'HEAD')
  assert.match(response.headers.get('content-type') ?? '', /json/)
  assert.equal(await response.text(), '')
})

test('responses without a body arrive', async () => {
  using product = await startGateway(() => ({ status: 204 }))
  assert.equal((await fetch(`${product.base}/.ory/self-service/logout`)).status, 204)
})

test('an unchanged response stays encoded', async () => {
  using product = await startGateway(() => ({
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    body: gzipSync('{"packed":true}'),
  }))
  const response = await fetch(`${product.base}/.ory/schemas`)
  assert.equal(response.headers.get('content-encoding'), 'gzip')
  assert.deepEqual(await response.json(), { packed: true })
})

test("drops headers about the other service's host", async () => {
  const headers = {
    'Strict-Transport-Security': 'max-age=1',
    'Alt-Svc': 'h3=":443"',
    'Access-Control-Allow-Origin': 'https://evil.example',
    'Access-Control-Allow-Credentials': 'true',
  }
  using product = await startGateway(() => ({ headers }))
  const response = await fetch(`${product.base}/.ory/sessions/whoami`)
  for (const name of Object.keys(headers)) assert.equal(response.headers.get(name), null, name)
})

test('SEC-47 no cache keeps a response with a cookie', async () => {
  using product = await startGateway(({ url }) => ({
    headers: {
      'Cache-Control': 'public, max-age=60',
      ...(url === '/sessions' ? { 'Set-Cookie': 'a=1' } : {}),
    },
  }))
  for (const [path, kept] of Object.entries({
    '/sessions': 'private, no-store',
    '/schemas': 'public, max-age=60',
  })) {
    const response = await fetch(`${product.base}/.ory${path}`)
    assert.equal(response.headers.get('cache-control'), kept)
  }
})

test("the other service's headers replace none of ours", async () => {
  const foreign = {
    'Content-Security-Policy': "default-src 'none'",
    'X-Frame-Options': 'ALLOWALL',
    Refresh: '0; url=https://evil.example',
    'Clear-Site-Data': '"*"',
    'Permissions-Policy': 'camera=*',
    'Cross-Origin-Opener-Policy': 'unsafe-none',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Service-Worker-Allowed': '/',
    'X-Accel-Redirect': '/etc/passwd',
    'Set-Cookie2': 'a=1',
    'X-Unheard-Of': 'x',
  }
  const kept = {
    'Ory-Error-Id': 'session_inactive',
    'Ory-Session-Cache-For': '60',
    'X-Kratos-Authenticated-Identity-Id': 'ada',
    'X-Total-Count': '3',
    'Retry-After': '5',
    'WWW-Authenticate': 'Bearer',
    'Last-Modified': 'Wed, 01 Jan 2031 00:00:00 GMT',
  }
  using product = await startGateway(() => json({}, { ...foreign, ...kept }))
  const { headers } = await fetch(`${product.base}/.ory/sessions/whoami`)
  for (const name of Object.keys(foreign)) assert.equal(headers.get(name), null, name)
  for (const [name, value] of Object.entries(kept)) assert.equal(headers.get(name), value, name)
})

test("SEC-43 the other service learns a client's address from the gateway only", async () => {
  using product = await startGateway(() => json({}))
  const names = [
    'Forwarded',
    'X-Forwarded',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Real-IP',
    'X-Client-IP',
    'Client-IP',
    'X-Cluster-Client-IP',
    'True-Client-IP',
    'X-True-Client-IP',
    'CF-Connecting-IP',
    'Fastly-Client-IP',
    'Fly-Client-IP',
    'DO-Connecting-IP',
    'X-Remote-IP',
    'X-Remote-Addr',
    'X-AppEngine-User-IP',
    'X-Azure-ClientIP',
    'X-Envoy-External-Address',
    'X-Originating-IP',
    'X-Original-Forwarded-For',
  ]
  const headers = Object.fromEntries(names.map((name) => [name, '198.51.100.66']))
  await fetch(`${product.base}/.ory/sessions/whoami`, { headers })
  const sent = Object.entries(product.seen[0]?.headers ?? {})
  assert.deepEqual(
    sent.filter(([, value]) => String(value).includes('198.51.100.66')),
    [],
  )
  assert.equal(product.seen[0]?.headers['x-forwarded-for'], '127.0.0.1')
})

test("SEC-106 a client's headers name no user, method or trusted value to the other service", async () => {
  using product = await startGateway(() => ({}))
  const names = [
    ...[
      'X_Forwarded_For',
      'X_Forwarded_Host',
      'X-Forwarded_Proto',
      'x_real_ip',
      'Content_Length',
      'X.Forwarded.For',
    ],
    ...['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'X-HTTP-Path-Override'],
    ...[
      'X-Kratos-Authenticated-Identity-Id',
      'X-User',
      'X-User-Id',
      'X-Auth-Request-Email',
      'X-WebAuth-User',
    ],
    ...[
      'X-Authenticated-User',
      'X-Amzn-Oidc-Data',
      'X-Goog-Authenticated-User-Email',
      'X-MS-Client-Principal',
    ],
    ...['Remote-User', 'X-Remote-User', 'X-SSL-Client-Cert', 'SSL-Client-Verify', 'Client-Cert', 'Proxy'],
    ...['X-Forwarded-User', 'X-Rewrite-URL', 'X-Scheme', 'X-Session_Token', 'Cookie_'],
  ]
  const { hostname, port } = new URL(product.base)
  const headers = Object.fromEntries([...names, 'X-Session-Token'].map((name) => [name, 'planted']))
  const outgoing = request({ hostname, port, path: '/.ory/sessions/whoami', headers }).end()
  await once(outgoing, 'response')
  const sent = Object.entries(product.seen[0]?.headers ?? {}).filter(([, value]) => value === 'planted')
  assert.deepEqual(sent, [['x-session-token', 'planted']])
})
