import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { newDsn, openTestDatabase, test } from '../databases.ts'
import { createTestIdentity } from '../kit.ts'

const ADA = 'ada@example.com'
const MINUTE_MS = 60_000

test('one session over the limit of an account revokes its oldest, and none of another account', async () => {
  const identity = await createTestIdentity({ session: { max_per_identity: 3 } })
  for (const email of [ADA, 'eve@example.com']) await identity.person(email)
  const eve = identity.browser()
  await eve.signIn('eve@example.com')
  const browsers = [1, 2, 3, 4].map(() => identity.browser())
  for (const browser of browsers) await browser.signIn(ADA)
  const statuses = await Promise.all(
    [...browsers, eve].map(async (browser) => (await browser.whoami()).status),
  )
  assert.deepEqual(statuses, [401, 200, 200, 200, 200])
  assert.ok(identity.logged.some((line) => line.includes('"detail":"too_many"')))
})

test('parallel sign-ins leave no more sessions than the limit', async () => {
  const identity = await createTestIdentity({ session: { max_per_identity: 2 } })
  await identity.person(ADA)
  const browsers = Array.from({ length: 6 }, () => identity.browser())
  await Promise.all(browsers.map((browser) => browser.signIn(ADA)))
  await identity.browser().signIn(ADA)
  const statuses = await Promise.all(browsers.map(async (browser) => (await browser.whoami()).status))
  assert.equal(statuses.filter((status) => status === 200).length, 1)
})

test('a session that is idle for too long expires everywhere, one in use continues', async () => {
  const identity = await createTestIdentity({ session: { lifespan: '24h', idle_timeout: '10m' } })
  await identity.person(ADA)
  const [busy, idle] = [identity.browser(), identity.browser()]
  await busy.signIn(ADA)
  await idle.signIn(ADA)
  for (let minutes = 0; minutes < 12; minutes += 4) {
    identity.advance(4 * MINUTE_MS)
    assert.equal((await busy.whoami()).status, 200)
    // The use is stored after the response.
    await delay(30)
  }
  assert.equal((await idle.whoami()).status, 401)
  assert.deepEqual((await busy.get('/sessions')).body, [])
  const { body } = await identity.admin('GET', '/admin/sessions?active=true')
  assert.equal(body.length, 1)
})

test('without an idle timeout only the lifespan ends a session', async () => {
  const identity = await createTestIdentity({ session: { lifespan: '24h' } })
  await identity.person(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  identity.advance(23 * 60 * MINUTE_MS)
  assert.equal((await browser.whoami()).status, 200)
})

test('the use of a session is stored at most once a minute', async () => {
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ dsn })
  await identity.person(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  const db = await openTestDatabase(dsn)
  const noted = async () => {
    await delay(50)
    return (await db.selectFrom('sessions').select('last_active_at').executeTakeFirstOrThrow()).last_active_at
  }
  await browser.whoami()
  assert.equal(await noted(), null)
  identity.advance(MINUTE_MS)
  await browser.whoami()
  const first = await noted()
  assert.ok(first)
  for (let n = 0; n < 5; n += 1) await browser.whoami()
  assert.equal(await noted(), first)
  identity.advance(MINUTE_MS)
  await browser.whoami()
  assert.ok(((await noted()) ?? '') > first)
})

test('signing out tells a browser to clear its cached pages', async () => {
  const identity = await createTestIdentity()
  await identity.person(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  const { logout_token } = (await browser.get('/self-service/logout/browser')).body
  const answer = await browser.get(`/self-service/logout?token=${logout_token}`)
  assert.equal(answer.headers.get('clear-site-data'), '"cache"')
  assert.equal((await browser.get('/self-service/login/browser')).headers.get('clear-site-data'), null)
})
