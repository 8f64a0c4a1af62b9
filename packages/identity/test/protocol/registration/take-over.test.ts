import assert from 'node:assert/strict'
import { verificationIn } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { addTotp, SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { hooked } from '../../servers/hook-kit.ts'

const ADA = 'ada@example.com'

test('SEC-24 the first sign-in by code removes what another user set up', async () => {
  const methods = { code: { passwordless_enabled: true } }
  const identity = await createTestIdentity({ selfservice: { methods } })
  const thief = identity.browser()
  await thief.register(ADA)
  const [here, there] = [identity.browser(), identity.browser()]
  const planted = (await thief.whoami()).body
  assert.equal((await identity.account.requestDeletion(planted.id)).kind, 'scheduled')
  assert.equal((await thief.signIn(ADA)).status, 200)
  const { session } = await signInByCode(identity, here)
  assert.equal(session.identity.verifiable_addresses[0].verified, true)
  assert.equal((await thief.whoami()).status, 401)
  assert.equal((await identity.browser().signIn(ADA)).status, 400)
  assert.equal(await identity.account.deletionDue(planted.identity.id), undefined)
  await signInByCode(identity, there)
  assert.equal((await here.whoami()).status, 200)
})

test("SEC-24 a verified user's code keeps password and sessions", async () => {
  const methods = { code: { passwordless_enabled: true } }
  const identity = await createTestIdentity({ selfservice: { methods } })
  await identity.user(ADA)
  const [here, there] = [identity.browser(), identity.browser()]
  await here.signIn(ADA)
  await signInByCode(identity, there)
  assert.equal((await here.whoami()).status, 200)
  assert.equal((await identity.browser().signIn(ADA)).status, 200)
})

test('SEC-83 a recovery at a corrected address keeps the second factor', async () => {
  const whoami = { required_aal: 'highest_available' }
  const identity = await createTestIdentity({ ...SECOND_FACTORS, session: { whoami } })
  const browser = identity.browser()
  const registered = await browser.register(ADA)
  const form = await browser.get(`/self-service/verification/flows?id=${verificationIn(registered)?.id}`)
  await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
  await addTotp(identity, browser)
  const [{ id }] = (await identity.admin('GET', '/admin/identities')).body
  const email = 'grace@example.com'
  await identity.admin('PATCH', `/admin/identities/${id}`, [
    { op: 'replace', path: '/traits/email', value: email },
  ])
  const visitor = identity.browser()
  const asked = await visitor.submit(await visitor.open('recovery'), { method: 'code', email })
  await visitor.submit(asked, { method: 'code', code: await identity.code(email) })
  const refused = await visitor.whoami()
  assert.deepEqual([refused.status, refused.body.error.id], [403, 'session_aal2_required'])
  assert.equal((await browser.whoami()).status, 200)
})

test('SEC-16 SEC-24 a change needs its session', async () => {
  let end = async (): Promise<unknown> => undefined
  const { identity } = await hooked('settings', {
    password: [{ path: '/check', can_interrupt: true, body: async () => ({ ended: await end() }) }],
  })
  await identity.user(ADA)
  const [{ id }] = (await identity.admin('GET', '/admin/identities')).body
  const path = `/admin/identities/${id}`
  const switchTo = (value: string) =>
    identity.admin('PATCH', path, [{ op: 'replace', path: '/state', value }])
  for (const what of [() => identity.admin('DELETE', `${path}/sessions`), () => switchTo('inactive')]) {
    const browser = identity.browser()
    await browser.signIn(ADA)
    const flow = await browser.open('settings')
    end = what
    const sent = await browser.submit(flow, { method: 'password', password: 'another horse 7 battery' })
    assert.equal(sent.status, 401)
  }
  await switchTo('active')
  assert.equal((await identity.app().signIn(ADA)).status, 200)
})

async function signInByCode(identity: TestIdentity, browser: ReturnType<TestIdentity['browser']>) {
  const form = { method: 'code', identifier: ADA }
  const asked = await browser.submit(await browser.open('login'), form)
  const done = await browser.submit(asked, { ...form, code: await identity.code(ADA) })
  assert.equal(done.status, 200)
  return done.body as unknown as { session: { identity: { verifiable_addresses: [{ verified: boolean }] } } }
}
