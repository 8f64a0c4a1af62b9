import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../src/storage/db.ts'
import { nodeOf } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { newDsn, openTestDatabase, test, testOnEach } from '../../kit/databases.ts'
import { ADA, addTotp, codeOf, SECOND_FACTORS, STEP_MS, withAda } from '../../kit/factors.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { until } from '../../kit/until.ts'

const MINUTE_MS = 60_000

test('the session limit revokes the oldest session', async () => {
  const identity = await createTestIdentity({ session: { max_per_identity: 3 } })
  for (const email of [ADA, 'eve@example.com']) await identity.user(email)
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

test('SEC-73 an unfinished session ends no other', async () => {
  const { identity, browser: owner } = await withAda()
  await addTotp(identity, owner)
  const { id } = (await owner.whoami()).body
  const [browser, app] = [identity.browser(), identity.app()]
  await browser.signIn(ADA)
  await app.signIn(ADA)
  for (const path of [`/sessions/${id}`, '/sessions']) {
    for (const refused of [await browser.delete(path), await app.send('DELETE', path)]) {
      assert.deepEqual([refused.status, refused.body.error?.id], [403, 'session_aal2_required'], path)
      assert.match(refused.body.redirect_browser_to, /aal=aal2/)
    }
  }
  assert.equal((await owner.whoami()).status, 200)
})

testOnEach('SEC-73 sign-ins with the password alone end no finished session', async () => {
  const identity = await createTestIdentity({ ...SECOND_FACTORS, session: { max_per_identity: 2 } })
  const owner = await identity.signedIn(ADA)
  const secret = await addTotp(identity, owner)
  const guests = Array.from({ length: 4 }, () => identity.browser())
  for (const guest of guests) await guest.signIn(ADA)
  assert.equal((await owner.whoami()).status, 200)
  const finish = async (guest: Browser) => {
    identity.advance(STEP_MS)
    const form = await guest.open('login', '?aal=aal2')
    return (await guest.submit(form, { method: 'totp', totp_code: codeOf(identity, secret) })).status
  }
  const [evicted, , third, newest] = guests as [Browser, Browser, Browser, Browser]
  assert.equal((await evicted.whoami()).status, 401)
  assert.deepEqual([await finish(third), await finish(newest)], [200, 200])
  const statuses = await Promise.all(
    [owner, third, newest].map(async (browser) => (await browser.whoami()).status),
  )
  assert.deepEqual(statuses, [401, 200, 200])
})

testOnEach('FLT-12 a sign-in at the session limit lasts after the clock is set back', async () => {
  const identity = await createTestIdentity({ session: { max_per_identity: 2 } })
  await identity.user(ADA)
  for (let n = 0; n < 2; n++) await identity.browser().signIn(ADA)
  identity.advance(-60 * MINUTE_MS)
  const browser = identity.browser()
  await browser.signIn(ADA)
  assert.equal((await browser.whoami()).status, 200)
})

test('a session that gets its second factor at the session limit stays', async () => {
  const identity = await createTestIdentity({ ...SECOND_FACTORS, session: { max_per_identity: 2 } })
  const secret = await addTotp(identity, await identity.signedIn(ADA))
  const [oldest, ...others] = [1, 2, 3].map(() => identity.browser()) as [Browser, Browser, Browser]
  const finish = async (browser: Browser) => {
    const form = await browser.open('login', '?aal=aal2')
    await browser.submit(form, { method: 'totp', totp_code: codeOf(identity, secret) })
    identity.advance(STEP_MS)
  }
  await oldest.signIn(ADA)
  for (const browser of others) {
    await browser.signIn(ADA)
    await finish(browser)
  }
  await finish(oldest)
  assert.equal((await oldest.whoami()).status, 200)
})

testOnEach('parallel sign-ins cannot exceed the session limit', async () => {
  const identity = await createTestIdentity({ session: { max_per_identity: 2 } })
  await identity.user(ADA)
  const browsers = Array.from({ length: 6 }, () => identity.browser())
  await Promise.all(browsers.map((browser) => browser.signIn(ADA)))
  await identity.browser().signIn(ADA)
  const statuses = await Promise.all(browsers.map(async (browser) => (await browser.whoami()).status))
  assert.equal(statuses.filter((status) => status === 200).length, 1)
})

test('an idle session expires everywhere', async () => {
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ dsn, session: { lifespan: '24h', idle_timeout: '10m' } })
  const db = await openTestDatabase(dsn)
  await identity.user(ADA)
  const [busy, idle] = [identity.browser(), identity.browser()]
  await busy.signIn(ADA)
  await idle.signIn(ADA)
  for (let minutes = 0; minutes < 12; minutes += 4) {
    identity.advance(4 * MINUTE_MS)
    const before = identity.now().toISOString()
    assert.equal((await busy.whoami()).status, 200)
    await until(async () => ((await lastUse(db)) ?? '') > before)
  }
  assert.equal((await idle.whoami()).status, 401)
  assert.deepEqual((await busy.get('/sessions')).body, [])
  const { body } = await identity.admin('GET', '/admin/sessions?active=true')
  assert.equal(body.length, 1)
})

test('without an idle timeout only the lifespan ends a session', async () => {
  const identity = await createTestIdentity({ session: { lifespan: '24h' } })
  const browser = await identity.signedIn(ADA)
  identity.advance(23 * 60 * MINUTE_MS)
  assert.equal((await browser.whoami()).status, 200)
})

test('stores the use of a session at most once a minute', async () => {
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ dsn })
  const browser = await identity.signedIn(ADA)
  const db = await openTestDatabase(dsn)
  await browser.whoami()
  await delay(50)
  assert.equal(await lastUse(db), null)
  identity.advance(MINUTE_MS)
  await browser.whoami()
  await until(async () => (await lastUse(db)) !== null)
  const first = await lastUse(db)
  for (let n = 0; n < 5; n += 1) await browser.whoami()
  await delay(50)
  assert.equal(await lastUse(db), first)
  identity.advance(MINUTE_MS)
  await browser.whoami()
  await until(async () => (await lastUse(db)) !== first)
})

async function lastUse(db: Db): Promise<string | null> {
  const { at } = await db
    .selectFrom('sessions')
    .select(({ fn }) => fn.max('last_active_at').as('at'))
    .executeTakeFirstOrThrow()
  return at
}

test('signing out clears the browser’s data where configured, and otherwise waits for nothing', async () => {
  for (const [clear_browser_data, cleared] of [
    [false, null],
    [true, '"cookies", "storage", "cache"'],
  ] as const) {
    const identity = await createTestIdentity({ selfservice: { flows: { logout: { clear_browser_data } } } })
    const browser = await identity.signedIn(ADA)
    const { logout_token } = (await browser.get('/self-service/logout/browser')).body
    const answer = await browser.get(`/self-service/logout?token=${logout_token}`)
    assert.equal(answer.headers.get('clear-site-data'), cleared)
  }
  const browser = (await createTestIdentity()).browser()
  assert.equal((await browser.get('/self-service/login/browser')).headers.get('clear-site-data'), null)
})

const DAY_MS = 24 * 60 * MINUTE_MS
const EXTENDED = { session: { lifespan: '24h', extended_lifespan: '720h' } } as const

test('staying signed in extends session and cookie', async () => {
  const identity = await createTestIdentity(EXTENDED)
  await identity.user(ADA)
  const [brief, long] = [identity.browser(), identity.browser()]
  await brief.signIn(ADA)
  const form = await long.open('login')
  assert.equal(nodeOf(form, 'stay_signed_in')?.value, false)
  const password = { method: 'password', identifier: ADA, password: PASSWORD }
  const done = await long.submit(form, { ...password, stay_signed_in: true })
  assert.match(
    done.headers.get('set-cookie') ?? '',
    /ory_kratos_session=[^;]+;[^,]*Max-Age=25(91\d{3}|92000);/,
  )
  identity.advance(29 * DAY_MS)
  assert.deepEqual([(await brief.whoami()).status, (await long.whoami()).status], [401, 200])
  identity.advance(DAY_MS)
  assert.equal((await long.whoami()).status, 401)
})

test('confirming never shortens a longer session', async () => {
  const identity = await createTestIdentity(EXTENDED)
  await identity.user(ADA)
  const browser = identity.browser()
  const password = { method: 'password', identifier: ADA, password: PASSWORD }
  await browser.submit(await browser.open('login'), { ...password, stay_signed_in: 'true' })
  const { id, expires_at } = (await browser.whoami()).body
  identity.advance(DAY_MS)
  const again = await browser.open('login', '?refresh=true')
  assert.equal(nodeOf(again, 'stay_signed_in'), undefined)
  assert.equal((await browser.submit(again, { ...password, stay_signed_in: false })).status, 200)
  assert.equal((await browser.whoami()).body.expires_at, expires_at)
  await identity.admin('PATCH', `/admin/sessions/${id}/extend`)
  assert.equal((await browser.whoami()).body.expires_at, expires_at)
  identity.advance(28 * DAY_MS + DAY_MS / 2)
  await browser.submit(await browser.open('login', '?refresh=true'), password)
  identity.advance(DAY_MS - MINUTE_MS)
  assert.equal((await browser.whoami()).status, 200)
})

test('an idle timeout ends a long session on its last day', async () => {
  const identity = await createTestIdentity({ session: { ...EXTENDED.session, idle_timeout: '8h' } })
  await identity.user(ADA)
  const [brief, long] = [identity.browser(), identity.browser()]
  await brief.signIn(ADA)
  const password = { method: 'password', identifier: ADA, password: PASSWORD, stay_signed_in: true }
  await long.submit(await long.open('login'), password)
  identity.advance(9 * 60 * MINUTE_MS)
  assert.deepEqual([(await brief.whoami()).status, (await long.whoami()).status], [401, 200])
  identity.advance(27 * DAY_MS)
  assert.equal((await identity.admin('GET', '/admin/sessions?active=true')).body.length, 1)
  assert.equal((await long.whoami()).status, 200)
  await delay(30)
  identity.advance(2 * DAY_MS)
  assert.equal((await long.whoami()).status, 401)
  assert.deepEqual((await identity.admin('GET', '/admin/sessions?active=true')).body, [])
})

test('offers no choice without an extended lifespan', async () => {
  const identity = await createTestIdentity({ session: { lifespan: '24h' } })
  await identity.user(ADA)
  const browser = identity.browser()
  const form = await browser.open('login')
  assert.equal(nodeOf(form, 'stay_signed_in'), undefined)
  const password = { method: 'password', identifier: ADA, password: PASSWORD, stay_signed_in: true }
  await browser.submit(form, password)
  identity.advance(DAY_MS)
  assert.equal((await browser.whoami()).status, 401)
})

test('remembers the choice until the code', async () => {
  const identity = await createTestIdentity({
    ...EXTENDED,
    selfservice: { methods: { code: { passwordless_enabled: true } } },
  })
  await identity.user(ADA)
  const browser = identity.browser()
  const asks = { method: 'code', identifier: ADA, stay_signed_in: true }
  const sent = await browser.submit(await browser.open('login'), asks)
  await browser.submit(sent, { method: 'code', identifier: ADA, code: await identity.code(ADA) })
  identity.advance(29 * DAY_MS)
  assert.equal((await browser.whoami()).status, 200)
})
