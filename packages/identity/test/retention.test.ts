import assert from 'node:assert/strict'
import { verificationIn } from '../src/testing/answers.ts'
import { cleanedUp } from './kit/clean-up.ts'
import { test, testOnEach } from './kit/databases.ts'
import { createTestIdentity, type TestIdentity, VERIFIED_ONLY } from './kit/kit.ts'

const HOUR_MS = 3_600_000
const WEEK = { retention: { unverified_accounts: '168h' }, limits: { registration: 'off' } }

testOnEach('deletes an unverified account after a week', async () => {
  const identity = await createTestIdentity({ ...VERIFIED_ONLY, ...WEEK })
  await identity.browser().register('forgotten@example.com')
  await register(identity, 'verified@example.com')
  const made = { traits: { email: 'made@example.com' } }
  await identity.admin('POST', '/admin/identities', made)
  identity.advance(24 * 7 * HOUR_MS)
  await identity.browser().register('recent@example.com')
  await cleanedUp(identity)
  assert.deepEqual(await emails(identity), ['made@example.com', 'recent@example.com', 'verified@example.com'])
  const again = await identity.browser().register('forgotten@example.com')
  assert.equal(again.status, 200)
})

test('keeps a once-verified account', async () => {
  const identity = await createTestIdentity({ ...VERIFIED_ONLY, ...WEEK })
  for (const email of ['ada@example.com', 'eve@example.com']) await register(identity, email)
  await identity.browser().register('forgotten@example.com')
  const { body } = await identity.admin('GET', '/admin/identities')
  const idOf = (email: string) =>
    body.find(({ traits }: { traits: { email: string } }) => traits.email === email).id
  await identity.admin('PATCH', `/admin/identities/${idOf('ada@example.com')}`, [
    { op: 'replace', path: '/traits/email', value: 'ada@example.org' },
  ])
  await identity.admin('PATCH', `/admin/identities/${idOf('eve@example.com')}`, [
    { op: 'replace', path: '/verifiable_addresses/0/verified', value: false },
  ])
  identity.advance(24 * 8 * HOUR_MS)
  await cleanedUp(identity)
  assert.deepEqual(await emails(identity), ['ada@example.org', 'eve@example.com'])
})

test('keeps a verified account when a client requests a code', async () => {
  const identity = await createTestIdentity({ ...VERIFIED_ONLY, ...WEEK })
  await register(identity, 'ada@example.com')
  await identity.browser().register('forgotten@example.com')
  identity.advance(24 * 8 * HOUR_MS)
  const stranger = identity.app()
  const form = await stranger.open('verification')
  await stranger.submit(form, { method: 'code', email: 'ada@example.com' })
  await cleanedUp(identity)
  assert.deepEqual(await emails(identity), ['ada@example.com'])
})

test('keeps an unverified account until its session ends', async () => {
  const hooks = [{ hook: 'session' }]
  const identity = await createTestIdentity({
    ...WEEK,
    session: { lifespan: '240h' },
    selfservice: { flows: { registration: { after: { password: { hooks } } } } },
  })
  await identity.browser().register('ada@example.com')
  identity.advance(24 * 8 * HOUR_MS)
  await cleanedUp(identity)
  assert.deepEqual(await emails(identity), ['ada@example.com'])
})

test('keeps unverified accounts without the setting', async () => {
  const identity = await createTestIdentity(VERIFIED_ONLY)
  await identity.browser().register('ada@example.com')
  identity.advance(24 * 365 * HOUR_MS)
  await cleanedUp(identity)
  assert.deepEqual(await emails(identity), ['ada@example.com'])
})

async function register(identity: TestIdentity, email: string): Promise<void> {
  const browser = identity.browser()
  const registered = await browser.register(email)
  const form = await browser.get(`/self-service/verification/flows?id=${verificationIn(registered)?.id}`)
  const { body } = await browser.submit(form, { method: 'code', code: await identity.code(email) })
  assert.equal(body.state, 'passed_challenge')
}

async function emails({ admin }: TestIdentity): Promise<string[]> {
  const { body } = await admin('GET', '/admin/identities')
  return body.map(({ traits }: { traits: { email: string } }) => traits.email).sort()
}
