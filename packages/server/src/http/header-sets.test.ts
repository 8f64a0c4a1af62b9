import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { randomSecret, signUp, startTestProduct, type TestProduct } from '../../test/product.ts'
import { createHeaderSets } from './header-sets.ts'

const origin = 'https://app.example.test'
const session: Record<string, string> = {}
let demo: TestProduct
let production: TestProduct

before(async () => {
  demo = await startTestProduct()
  const SECRETS = randomSecret()
  production = await startTestProduct({
    NODE_ENV: 'production',
    PUBLIC_URL: origin,
    SECRETS,
    SMTP_URL: 'smtp://127.0.0.1:9',
  })
  session['x-session-token'] = await signUp(production, 'ada@example.com')
})
after(async () => {
  await demo[Symbol.asyncDispose]()
  await production[Symbol.asyncDispose]()
})

const json = { 'content-type': 'application/json', accept: 'application/json' }
const pages: [string, number, RequestInit?][] = [
  ['/', 200],
  ['/login', 200],
  ['/nowhere', 404],
  ['/', 200, { method: 'HEAD' }],
]
const data: [string, number, RequestInit?][] = [
  ['/login/', 308],
  ['/login', 405, { method: 'POST' }],
  ['/health/alive', 200],
  ['/health/ready', 200],
  ['/health/nowhere', 404],
  ['/robots.txt', 200],
  ['/.well-known/security.txt', 200],
  ['/assets/gone.js', 404],
  ['/api/v1/nowhere', 404],
  ['/api/v1/account/devices', 401],
  ['/api/v1/account/devices', 200, { headers: session }],
  ['/.ory/health/alive', 200],
  ['/.ory/nowhere', 404],
  ['/.ory/sessions/whoami', 401],
  ['/.ory/.well-known/jwks.json', 200],
  ['/.ory/self-service/login/api', 200],
  ['/.ory/self-service/login/browser', 303, { headers: { accept: 'text/html' } }],
  ['/.ory/self-service/login', 413, { method: 'POST', headers: json, body: 'x'.repeat(200_000) }],
  [
    '/.ory/self-service/login',
    415,
    { method: 'POST', headers: { ...json, 'content-encoding': 'gzip' }, body: 'x' },
  ],
  ['/csp-report', 400, { method: 'POST', headers: json, body: '[{}]' }],
  [`/${'x'.repeat(9_000)}`, 414],
]

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': /^(same-origin|no-referrer)$/,
  'x-frame-options': 'DENY',
  'x-request-id': /^[\da-f-]{36}$/,
  'cross-origin-resource-policy': /^same-(origin|site)$/,
  'strict-transport-security': 'max-age=63072000',
}
const onPages = {
  'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: https://avatars.githubusercontent.com; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'; require-trusted-types-for 'script'; trusted-types 'none'; upgrade-insecure-requests; report-to csp`,
  'reporting-endpoints': `csp="${origin}/csp-report"`,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'camera=(), microphone=(), geolocation=(), payment=(), usb=(), publickey-credentials-get=(self), publickey-credentials-create=(self)',
  'cache-control': 'no-cache',
  'content-type': 'text/html; charset=utf-8',
}
const onData = {
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
  'cache-control': /no-store/,
}

function assertHeaders(response: Response, expected: Record<string, string | RegExp>): void {
  for (const [name, value] of Object.entries(expected)) {
    const actual = response.headers.get(name) ?? '(missing)'
    if (typeof value === 'string') assert.equal(actual, value, name)
    else assert.match(actual, value, name)
  }
  for (const name of ['server', 'x-powered-by']) assert.equal(response.headers.get(name), null)
}

for (const [kind, requests, expected] of [
  ['page', pages, onPages],
  ['data', data, onData],
] as const) {
  for (const [path, status, init] of requests) {
    test(`HDR-02 ${kind} ${init?.method ?? 'GET'} ${path.slice(0, 60)} ${status} carries its header set`, async () => {
      const response = await production.fetch(path, init)
      assert.equal(response.status, status)
      assertHeaders(response, { ...everywhere, ...expected })
    })
  }
}

test('HDR-02 a request that Node refuses carries it too', async () => {
  for (const text of [
    'nonsense\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
    'GET /health/alive HTTP/1.1\r\nHost: x\r\nExpect: nothing\r\nConnection: close\r\n\r\n',
  ]) {
    const { everything } = await production.connect(text)
    for (const name of ['X-Content-Type-Options', 'Strict-Transport-Security', 'Content-Security-Policy'])
      assert.match(await everything, new RegExp(`^${name}: `, 'im'))
  }
})

test('HSTS=preload covers subdomains and permits preload lists', () => {
  const { api } = createHeaderSets(new URL(origin), { hsts: 'preload' })
  assert.equal(api['Strict-Transport-Security'], 'max-age=63072000; includeSubDomains; preload')
})

test('HDR-02 no Strict-Transport-Security over http', async () => {
  const response = await demo.fetch('/')
  assert.equal(response.headers.get('strict-transport-security'), null)
  assert.ok(!response.headers.get('content-security-policy')?.includes('upgrade-insecure-requests'))
})

test('HDR-03 production cookies have protective names and attributes', async () => {
  const response = await production.fetch('/.ory/self-service/login/browser', { headers: json })
  const cookies = response.headers.getSetCookie()
  assert.equal(cookies.length, 1)
  for (const cookie of cookies) {
    assert.match(cookie, /^__Host-csrf_token_[\da-f]+=/)
    for (const attribute of ['Path=/', 'HttpOnly', 'Secure', 'SameSite=Lax'])
      assert.ok(cookie.split('; ').includes(attribute), attribute)
    assert.ok(!/domain/i.test(cookie))
  }
})

test('HDR-04 only the inbox frames, and only emails', async () => {
  const inbox = (await demo.fetch('/demo/inbox')).headers.get('content-security-policy') ?? ''
  assert.match(inbox, /frame-src 'self'/)
  assert.match(inbox, /trusted-types 'none'/)
  const home = (await demo.fetch('/')).headers.get('content-security-policy') ?? ''
  assert.ok(!home.includes('frame-src'))
})

for (const path of ['/demo/inbox', '/demo/api/mails', '/demo/mails/1', '/demo']) {
  test(`SEC-55 ${path} is 404 in production`, async () => {
    assert.equal((await production.fetch(path)).status, 404)
  })
}

test('SEC-11 no request header gets into a URL', async () => {
  const headers = {
    ...json,
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'gopher',
    forwarded: 'host=evil.test',
    'x-original-url': 'https://evil.test',
  }
  for (const path of [
    '/.ory/self-service/login/browser',
    '/.ory/self-service/registration/api',
    '/.well-known/security.txt',
  ]) {
    const response = await production.fetch(path, { headers })
    const text = JSON.stringify([...response.headers]) + (await response.text())
    assert.ok(!text.includes('evil.test') && !text.includes('gopher'), path)
  }
  const { everything } = await production.connect(
    'GET /.ory/self-service/login/browser HTTP/1.1\r\nHost: evil.test\r\nAccept: text/html\r\nConnection: close\r\n\r\n',
  )
  assert.ok(!(await everything).includes('evil.test'))
})

test('logs few CSP reports, without their query', async () => {
  const report = [
    {
      type: 'csp-violation',
      body: { effectiveDirective: 'script-src', blockedURL: 'https://x.test/a?code=123456' },
    },
  ]
  const send = () =>
    demo.fetch('/csp-report', {
      method: 'POST',
      headers: { 'content-type': 'application/reports+json' },
      body: JSON.stringify(report),
    })
  assert.equal((await send()).status, 204)
  const line = demo.log.lines.find(({ message }) => message === 'CSP violation')
  assert.deepEqual(line?.fields, { directive: 'script-src', blocked: 'https://x.test/a' })
  const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await send()).status))
  assert.ok(statuses.includes(429))
})
