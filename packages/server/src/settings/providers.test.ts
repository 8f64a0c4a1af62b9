import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { demoProviders } from '../../test/product.ts'
import { readSettings } from '../../test/settings.ts'
import { offeredProviders } from './providers.ts'

const demo = demoProviders.map(({ id, label }) => ({
  ...{ id, label, issuer: `http://localhost:3000/demo/providers/${id}` },
  ...{ client_id: 'my-app', client_secret: 'secret' },
}))
const github = { GITHUB_CLIENT_ID: 'hub', GITHUB_CLIENT_SECRET: 'one' }
const google = { GOOGLE_CLIENT_ID: 'goo', GOOGLE_CLIENT_SECRET: 'two' }
const apple = { APPLE_CLIENT_ID: 'app', APPLE_TEAM_ID: 'team', APPLE_KEY_ID: 'key' }
const oidc = { OIDC_ISSUER_URL: 'https://id.example', OIDC_CLIENT_ID: 'me', OIDC_CLIENT_SECRET: 'three' }

const offered = (env: NodeJS.ProcessEnv, demos?: typeof demo) =>
  offeredProviders(readSettings(env).providers, demos)
const kinds = (env: NodeJS.ProcessEnv, demos?: typeof demo) =>
  offered(env, demos).map(({ id, provider, client_id }) => [id, provider, client_id])

test('an operator’s own clients are the real GitHub and Google, in demo mode too', () => {
  const real = [
    ['github', 'github', 'hub'],
    ['google', 'google', 'goo'],
  ]
  assert.deepEqual(kinds({ ...github, ...google }), real)
  assert.deepEqual(kinds({ ...github, ...google }, demo), real)
})

test('uses the demo provider without a client, in demo mode only', () => {
  assert.deepEqual(kinds({ ...github }, demo), [
    ['github', 'github', 'hub'],
    ['google', 'generic', 'my-app'],
  ])
  assert.deepEqual(kinds({ ...google }), [['google', 'google', 'goo']])
  assert.deepEqual(kinds({}), [])
})

test('buttons and messages name both providers, whichever answers', () => {
  assert.deepEqual(
    offered({}, demo).map(({ label }) => label),
    ['GitHub', 'Google'],
  )
})

test('each provider is enabled by its variables alone', () => {
  for (const [prefix, id] of [
    ['DISCORD', 'discord'],
    ['GITLAB', 'gitlab'],
    ['MICROSOFT', 'microsoft'],
    ['SLACK', 'slack'],
  ] as const) {
    const env = { [`${prefix}_CLIENT_ID`]: 'id', [`${prefix}_CLIENT_SECRET`]: 'secret' }
    assert.deepEqual(kinds(env), [[id, id, 'id']])
  }
  assert.deepEqual(kinds(oidc), [['oidc', 'generic', 'me']])
})

test('optional variables change a provider’s tenant, server, label and id', () => {
  const microsoft = { MICROSOFT_CLIENT_ID: 'id', MICROSOFT_CLIENT_SECRET: 'secret' }
  const tenants = (env: NodeJS.ProcessEnv) => offered(env).map(({ microsoft_tenant }) => microsoft_tenant)
  assert.deepEqual(tenants(microsoft), ['common'])
  assert.deepEqual(tenants({ ...microsoft, MICROSOFT_TENANT: 'organizations' }), ['organizations'])
  assert.throws(
    () => offered({ ...microsoft, MICROSOFT_TENANT: 'contoso' }),
    /MICROSOFT_TENANT must be common, .* the id or domain of a tenant/,
  )
  const gitlab = {
    GITLAB_CLIENT_ID: 'id',
    GITLAB_CLIENT_SECRET: 'secret',
    GITLAB_URL: 'https://git.example/',
  }
  assert.equal(offered(gitlab)[0]?.issuer_url, 'https://git.example')
  const [acme] = offered({ ...oidc, OIDC_LABEL: 'Acme', OIDC_ID: 'acme' })
  assert.deepEqual([acme?.id, acme?.label, acme?.issuer_url], ['acme', 'Acme', 'https://id.example'])
})

test('an issuer keeps its last slash, and its UserInfo endpoint may have the address', () => {
  const issuer_url = 'https://id.example/application/o/app/'
  const [provider] = offered({ ...oidc, OIDC_ISSUER_URL: issuer_url })
  assert.deepEqual([provider?.issuer_url, provider?.claims_source], [issuer_url, 'auto'])
})

test('Apple’s key is a variable, in one line too, or a file', (t) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const folder = mkdtempSync(join(tmpdir(), 'apple-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'key.p8')
  writeFileSync(file, pem)
  for (const APPLE_PRIVATE_KEY of [pem, pem.replaceAll('\n', '\\n'), file])
    assert.equal(offered({ ...apple, APPLE_PRIVATE_KEY })[0]?.apple_private_key, pem)
  const missing = { ...apple, APPLE_PRIVATE_KEY: join(folder, 'other.p8') }
  assert.throws(() => offered(missing), /APPLE_PRIVATE_KEY must be the key that Apple lets you download/)
})

test('names what is missing of a provider', () => {
  const { APPLE_KEY_ID: _, ...half } = apple
  assert.throws(
    () => offered(half),
    /APPLE_KEY_ID, APPLE_PRIVATE_KEY are missing although APPLE_CLIENT_ID, APPLE_TEAM_ID is set/,
  )
  assert.deepEqual(kinds({ MICROSOFT_TENANT: 'common' }), [])
})

test('SEC-89 refuses a password in the URL of a provider without quoting it', () => {
  const url = 'https://ada:geheim@provider.example'
  for (const name of ['GITLAB_URL', 'OIDC_ISSUER_URL'])
    assert.throws(() => readSettings({ [name]: url }), /_URL must not contain a user name(?!.*geheim)/)
})
