import assert from 'node:assert/strict'
import { type Answer, messageIds } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { idToken, json } from '../../servers/broken-provider.ts'
import { callbackWith, formOf, handleCallback, leave, withBroken } from '../../servers/oidc-kit.ts'

const nowSeconds = () => Math.floor(Date.now() / 1000)

for (const [title, promises, age, passes] of [
  ['a sign-in from before the form', true, 3600, false],
  ['a sign-in from before the form, not promised', false, 3600, false],
  ['no time, though the provider promises it', true, undefined, false],
  ['no time from a provider that promises none', false, undefined, true],
  ['a sign-in since the form', true, 0, true],
] as const) {
  test(`SEC-101 re-authentication ${passes ? 'accepts' : 'refuses'} ${title}`, async () => {
    const { identity, broken } = await withBroken()
    const { issuer } = broken
    const urls = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      claims_supported: ['sub', ...(promises ? ['auth_time'] : [])],
    }
    broken.replies.set('/.well-known/openid-configuration', () => json(urls))
    const browser = identity.browser()
    await handleCallback(browser, broken)
    const before = (await browser.whoami()).body.authentication_methods.length
    const there = new URL(await leave(browser, await browser.open('login', '?refresh=true'), 'acme'))
    assert.deepEqual(
      ['prompt', 'max_age'].map((name) => there.searchParams.get(name)),
      ['login', '0'],
    )
    broken.nonce = there.searchParams.get('nonce') ?? ''
    if (age !== undefined) broken.claims.auth_time = nowSeconds() - age
    const back = await browser.navigate(callbackWith(there, 'a-code'))
    if (passes) assert.equal(back.location, 'http://app.test/')
    else assert.deepEqual(messageIds(await formOf(browser, back)), [4000001])
    const after = (await browser.whoami()).body.authentication_methods.length
    assert.equal(after - before, passes ? 1 : 0)
  })
}

test('a sign-in at a provider may be older than the form', async () => {
  const { identity, broken } = await withBroken()
  broken.claims.auth_time = nowSeconds() - 86_400
  const browser = identity.browser()
  assert.equal((await handleCallback(browser, broken)).location, 'http://app.test/')
})

test('SEC-101 an app confirms with an ID token from after the form', async () => {
  const { identity, broken } = await withBroken('google')
  const app = identity.app()
  const send = async (query: string, age_s: number) => {
    const iat = Math.floor(identity.now().getTime() / 1000) - age_s
    const id_token = idToken(broken, { iat, exp: iat + 3600, nonce: undefined })
    return await app.submit(await app.open('login', query), { method: 'oidc', provider: 'acme', id_token })
  }
  const registered: Answer = await send('', 300)
  app.token = registered.body.session_token
  const refused = await send('?refresh=true', 300)
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000001]])
  assert.equal((await send('?refresh=true', 0)).status, 200)
})
