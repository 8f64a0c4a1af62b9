import assert from 'node:assert/strict'
import { messageIds } from '../../../src/testing/answers.ts'
import { testOn } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { idToken, json, startBrokenProvider } from '../../servers/broken-provider.ts'
import {
  accountOf,
  errorOf,
  formOf,
  handleCallback,
  parts,
  providerEntry,
  withBroken,
  withProviders,
} from '../../servers/oidc-kit.ts'

const MAIL = 'grace@example.com'
const withoutAddress = { sub: 'grace-1', name: 'Grace' }

async function withAuto(claims: Record<string, unknown>, userinfo?: Record<string, unknown>) {
  const { identity, broken } = await withBroken('generic', { claims_source: 'auto' })
  broken.claims = claims
  if (userinfo) broken.replies.set('/userinfo', () => json(userinfo))
  const browser = identity.browser()
  return { browser, broken, back: await handleCallback(browser, broken) }
}

async function withIssuer(configured: string, documented: string) {
  const broken = await startBrokenProvider()
  const { issuer: home } = broken
  const issuer = home + documented
  const metadata = {
    ...{ issuer, authorization_endpoint: `${home}/authorize`, token_endpoint: `${home}/token` },
    ...{ jwks_uri: `${home}/jwks`, id_token_signing_alg_values_supported: ['RS256'] },
  }
  const path = `${documented.replace(/\/$/, '')}/.well-known/openid-configuration`
  for (const known of [path, path.replace('other', 'app')]) broken.replies.set(known, () => json(metadata))
  broken.replies.set('/token', () =>
    json({ access_token: 'token', token_type: 'Bearer', id_token: idToken(broken, { iss: issuer }) }),
  )
  const providers = [providerEntry('acme', { issuer_url: home + configured })]
  const identity = await createTestIdentity(withProviders(providers), parts(broken))
  return { identity, broken }
}

testOn('SQLite', 'reads the UserInfo endpoint if the ID token lacks the address', async () => {
  const userinfo = { sub: 'grace-1', email: MAIL, email_verified: true, name: 'Another' }
  for (const lacking of [{}, { email: null }, { email: '' }]) {
    const { browser, broken } = await withAuto({ ...withoutAddress, ...lacking }, userinfo)
    assert.deepEqual(await accountOf(browser), { email: MAIL, name: 'Grace', verified: true })
    assert.ok(broken.asked.includes('/userinfo'))
  }
})

testOn('SQLite', 'asks the UserInfo endpoint for nothing if the ID token has the address', async () => {
  const { browser, broken } = await withAuto({ ...withoutAddress, email: MAIL, email_verified: true })
  assert.deepEqual(await accountOf(browser), { email: MAIL, name: 'Grace', verified: true })
  assert.ok(!broken.asked.includes('/userinfo'))
})

testOn('SQLite', 'SEC-26 userinfo of another user signs no one in', async () => {
  const { browser, back } = await withAuto(withoutAddress, { sub: 'someone-else', email: MAIL })
  assert.deepEqual(messageIds(await formOf(browser, back)), [4000001])
  assert.equal((await browser.whoami()).status, 401)
})

testOn('SQLite', 'SEC-26 the ID token verifies no address of the UserInfo endpoint', async () => {
  const claims = { ...withoutAddress, email_verified: true }
  const { browser } = await withAuto(claims, { sub: 'grace-1', email: MAIL })
  assert.equal((await accountOf(browser)).verified, false)
})

testOn('SQLite', 'a UserInfo endpoint that fails is the provider’s failure', async () => {
  const { browser, broken, back } = await withAuto(withoutAddress)
  assert.equal((await errorOf(browser, back)).id, 'upstream_error')
  assert.ok(broken.asked.includes('/userinfo'))
})

testOn('SQLite', 'accepts an issuer with or without its last slash', async () => {
  for (const [configured, documented] of [
    ['/application/o/app/', '/application/o/app/'],
    ['/application/o/app', '/application/o/app/'],
    ['/application/o/app/', '/application/o/app'],
    ['/', ''],
  ] as const) {
    const { identity, broken } = await withIssuer(configured, documented)
    const browser = identity.browser()
    await handleCallback(browser, broken)
    assert.equal((await accountOf(browser)).email, MAIL, `${configured} for ${documented}`)
  }
})

testOn('SQLite', 'SEC-26 refuses another issuer below the same host', async () => {
  const { identity } = await withIssuer('/application/o/app/', '/application/o/other/')
  const browser = identity.browser()
  const sent = await browser.submit(await browser.open('login'), { method: 'oidc', provider: 'acme' })
  assert.equal(sent.status, 502, JSON.stringify(sent.body))
})
