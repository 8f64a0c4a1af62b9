import assert from 'node:assert/strict'
import { test } from '../databases.ts'
import { GRACE, signInWith, withAcme } from '../oidc-kit.ts'

test('a user sees which account at a provider is connected, and since when', async () => {
  const { identity, acme } = await withAcme()
  const browser = identity.browser()
  const before = identity.now().toISOString()
  await signInWith(browser, acme, GRACE)
  const { id } = (await browser.whoami()).body.identity
  const [connection, ...others] = (await identity.account.credentials(id)).connections
  assert.deepEqual(others, [])
  assert.equal(connection?.account, GRACE.email)
  assert.ok(connection && connection.connected_at > before)
})

test('an imported connection has no account name to show', async () => {
  const { identity } = await withAcme()
  const made = await identity.admin('POST', '/admin/identities', {
    traits: { email: 'grace@example.com' },
    credentials: { oidc: { config: { providers: [{ provider: 'acme', subject: 'imported' }] } } },
  })
  const [connection] = (await identity.account.credentials(made.body.id)).connections
  assert.equal(connection?.account, undefined)
  assert.equal(connection?.connected_at, made.body.created_at)
})
