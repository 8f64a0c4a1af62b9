import assert from 'node:assert/strict'
import type { Browser } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { addTotp, codeOf, SECOND_FACTORS, STEP_MS } from '../../kit/factors.ts'
import { linkTo } from '../../kit/recovery-kit.ts'
import { formOf, GRACE, type Mapping, signInWith, withAcme } from '../../servers/oidc-kit.ts'

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

const PENDING = { settings: { after: { profile: { hooks: [{ hook: 'verify_new_address' }] } } } }

test('SEC-100 a new address of a provider waits for its code, and can be undone', async () => {
  const { identity, acme } = await withAcme({ flows: PENDING }, FOLLOWING)
  await signInWith(identity.browser(), acme, GRACE)
  const email = async (browser: Browser) => (await browser.whoami()).body.identity.traits.email
  for (let times = 0; times < 2; times += 1) {
    const browser = identity.browser()
    await signInWith(browser, acme, { ...MOVED, name: 'Grace Hopper' })
    assert.equal(await email(browser), GRACE.email)
    assert.equal((await browser.whoami()).body.identity.traits.name, 'Grace Hopper')
  }
  const mails = (await identity.admin('GET', '/admin/courier/messages')).body
  const sent = mails.filter((one: { recipient: string }) => one.recipient === MOVED.email)
  assert.deepEqual(sent.length, 1)
  const browser = identity.browser()
  await signInWith(browser, acme, MOVED)
  const link = await linkTo(identity, MOVED.email)
  const form = await formOf(browser, await browser.navigate(link))
  const done = await browser.submit(form, { method: 'code', code: await identity.code(MOVED.email) })
  assert.equal(done.body.state, 'passed_challenge')
  assert.equal(await email(browser), MOVED.email)
  const [undo] = await identity.mails(String(GRACE.email))
  assert.match(undo?.body ?? '', /self-service\/verification\?flow=\S+token=/)
})

test('SEC-100 an account with a second factor changes only in a session of its level', async () => {
  const house = await withAcme(SECOND_FACTORS.selfservice, FOLLOWING)
  const { identity, acme } = house
  const owner = identity.browser()
  await signInWith(owner, acme, GRACE)
  const secret = await addTotp(identity, owner)
  const thief = identity.browser()
  await signInWith(thief, acme, MOVED)
  const account = async () => (await identity.admin('GET', '/admin/identities')).body[0]
  assert.equal((await account()).traits.email, GRACE.email)
  identity.advance(STEP_MS)
  const second = await owner.open('login', '?aal=aal2&refresh=true')
  assert.equal(
    (await owner.submit(second, { method: 'totp', totp_code: codeOf(identity, secret) })).status,
    200,
  )
  await signInWith(owner, acme, MOVED, { query: '?refresh=true' })
  assert.equal((await account()).traits.email, MOVED.email)
})
