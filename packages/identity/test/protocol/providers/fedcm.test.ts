import assert from 'node:assert/strict'
import { messageIds } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { idToken } from '../../servers/broken-provider.ts'
import { leave, withAcme, withBroken } from '../../servers/oidc-kit.ts'

const PARAMETERS = '/self-service/fed-cm/parameters'
const TOKEN = '/self-service/fed-cm/token'
const dialog = { fedcm_config_url: 'https://accounts.google.com/gsi/fedcm.json' }

test("signs in with a FedCM provider's token", async () => {
  const { identity, broken } = await withBroken('google', dialog)
  const browser = identity.browser()
  const { csrf_token, providers } = (await browser.get(PARAMETERS)).body
  assert.equal(providers.length, 1)
  const [{ config_url, client_id, nonce }] = providers
  assert.deepEqual([config_url, client_id], [dialog.fedcm_config_url, 'my-app'])
  const done = await browser.send('POST', TOKEN, { csrf_token, token: idToken(broken, { nonce }) }, {})
  assert.equal(done.status, 200)
  assert.equal(done.body.session.identity.traits.email, 'grace@example.com')
  assert.equal((await browser.whoami()).status, 200)
})

test('asks the owner of an address to sign in first', async () => {
  const { identity, broken } = await withBroken('google', dialog)
  await identity.user('grace@example.com')
  const browser = identity.browser()
  const { csrf_token, providers } = (await browser.get(PARAMETERS)).body
  const token = idToken(broken, { nonce: providers[0].nonce })
  const form = await browser.send('POST', TOKEN, { csrf_token, token }, {})
  assert.deepEqual([form.status, messageIds(form)], [400, [1010016]])
})

test('SEC-26 rejects a token without a nonce, of another browser or issuer', async () => {
  const { identity, broken } = await withBroken('google', dialog)
  const browser = identity.browser()
  const other = (await identity.browser().get(PARAMETERS)).body.providers[0].nonce
  const { csrf_token, providers } = (await browser.get(PARAMETERS)).body
  const { nonce } = providers[0]
  for (const [token, status] of [
    [idToken(broken, { nonce: other }), 400],
    [idToken(broken, { nonce: undefined }), 403],
    [idToken(broken, { nonce, iss: 'https://evil.test' }), 403],
    [idToken(broken, { nonce, aud: 'another-app' }), 403],
    ['nonsense', 403],
  ] as const) {
    const refused = await browser.send('POST', TOKEN, { csrf_token, token }, {})
    assert.equal(refused.status, status, token)
  }
  assert.equal((await browser.whoami()).status, 401)
})

test('SEC-34 rejects a token submitted by another site', async () => {
  const { identity, broken } = await withBroken('google', dialog)
  const browser = identity.browser()
  const { csrf_token, providers } = (await browser.get(PARAMETERS)).body
  const token = idToken(broken, { nonce: providers[0].nonce })
  const foreign = { headers: { origin: 'https://evil.test' } }
  for (const [body, sending] of [
    [{ token }, {}],
    [{ token, csrf_token: 'nonsense' }, {}],
    [{ token, csrf_token }, foreign],
  ] as const) {
    const refused = await browser.send('POST', TOKEN, body, sending)
    assert.deepEqual([refused.status, refused.body.error.id], [403, 'security_csrf_violation'])
  }
})

test('offers no dialog without a provider', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const { csrf_token, providers } = (await browser.get(PARAMETERS)).body
  assert.deepEqual(providers, [])
  assert.equal((await browser.send('POST', TOKEN, { csrf_token }, {})).status, 400)
  assert.equal((await browser.send('POST', TOKEN, { csrf_token, token: 'nonsense' }, {})).status, 403)
})

test('SEC-108 accepts a token once, whether by FedCM or from an app', async () => {
  const { identity, broken } = await withBroken('google', dialog)
  const browser = identity.browser()
  const { csrf_token, providers } = (await browser.get(PARAMETERS)).body
  const { nonce } = providers[0]
  const token = idToken(broken, { nonce })
  const thief = browser.twin()
  assert.equal((await browser.send('POST', TOKEN, { csrf_token, token }, {})).status, 200)
  assert.equal((await thief.send('POST', TOKEN, { csrf_token, token }, {})).status, 400)
  assert.equal((await thief.whoami()).status, 401)
  assert.equal((await appWith(identity, token, nonce)).status, 400)
  const next = idToken(broken, { nonce, jti: 'another' })
  assert.equal((await appWith(identity, next, nonce)).status, 200)
  assert.equal((await appWith(identity, next, nonce)).status, 400)
})

test('SEC-108 keeps a token whose registration was refused', async () => {
  const { identity, broken } = await withBroken('google')
  const token = idToken(broken, { nonce: undefined, email: undefined })
  const app = identity.app()
  const values = { method: 'oidc', provider: 'acme', id_token: token }
  const refused = await app.submit(await app.open('registration'), values)
  assert.equal(refused.status, 400)
  const traits = { email: 'grace@example.com' }
  assert.equal((await app.submit(refused, { ...values, traits })).status, 200)
  assert.equal((await appWith(identity, token)).status, 400)
})

async function appWith({ app: newApp }: TestIdentity, id_token: string, id_token_nonce?: string) {
  const app = newApp()
  const nonce = id_token_nonce === undefined ? {} : { id_token_nonce }
  return await app.submit(await app.open('login'), { method: 'oidc', provider: 'acme', id_token, ...nonce })
}

test('the test provider redirects to the authorization endpoint of its issuer', async () => {
  const { identity, acme } = await withAcme({}, { provider: 'fedcm-test' })
  const browser = identity.browser()
  const there = new URL(await leave(browser, await browser.open('login'), 'acme'))
  assert.equal(there.origin, new URL(acme.issuer).origin)
})
