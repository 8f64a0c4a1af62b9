import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { LocalCodeHost } from '@ostiary/server/testing/local-code-host'
import { sendJson, startLocalCodeHost, wireRepository } from '@ostiary/server/testing/local-code-host'
import { randomSecret, signUp, startTestProduct, type TestProduct } from '@ostiary/server/testing/product'
import { decodeJwt } from 'jose'

const NO_MAIL_SERVER = 'smtp://127.0.0.1:9'

let github: LocalCodeHost
let product: TestProduct
let session: string
let user_jwt: string

before(async () => {
  github = await startLocalCodeHost()
  product = await startTestProduct({ CODE_HOST_URL: github.base })
  session = await signUp(product, 'ada@example.com')
  const response = await product.fetch('/.ory/sessions/whoami?tokenize_as=my_app_jwt', {
    headers: { 'x-session-token': session },
  })
  const { tokenized } = (await response.json()) as { tokenized: string }
  user_jwt = tokenized
})
after(async () => {
  await product[Symbol.asyncDispose]()
  await github[Symbol.asyncDispose]()
})

const protectedUser = (headers: Record<string, string> = {}) =>
  product.fetch('/api/v1/cash/protected_user', { headers })
const protectedByJwt = (headers: Record<string, string> = {}, query = '') =>
  product.fetch(`/api/v1/cash/protected${query}`, { headers })

test("protected_user returns the fixed user's repositories to a live session", async () => {
  const response = await protectedUser({ 'x-session-token': session })
  assert.equal(response.status, 200)
  const repositories = (await response.json()) as { full_name: string }[]
  assert.equal(repositories[0]?.full_name, 'octocat/hello')
  assert.equal(github.requests[0]?.url, '/users/octocat/repos?per_page=100')
})

test('protected accepts a user_jwt as cookie or bearer', async () => {
  const carriers: Record<string, string>[] = [
    { cookie: `user_jwt=${user_jwt}` },
    { authorization: `Bearer ${user_jwt}` },
  ]
  for (const headers of carriers) {
    const response = await protectedByJwt(headers)
    assert.equal(response.status, 200)
    assert.equal(((await response.json()) as unknown[]).length, 1)
  }
})

test('a request without a session gets 401 as JSON', async () => {
  for (const response of [await protectedUser(), await protectedByJwt()]) {
    assert.equal(response.status, 401)
    assert.equal(response.headers.get('www-authenticate'), 'Bearer')
    const { error } = (await response.json()) as { error: { code: string; status: number } }
    assert.deepEqual([error.code, error.status], ['unauthorized', 401])
  }
})

test('SEC-18 a user_jwt alone is not a live session', async () => {
  assert.equal((await protectedUser({ cookie: `user_jwt=${user_jwt}` })).status, 401)
  assert.equal((await protectedUser({ authorization: `Bearer ${user_jwt}` })).status, 401)
})

test('SEC-50 refuses a token with changed claims', async () => {
  const [header, , signature] = user_jwt.split('.')
  const claims = { ...decodeJwt(user_jwt), sub: 'another-user' }
  const forged = [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
  assert.equal((await protectedByJwt({ authorization: `Bearer ${forged}` })).status, 401)
})

test('SEC-51 the token names expiry, audience and issuer', () => {
  const claims = decodeJwt(user_jwt)
  assert.equal(claims.iss, 'http://localhost:3000/.ory')
  assert.deepEqual([claims.aud].flat(), ['http://localhost:3000'])
  assert.ok((claims.exp ?? 0) - (claims.iat ?? 0) <= 600)
})

test('SEC-52 accepts the token in the cookie and as bearer only', async () => {
  assert.equal((await protectedByJwt({}, `?user_jwt=${user_jwt}&access_token=${user_jwt}`)).status, 401)
  assert.equal((await protectedByJwt({ authorization: `Token ${user_jwt}` })).status, 401)
  assert.equal((await protectedByJwt({ authorization: user_jwt })).status, 401)
  const twice = await product.connect(
    `GET /api/v1/cash/protected HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${user_jwt}\r\nAuthorization: Bearer ${user_jwt}\r\nConnection: close\r\n\r\n`,
  )
  assert.match(await twice.everything, /^HTTP\/1\.1 401 /)
})

test('SEC-53 refuses an oversized token', async () => {
  const filler = Buffer.from('x'.repeat(4096)).toString('base64url')
  assert.equal((await protectedByJwt({ authorization: `Bearer ${user_jwt}${filler}` })).status, 401)
})

test('refuses a revoked session at once', async () => {
  const other = await signUp(product, 'bea@example.com')
  assert.equal((await protectedUser({ 'x-session-token': other })).status, 200)
  await product.fetch('/.ory/self-service/logout/api', {
    method: 'DELETE',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ session_token: other }),
  })
  assert.equal((await protectedUser({ 'x-session-token': other })).status, 401)
})

test('without GitHub the demo shows a sample, production an error', async () => {
  const listRepositories = async (at: TestProduct, user: string) => {
    const headers = { 'x-session-token': await signUp(at, `${user}@example.com`) }
    return await at.fetch(`/api/v1/code-host/users/${user}/repos`, { headers })
  }
  await using down = await startLocalCodeHost(sendJson(503, {}))
  const CODE_HOST_URL = down.base
  await using demo = await startTestProduct({ CODE_HOST_URL })
  const sample = await listRepositories(demo, 'octocat')
  assert.equal(sample.headers.get('x-data-source'), 'sample')
  assert.equal((await listRepositories(demo, 'ada')).status, 502)
  const production = { NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:5200', SMTP_URL: NO_MAIL_SERVER }
  await using live = await startTestProduct({ ...production, CODE_HOST_URL, SECRETS: randomSecret() })
  const failed = await listRepositories(live, 'octocat')
  assert.equal(failed.status, 502)
  assert.equal(((await failed.json()) as { error: { code: string } }).error.code, 'code_host_unavailable')
})

test('every code-host path requires a session', async () => {
  const headers = { 'x-session-token': session }
  const { reply } = github
  github.reply = (request, response) => {
    const path = request.url?.split('?')[0] ?? ''
    const one = path.startsWith('/users/') ? { login: 'octocat', id: 1 } : wireRepository('hello')
    sendJson(200, /repos$|contributors$/.test(path) ? [] : one)(request, response)
  }
  for (const path of [
    ...['/users/octocat', '/users/ada/repos', '/users/octocat/repos', '/orgs/octo-org/repos'],
    ...['/repos/octocat/hello', '/repos/octocat/hello/contributors'],
  ]) {
    assert.equal((await product.fetch(`/api/v1/code-host${path}`)).status, 401, path)
    assert.equal((await product.fetch(`/api/v1/code-host${path}`, { headers })).status, 200, path)
  }
  github.reply = reply
})

test('the five paths say how old their data are', async () => {
  const headers = { 'x-session-token': session }
  const response = await product.fetch('/api/v1/code-host/users/octocat/repos', { headers })
  assert.equal(response.headers.get('x-data-source'), 'cache')
  assert.match(response.headers.get('age') ?? '', /^\d+$/)
  for (const path of ['/users/-', '/users/a%2Fb/repos', '/repos/octocat/..%2Fx', '/users/octocat%3Fx/repos'])
    assert.equal((await product.fetch(`/api/v1/code-host${path}`, { headers })).status, 400, path)
  assert.equal((await product.fetch('/api/v1/code-host/elsewhere')).status, 404)
})

test('the metrics count calls of the code host, without the names of users', async () => {
  const response = await product.identity.adminApp.request('http://127.0.0.1/metrics')
  const text = await response.text()
  assert.match(text, /^code_host_request_duration_seconds_count\{status="200"\} [1-9]/m)
  assert.doesNotMatch(text, /octocat/)
})
