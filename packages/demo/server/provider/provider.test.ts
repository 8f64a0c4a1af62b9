import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { ProductError } from '@ostiary/server/demo'
import { demoProviders } from '@ostiary/server/testing/product'
import { Hono } from 'hono'
import { createRemoteJWKSet, customFetch, jwtVerify } from 'jose'
import { createChanges } from '../changes.ts'
import { demoRoutes } from '../routes.ts'
import { type Behavior, createDemoHost } from './routes.ts'

const public_url = 'https://app.example'
const verifier = 'v'.repeat(43)
const challenge = createHash('sha256').update(verifier).digest('base64url')

function setUp(id = 'github', behavior?: Behavior) {
  const providers = createDemoHost(public_url, demoProviders, behavior)
  const app = new Hono()
  const parts = {
    listMails: async () => [],
    listPreviews: () => [],
    changes: createChanges(() => new Date(), { hasPanel: true }),
    providers,
  }
  app.route('/demo', demoRoutes(parts, new URL(public_url)))
  app.onError((error, c) => c.text(error.message, error instanceof ProductError ? error.status : 500))
  const client = providers.clients.find((one) => one.id === id) ?? assert.fail()
  const redirect_uri = `${public_url}/.ory/self-service/methods/oidc/callback/${id}`
  const cookies = new Map<string, string>()

  async function go(url: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const body = form && new URLSearchParams(form)
    const response = await app.request(new URL(url, public_url), {
      method: form ? 'POST' : 'GET',
      headers: { cookie },
      ...(body ? { body } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';', 1)[0]?.split(/=(.*)/s) ?? []
      cookies.set(name, value)
    }
    return response
  }

  async function begin(changes: Record<string, string> = {}): Promise<string> {
    const query = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri,
      response_type: 'code',
      scope: 'openid profile email',
      state: 'state',
      nonce: 'nonce',
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...changes,
    })
    const response = await go(`${client.issuer}/auth?${query}`)
    return response.headers.get('location') ?? ''
  }

  async function decide(form: Record<string, string>): Promise<URLSearchParams> {
    const attempt = new URL(await begin()).searchParams.get('attempt')
    const decided = await go(`/demo/api/consent/${id}/${attempt}`, { decision: 'approve', ...form })
    const back = await go(decided.headers.get('location') ?? '')
    const location = back.headers.get('location') ?? ''
    assert.ok(location.startsWith(`${redirect_uri}?`), location)
    return new URL(location).searchParams
  }

  function redeem(code: string | null, init: RequestInit = {}): Promise<Response> {
    const credentials = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64')
    return providers.fetch(`${client.issuer}/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${credentials}` },
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: code ?? '',
        redirect_uri,
        code_verifier: verifier,
      }),
      ...init,
    })
  }

  async function signIn(form: Record<string, string>): Promise<Record<string, unknown>> {
    const response = await redeem((await decide(form)).get('code'))
    const { id_token = '' } = (await response.json()) as { id_token?: string }
    const keys = createRemoteJWKSet(new URL(`${client.issuer}/jwks`), { [customFetch]: providers.fetch })
    const { payload } = await jwtVerify(id_token, keys, {
      issuer: client.issuer,
      audience: client.client_id,
    })
    return payload
  }

  return { app, providers, client, cookies, go, begin, decide, redeem, signIn }
}

test('a new user has a verified address and stays the same', async () => {
  const { signIn } = setUp()
  const first = await signIn({ user: 'new' })
  assert.equal(first.email, `${first.name}@example.com`)
  assert.equal(first.email_verified, true)
  assert.equal(first.nonce, 'nonce')
  const again = await signIn({ user: String(first.sub) })
  assert.deepEqual([again.sub, again.email], [first.sub, first.email])
  assert.notEqual((await signIn({ user: 'new' })).sub, first.sub)
})

for (const [user, email, verified] of [
  ['no_email', undefined, undefined],
  ['unverified', /@example\.com$/, false],
  ['taken', /^ada@example\.com$/, true],
] as const) {
  test(`a new account (${user}) has the announced claims`, async () => {
    const claims = await setUp().signIn({ user, email: 'ada@example.com' })
    if (email) assert.match(String(claims.email), email)
    else assert.ok(!('email' in claims))
    assert.equal(claims.email_verified, verified)
  })
}

test('GitHub and Google have separate accounts', async () => {
  const { app, begin, go, signIn, providers } = setUp('google')
  const { sub } = await signIn({ user: 'new' })
  providers.remember?.('github', { id: '1', name: 'Ada', email_verified: false })
  const attempt = new URL(await begin()).searchParams.get('attempt')
  const { users } = (await (await go(`/demo/api/consent/google/${attempt}`)).json()) as {
    users: { id: string }[]
  }
  assert.deepEqual(
    users.map(({ id }) => id),
    [sub],
  )
  assert.equal((await app.request('/demo/providers/other/auth')).status, 404)
})

test('declining returns access_denied', async () => {
  const { decide } = setUp()
  const back = await decide({ decision: 'deny' })
  assert.deepEqual([back.get('error'), back.get('state')], ['access_denied', 'state'])
  assert.equal(back.get('code'), null)
})

test('a slow provider exceeds any sensible timeout', async () => {
  const { decide, redeem } = setUp()
  const back = await decide({ answer: 'slow' })
  const call = redeem(back.get('code'), { signal: AbortSignal.timeout(300) })
  await assert.rejects(call, { name: 'TimeoutError' })
})

test('garbage is not JSON, and revoked access yields no token', async () => {
  const { decide, redeem } = setUp()
  const garbage = await redeem((await decide({ answer: 'garbage' })).get('code'))
  assert.equal(garbage.status, 200)
  assert.match(await garbage.text(), /^<!doctype html>/)
  const revoked = await redeem((await decide({ answer: 'revoked' })).get('code'))
  assert.equal(revoked.status, 400)
  assert.equal(((await revoked.json()) as { error: string }).error, 'invalid_grant')
})

test('the switch of the demo applies to a sign-in that was approved', async () => {
  const denied = await setUp('github', () => 'denied').decide({})
  assert.equal(denied.get('error'), 'access_denied')
  const { decide, redeem } = setUp('github', () => 'garbage')
  const garbage = await redeem((await decide({})).get('code'))
  assert.match(await garbage.text(), /^<!doctype html>/)
})

test('SEC-29 refuses a request without PKCE and a code without its verifier', async () => {
  const { begin, decide, redeem } = setUp()
  const without = new URL(await begin({ code_challenge: '', code_challenge_method: '' }))
  assert.equal(without.searchParams.get('error'), 'invalid_request')
  const code = (await decide({})).get('code')
  const body = new URLSearchParams({ grant_type: 'authorization_code', code: code ?? '' })
  assert.equal((await redeem(code, { body })).status, 400)
})

test('a code works once', async () => {
  const { decide, redeem } = setUp()
  const code = (await decide({})).get('code')
  assert.equal((await redeem(code)).status, 200)
  assert.equal((await redeem(code)).status, 400)
})

test('the page lists accounts during an attempt only', async () => {
  const { go, begin, signIn } = setUp()
  const { sub } = await signIn({ user: 'no_email' })
  const attempt = new URL(await begin()).searchParams.get('attempt')
  const shown = await go(`/demo/api/consent/github/${attempt}`)
  const { users } = (await shown.json()) as { users: { id: string }[] }
  assert.deepEqual(
    users.map(({ id }) => id),
    [sub],
  )
  assert.equal((await go('/demo/api/consent/github/other')).status, 404)
  const late = await go('/demo/api/consent/github/other', { decision: 'approve' })
  assert.equal(late.headers.get('location'), '/demo/consent')
})

test('a demo provider keeps no session', async () => {
  const { cookies, signIn } = setUp()
  await signIn({ user: 'new' })
  assert.deepEqual(
    [...cookies.keys()].filter((name) => name.includes('session')),
    [],
  )
})

test('a foreign host name sees no consent page (DNS rebinding)', async () => {
  const { app } = setUp()
  const response = await app.request('http://evil.example/demo/api/consent/github/1')
  assert.equal(response.status, 403)
})

test('other calls reach the real network', async () => {
  const { providers } = setUp()
  await assert.rejects(providers.fetch('http://127.0.0.1:1/'), TypeError)
})
