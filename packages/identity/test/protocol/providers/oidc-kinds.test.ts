import assert from 'node:assert/strict'
import { messageIds } from '../../../src/testing/answers.ts'
import { testOn } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { json } from '../../servers/broken-provider.ts'
import {
  accountOf,
  askProvider,
  errorOf,
  formOf,
  handleCallback,
  leave,
  providerEntry,
  tokenReply,
  withBroken,
  withProviders,
} from '../../servers/oidc-kit.ts'

const MAIL = 'grace@example.com'

testOn('SQLite', 'SEC-26 GitLab’s userinfo for another user signs no one in', async () => {
  const { identity, broken } = await withBroken('gitlab')
  broken.replies.set('/userinfo', () => json({ sub: 'someone-else', email: MAIL, email_verified: true }))
  const browser = identity.browser()
  await handleCallback(browser, broken)
  assert.equal((await browser.whoami()).status, 401)
})

testOn('SQLite', 'SEC-26 Discord verifies an address only with `verified`', async () => {
  for (const verified of [true, false, undefined]) {
    const { identity, broken } = await withDiscord({ ...DISCORD_USER, verified })
    const browser = identity.browser()
    await handleCallback(browser, broken)
    assert.deepEqual(await accountOf(browser), { email: MAIL, name: 'Grace', verified: verified === true })
  }
})

testOn('SQLite', 'Discord is asked for consent only to confirm an account', async () => {
  const { identity, broken } = await withDiscord(DISCORD_USER)
  const browser = identity.browser()
  const request = await askProvider(browser, broken)
  assert.deepEqual(
    [request.pathname, request.searchParams.get('prompt'), request.searchParams.has('nonce')],
    ['/oauth2/authorize', 'none', false],
  )
  await handleCallback(browser, broken)
  const confirming = await leave(browser, await browser.open('login', '?refresh=true'), 'acme')
  assert.equal(new URL(confirming).searchParams.get('prompt'), 'consent')
})

testOn('SQLite', 'Discord’s invalid responses and withheld scopes sign no one in', async () => {
  for (const user of [{ ...DISCORD_USER, id: '' }, { ...DISCORD_USER, id: -7 }, { username: 'grace' }, []]) {
    const { identity, broken } = await withDiscord(user)
    const browser = identity.browser()
    assert.equal((await errorOf(browser, await handleCallback(browser, broken))).id, 'upstream_error')
  }
  const { identity, broken } = await withDiscord(DISCORD_USER, 'identify')
  const browser = identity.browser()
  assert.deepEqual(messageIds(await formOf(browser, await handleCallback(browser, broken))), [4000001])
  assert.ok(!broken.asked.includes('/api/v10/users/@me'), 'nothing is read')
})

testOn('SQLite', 'SEC-26 Microsoft’s address counts only if its tenant owns the domain', async () => {
  for (const [claims, verified] of [
    [{ email_verified: true }, false],
    [{ xms_edov: true }, true],
    [{ xms_edov: false, email_verified: true }, false],
    [{ xms_edov: 'yes' }, false],
  ] as const) {
    const { identity, broken } = await withMicrosoft('common', { ...claims, tid: TENANT })
    const browser = identity.browser()
    await handleCallback(browser, broken)
    assert.deepEqual(await accountOf(browser), { email: MAIL, name: 'Grace', verified })
  }
})

testOn(
  'SQLite',
  'SEC-26 Microsoft’s token must come from the configured tenant and name its own issuer',
  async () => {
    for (const [tenant, claims, accepted] of [
      ['common', { tid: TENANT }, true],
      ['common', { tid: TENANT, iss: issuerOf(OTHER) }, false],
      ['common', { tid: 'evil.example/x' }, false],
      ['common', {}, false],
      ['organizations', { tid: TENANT }, true],
      ['organizations', { tid: PERSONAL }, false],
      ['consumers', { tid: PERSONAL }, true],
      ['consumers', { tid: TENANT }, false],
      ['Consumers', { tid: TENANT }, false],
      [TENANT.toUpperCase(), { tid: TENANT }, true],
      [TENANT, { tid: TENANT }, true],
      [TENANT, { tid: OTHER }, false],
      ['Contoso.com', { tid: TENANT }, true],
      ['contoso.com', { tid: OTHER }, false],
    ] as const) {
      const { identity, broken } = await withMicrosoft(tenant, claims)
      const browser = identity.browser()
      const back = await handleCallback(browser, broken)
      const why = `${tenant} ${JSON.stringify(claims)}`
      assert.equal((await browser.whoami()).status, accepted ? 200 : 401, why)
      if (!accepted) assert.deepEqual(messageIds(await formOf(browser, back)), [4000001], why)
    }
  },
)

testOn(
  'SQLite',
  'Microsoft’s users are identified by `sub`, or by `oid` or Microsoft Graph if set',
  async () => {
    for (const [subject_source, subject] of [
      ['userinfo', 'acme:pairwise'],
      ['oid', 'acme:object'],
      ['me', 'acme:graph'],
    ] as const) {
      const { identity, broken } = await withMicrosoft(
        'common',
        { tid: TENANT, oid: 'object' },
        { subject_source },
      )
      broken.replies.set('/v1.0/me', ({ headers }) =>
        headers.authorization === 'Bearer token' ? json({ id: 'graph' }) : json({}, 401),
      )
      const browser = identity.browser()
      await handleCallback(browser, broken)
      const [shown] = (await identity.admin('GET', '/admin/identities?include_credential=oidc')).body
      assert.deepEqual(shown.credentials.oidc.identifiers, [subject])
    }
  },
)

testOn('SQLite', 'SEC-26 a start rejects an unknown Microsoft tenant', async () => {
  for (const microsoft_tenant of ['contoso', 'contoso.com/common', '']) {
    const entry = providerEntry('acme', { provider: 'microsoft', microsoft_tenant })
    await assert.rejects(
      createTestIdentity(withProviders([entry])),
      /microsoft_tenant: expected common, organizations, consumers, or the id/,
    )
  }
})

testOn('SQLite', 'a start without a provider’s own keys names them', async () => {
  for (const [provider, more, message] of [
    ['microsoft', {}, /providers\[0\]\.microsoft_tenant: is missing/],
    [
      'apple',
      {},
      /apple_team_id: is missing[\s\S]*apple_private_key_id: is missing[\s\S]*apple_private_key: is missing/,
    ],
    ['apple', { apple_private_key: 'a secret' }, /apple_private_key: expected the P-256 key/],
    ['auth0', {}, /issuer_url: is missing/],
    ['facebook', { client_secret: undefined }, /client_secret: is missing/],
  ] as const) {
    const entry = providerEntry('acme', { provider, ...more })
    await assert.rejects(createTestIdentity(withProviders([entry])), message)
  }
})

const TENANT = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const OTHER = 'f8cdef31-a31e-4b4a-93e4-5f571e91255a'
const PERSONAL = '9188040d-6c67-4b5d-b112-36a304b66dad'

function issuerOf(tenant: unknown): string {
  return `https://login.microsoftonline.com/${tenant}/v2.0`
}

async function withMicrosoft(microsoft_tenant: string, claims: Record<string, unknown>, more: object = {}) {
  const made = await withBroken('microsoft', { microsoft_tenant, ...more })
  const { broken } = made
  broken.claims = { iss: issuerOf(claims.tid), sub: 'pairwise', email: MAIL, name: 'Grace', ...claims }
  const base = `/${microsoft_tenant.toLowerCase()}`
  broken.replies.set(`${base}/oauth2/v2.0/token`, () => tokenReply(broken))
  broken.replies.set(`${base}/discovery/v2.0/keys`, () => json({ keys: broken.keys }))
  broken.replies.set('/contoso.com/v2.0/.well-known/openid-configuration', () =>
    json({
      issuer: issuerOf(TENANT),
      authorization_endpoint: `${broken.issuer}/contoso.com/oauth2/v2.0/authorize`,
      token_endpoint: `${broken.issuer}/contoso.com/oauth2/v2.0/token`,
      jwks_uri: `${broken.issuer}/contoso.com/discovery/v2.0/keys`,
    }),
  )
  return made
}

const DISCORD_USER = {
  id: '80351110224678912',
  username: 'grace',
  global_name: 'Grace',
  avatar: '8342729096ea3675442027381ff50dfe',
  discriminator: '0',
  verified: true,
  email: MAIL,
}

async function withDiscord(user: unknown, scope = 'email identify') {
  const made = await withBroken('discord', { scope: ['identify', 'email'] })
  const { replies } = made.broken
  replies.set('/api/oauth2/token', () => json({ access_token: 'token', token_type: 'Bearer', scope }))
  replies.set('/api/v10/users/@me', () => json(user))
  return made
}
