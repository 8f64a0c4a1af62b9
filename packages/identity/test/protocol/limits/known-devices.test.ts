import assert from 'node:assert/strict'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

const ADA = 'ada@example.com'
const MINUTE_MS = 60_000
const REVOKES = { hooks: [{ hook: 'revoke_active_sessions' }] }

test('SEC-46 a sign-in sets a device cookie for 180 days', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const signedIn = await identity.browser().signIn('ada@example.com')
  const [cookie] = signedIn.headers.getSetCookie().filter((line) => line.startsWith('device='))
  assert.match(cookie ?? '', /^device=[\w.-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Strict$/)
})

test('SEC-46 a sibling host cannot set the device cookie over https', async () => {
  const cookies = { host_prefix: true, secure: true }
  const identity = await createTestIdentity({ cookies, session: { cookie: { secure: true } } })
  await identity.user('ada@example.com')
  const signedIn = await identity.browser().signIn('ada@example.com')
  assert.ok(
    signedIn.headers.getSetCookie().some((line) => /^__Host-device=.*; Secure; SameSite=Strict$/.test(line)),
  )
})

test('SEC-46 refused sign-ins and apps get no device cookie', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const refused = await identity.browser().signIn('ada@example.com', 'wrong')
  const app = await identity.app().signIn('ada@example.com')
  for (const { headers } of [refused, app])
    assert.deepEqual(
      headers.getSetCookie().filter((line) => line.startsWith('device=')),
      [],
    )
})

type Start = (browser: Browser, identity: TestIdentity) => Promise<unknown>

const DISTRUSTS: Record<string, Start> = {
  'a recovery': async (_, identity) => {
    const browser = identity.browser()
    const form = await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
    await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
    assert.equal((await browser.whoami()).status, 200)
    return browser
  },
  'a new password': async (browser) => {
    const password = 'battery staple 7 horse'
    await browser.submit(await browser.open('settings'), { method: 'password', password })
    return browser
  },
  'signing out everywhere else': async (browser) => {
    assert.equal((await browser.delete('/sessions')).status, 200)
    return browser
  },
  'an operator who ends the sessions': async (_, identity) => {
    const [{ id }] = (await identity.admin('GET', '/admin/identities')).body
    await identity.admin('DELETE', `/admin/identities/${id}/sessions`)
    return undefined
  },
}

for (const [what, distrust] of Object.entries(DISTRUSTS)) {
  test(`SEC-75 ${what} forgets all devices but the owner's`, async () => {
    const identity = await createTestIdentity({
      security: { notices: { enabled: true } },
      selfservice: {
        flows: { settings: { after: { password: REVOKES } }, recovery: { after: REVOKES } },
      },
    })
    await identity.user(ADA)
    const [owner, thief, app] = [identity.browser(), identity.browser(), identity.app()]
    for (const one of [owner, thief, app]) assert.equal((await one.signIn(ADA)).status, 200)
    identity.advance(MINUTE_MS)
    const kept = (await distrust(owner, identity)) as Browser | undefined
    const newDevices = async () =>
      (await identity.mails(ADA)).filter(({ subject }) => /^New login/.test(subject)).length
    const password = what === 'a new password' ? 'battery staple 7 horse' : PASSWORD
    let told = await newDevices()
    if (kept) {
      await signOut(kept)
      assert.equal((await kept.signIn(ADA, password)).status, 200)
      assert.equal(await newDevices(), told)
    }
    for (const one of [thief, app]) {
      assert.equal((await one.signIn(ADA, password)).status, 200)
      told += 1
      assert.equal(await newDevices(), told)
    }
  })
}

async function signOut(browser: Browser): Promise<void> {
  const { logout_token } = (await browser.get('/self-service/logout/browser')).body
  await browser.get(`/self-service/logout?token=${logout_token}`)
}
