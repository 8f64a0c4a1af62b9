import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDemoProviders } from '../demo/provider/providers.ts'
import { readSettings } from './env.ts'
import { socialProviders } from './social-providers.ts'

const demo = createDemoProviders('http://localhost:3000')
const github = { GITHUB_CLIENT_ID: 'hub', GITHUB_CLIENT_SECRET: 'one' }
const google = { GOOGLE_CLIENT_ID: 'goo', GOOGLE_CLIENT_SECRET: 'two' }

const kinds = (env: NodeJS.ProcessEnv, demos?: typeof demo) =>
  socialProviders(readSettings(env), demos).map(({ id, provider, client_id }) => [id, provider, client_id])

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
    socialProviders(readSettings({}), demo).map(({ label }) => label),
    ['GitHub', 'Google'],
  )
})

test('SEC-26: an address counts as verified only where the provider says so explicitly', () => {
  const [{ mapper } = assert.fail()] = socialProviders(readSettings({}), demo)
  const email = 'ada@example.com'
  const verified = (email_verified: unknown) =>
    mapper({ claims: { email, email_verified } }).identity.verified_addresses
  assert.deepEqual(verified(true), [{ via: 'email', value: email }])
  for (const word of [false, 'true', 'false', 1, 0, null, undefined]) assert.deepEqual(verified(word), [])
  assert.deepEqual(mapper({ claims: { email_verified: true } }), { identity: { traits: {} } })
})
