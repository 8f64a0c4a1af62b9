import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import type { Mapping } from '../../servers/oidc-kit.ts'
import { GRACE, signInWith, withAcme } from '../../servers/oidc-kit.ts'

const FOLLOWING = { update_identity_on_login: 'automatic' }
const RENAMED = { ...GRACE, name: 'Grace Hopper' }
const MOVED = { ...GRACE, email: 'hopper@example.com' }

test('a login follows the claims of its provider only where configured', async () => {
  for (const [more, name] of [
    [{}, 'Grace'],
    [FOLLOWING, 'Grace Hopper'],
  ] as const) {
    const { identity, acme } = await withAcme({}, more)
    await signInWith(identity.browser(), acme, GRACE)
    const browser = identity.browser()
    await signInWith(browser, acme, RENAMED)
    assert.equal((await browser.whoami()).body.identity.traits.name, name)
  }
})

test('an address that the provider verified replaces the former one', async () => {
  const { identity, acme } = await withAcme({}, FOLLOWING)
  await signInWith(identity.browser(), acme, GRACE)
  const browser = identity.browser()
  const entered = await signInWith(browser, acme, MOVED)
  assert.equal(entered.location, 'http://app.test/')
  const { traits, verifiable_addresses } = (await browser.whoami()).body.identity
  assert.deepEqual(traits, { email: 'hopper@example.com', name: 'Grace' })
  assert.deepEqual(
    verifiable_addresses.map(({ value, verified }: Record<string, unknown>) => [value, verified]),
    [['hopper@example.com', true]],
  )
})

test("another account's address changes nothing, and the user signs in", async () => {
  const { identity, acme } = await withAcme({}, FOLLOWING)
  await identity.signedIn(MOVED.email)
  await signInWith(identity.browser(), acme, GRACE)
  const browser = identity.browser()
  await signInWith(browser, acme, MOVED)
  assert.equal((await browser.whoami()).body.identity.traits.email, GRACE.email)
})

test('a mapper reads the account and keeps what it leaves out', async () => {
  const mapper = ({
    claims,
    identity,
  }: Mapping & { identity: { metadata_public: { logins?: number } } }) => ({
    identity: {
      traits: { email: claims.email },
      metadata_public: { logins: (identity.metadata_public.logins ?? 0) + 1 },
    },
  })
  const { identity, acme } = await withAcme({}, { ...FOLLOWING, mapper })
  const first = identity.browser()
  await signInWith(first, acme, GRACE)
  const { id } = (await first.whoami()).body.identity
  await identity.admin('PATCH', `/admin/identities/${id}`, [
    { op: 'add', path: '/traits/name', value: 'Amazing' },
    { op: 'replace', path: '/metadata_admin', value: { plan: 'gold' } },
  ])
  await signInWith(identity.browser(), acme, GRACE)
  const { body } = await identity.admin('GET', `/admin/identities/${id}`)
  assert.deepEqual(body.traits, { email: GRACE.email, name: 'Amazing' })
  assert.deepEqual([body.metadata_public, body.metadata_admin], [{ logins: 2 }, { plan: 'gold' }])
})

test('SEC-24 an address that the provider did not verify changes nothing', async () => {
  const { identity, acme } = await withAcme({}, FOLLOWING)
  await signInWith(identity.browser(), acme, GRACE)
  const browser = identity.browser()
  await signInWith(browser, acme, { ...MOVED, email_verified: false })
  // Its owner would recover an account that Grace can still open.
  assert.equal((await browser.whoami()).body.identity.traits.email, GRACE.email)
})
