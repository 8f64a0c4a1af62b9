import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { decodeProtectedHeader, jwtVerify } from 'jose'
import type { Answer } from '../../../src/testing/answers.ts'
import { testOn } from '../../kit/databases.ts'
import { idToken, json } from '../../servers/broken-provider.ts'
import type { Mapping } from '../../servers/oidc-kit.ts'
import {
  accountOf,
  askProvider,
  errorOf,
  handleCallback,
  tokenReply,
  withBroken,
} from '../../servers/oidc-kit.ts'

testOn('SQLite', 'Apple’s client secret is a short-lived JWT of the team’s key', async () => {
  const { identity, broken, publicKey } = await withApple()
  let secret = ''
  broken.replies.set('/auth/token', (_request, body) => {
    secret = new URLSearchParams(body).get('client_secret') ?? ''
    return tokenReply(broken)
  })
  const browser = identity.browser()
  await handleCallback(browser, broken)
  assert.deepEqual(decodeProtectedHeader(secret), { alg: 'ES256', kid: 'KEY1' })
  const expected = { issuer: 'TEAM1', subject: 'my-app', audience: 'https://appleid.apple.com' }
  const { payload } = await jwtVerify(secret, publicKey, expected)
  assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 300)
  assert.equal((await browser.whoami()).status, 200)
})

testOn(
  'SQLite',
  'SEC-28 Apple’s cross-site POST signs in only where the browser’s cookies follow',
  async () => {
    const { identity, broken } = await withApple()
    const browser = identity.browser()
    const request = await askProvider(browser, broken)
    assert.equal(request.searchParams.get('response_mode'), 'form_post')
    assert.equal(request.searchParams.has('code_challenge'), false)
    const [path, fields] = answerTo(request)
    const fromApple = { cookie: '', origin: 'https://appleid.apple.com', 'sec-fetch-site': 'cross-site' }
    const posted = await browser.post(path, fields, fromApple)
    assert.equal(posted.status, 302)
    assert.equal((await browser.whoami()).status, 401)
    const stranger = identity.browser()
    assert.equal((await errorOf(stranger, await stranger.navigate(posted.location ?? ''))).code, 400)
    await browser.navigate(posted.location ?? '')
    assert.equal((await browser.whoami()).status, 200)
  },
)

testOn('SQLite', 'SEC-26 Apple’s unsigned `user` gives a name and nothing else', async () => {
  for (const user of [
    { name: { firstName: 'Grace', lastName: 'Hopper' }, email: 'victim@example.com', sub: 'victim' },
    { name: 'Grace' },
    'not JSON',
  ]) {
    const { identity, broken } = await withApple({
      mapper: ({ claims: { email, email_verified, given_name } }: Mapping) => ({
        identity: {
          traits: { email, ...(given_name === undefined ? {} : { name: given_name }) },
          verified_addresses: email_verified ? [{ via: 'email', value: email }] : [],
        },
      }),
    })
    broken.claims = { sub: 'apple-1', email: 'grace@example.com', email_verified: 'true' }
    const browser = identity.browser()
    const [path, fields] = answerTo(await askProvider(browser, broken))
    const posted = await browser.post(path, { ...fields, user: JSON.stringify(user) }, { cookie: '' })
    await browser.navigate(posted.location ?? '')
    const named = typeof user === 'object' && typeof user.name === 'object'
    assert.deepEqual(await accountOf(browser), {
      email: 'grace@example.com',
      name: named ? 'Grace' : undefined,
      verified: true,
    })
  }
})

testOn('SQLite', 'Apple’s ID token registers with the name that the app sends', async () => {
  const { identity, broken } = await withApple()
  broken.claims = { sub: 'apple-1', email: 'grace@example.com', email_verified: 'true' }
  const app = identity.app()
  const sent = { provider: 'acme', id_token: idToken(broken, { nonce: 'one' }), id_token_nonce: 'one' }
  const traits = { name: 'Grace' }
  const done: Answer = await app.submit(await app.open('login'), { method: 'oidc', ...sent, traits })
  assert.deepEqual(done.body.identity.traits, { email: 'grace@example.com', name: 'Grace' })
})

async function withApple(more: object = {}) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const made = await withBroken('apple', {
    scope: ['name', 'email'],
    client_secret: undefined,
    apple_team_id: 'TEAM1',
    apple_private_key_id: 'KEY1',
    apple_private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ...more,
  })
  const { broken } = made
  broken.replies.set('/.well-known/openid-configuration', () =>
    json({
      issuer: broken.issuer,
      authorization_endpoint: `${broken.issuer}/auth/authorize`,
      token_endpoint: `${broken.issuer}/auth/token`,
      jwks_uri: `${broken.issuer}/jwks`,
      response_modes_supported: ['query', 'fragment', 'form_post'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    }),
  )
  broken.replies.set('/auth/token', () => tokenReply(broken))
  return { ...made, publicKey }
}

function answerTo({ searchParams }: URL): [path: string, fields: Record<string, string>] {
  const { pathname } = new URL(searchParams.get('redirect_uri') ?? '')
  return [pathname, { code: 'a-code', state: searchParams.get('state') ?? '' }]
}
