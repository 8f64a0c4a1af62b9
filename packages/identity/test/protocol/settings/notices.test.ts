import assert from 'node:assert/strict'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { addTotp, SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { ADA } from '../../kit/recovery-kit.ts'

const NOTICES = { ...SECOND_FACTORS, security: { notices: { enabled: true } } }
const NEW_PASSWORD = 'another horse 7 battery'

test('SEC-12 emails every method change and new device', async () => {
  const identity = await createTestIdentity(NOTICES)
  const browser = await identity.signedIn(ADA)
  await browser.submit(await browser.open('settings'), { method: 'password', password: NEW_PASSWORD })
  await addTotp(identity, browser)
  await browser.submit(await browser.open('settings'), { method: 'totp', totp_unlink: true })
  const asked = identity.browser()
  const form = await asked.submit(await asked.open('recovery'), { method: 'code', email: ADA })
  await asked.submit(form, { method: 'code', code: await identity.code(ADA) })
  const settings = await browser.open('settings')
  await browser.submit(settings, { method: 'profile', traits: { email: 'new@example.com' } })
  assert.deepEqual(await subjects(identity), [
    'New login from an app (identity.test)',
    'Your password was changed (identity.test)',
    'An authenticator app was added to your account (identity.test)',
    'Your authenticator app was removed (identity.test)',
    'Your account was recovered with a code or link from your email (identity.test)',
    'The email address of your account was changed (identity.test)',
  ])
})

test('a browser that used the account is not new', async () => {
  const identity = await createTestIdentity(NOTICES)
  const browser = identity.browser()
  await browser.register(ADA)
  for (let times = 0; times < 2; times += 1) {
    const { logout_token } = (await browser.get('/self-service/logout/browser')).body
    await browser.get(`/self-service/logout?token=${logout_token}`)
    assert.equal((await browser.signIn(ADA, PASSWORD)).status, 200)
  }
  assert.deepEqual(await subjects(identity), [])
})

test("SEC-84 a planting browser is new after the owner's recovery", async () => {
  const identity = await createTestIdentity(NOTICES)
  const planter = identity.browser()
  await planter.register(ADA)
  const owner = identity.browser()
  const form = await owner.submit(await owner.open('recovery'), { method: 'code', email: ADA })
  await owner.submit(form, { method: 'code', code: await identity.code(ADA) })
  await owner.submit(await owner.open('settings'), { method: 'password', password: NEW_PASSWORD })
  assert.equal((await planter.signIn(ADA, NEW_PASSWORD)).status, 200)
  const newDevice = 'New login from an app (identity.test)'
  assert.equal((await subjects(identity)).at(-1), newDevice)
})

test('SEC-72 sign-ins do not hide a new password or block codes', async () => {
  const identity = await createTestIdentity(NOTICES)
  const browser = await identity.signedIn(ADA)
  for (let times = 0; times < 24; times += 1) await identity.app().signIn(ADA)
  await browser.submit(await browser.open('settings'), { method: 'password', password: NEW_PASSWORD })
  const sent = await subjects(identity)
  assert.deepEqual([sent.length, sent.at(-1)], [11, 'Your password was changed (identity.test)'])
  const [digest] = (await identity.mails(ADA)).filter((mail) => mail.template_type === 'security_digest')
  assert.match(digest?.body ?? '', /^- A new device logged in to your account 15 times, first on /m)
  const visitor = identity.browser()
  await visitor.submit(await visitor.open('recovery'), { method: 'code', email: ADA })
  assert.match(await identity.code(ADA), /^\d{6}$/)
})

test('SEC-72 repeated deletion requests send few emails', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  for (let times = 0; times < 14; times += 1) {
    const browser = identity.browser()
    await browser.signIn(ADA)
    const { id } = (await browser.whoami()).body
    assert.equal((await identity.account.requestDeletion(id)).kind, 'scheduled')
  }
  const mails = await identity.mails(ADA)
  assert.equal(mails.length, 11)
  const digest = mails.find((mail) => mail.template_type === 'security_digest')
  assert.match(
    digest?.body ?? '',
    /^- The deletion of your account was requested 4 times, .*, for \d+ \w+ \d{4}\.$/m,
  )
})

test('sends no notice if disabled or unverified', async () => {
  const quiet = await createTestIdentity()
  await quiet.user(ADA)
  await quiet.browser().signIn(ADA)
  assert.deepEqual(await subjects(quiet), [])
  const identity = await createTestIdentity(NOTICES)
  await identity.app().register(ADA)
  await identity.app().signIn(ADA)
  assert.deepEqual(await subjects(identity), [])
})

async function subjects(identity: TestIdentity): Promise<string[]> {
  const mails = (await identity.mails(ADA)).filter((mail) => mail.template_type === 'security_notice')
  return mails.map(({ subject }) => subject).reverse()
}
