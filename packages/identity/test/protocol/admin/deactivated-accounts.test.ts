import assert from 'node:assert/strict'
import { type Answer, messageIds } from '../../../src/testing/answers.ts'
import type { Browser } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { ADA, addBackupCodes, addTotp, codeOf } from '../../kit/factors.ts'
import { cookieHeld, statusesOf, tokenHeld } from '../../kit/held-credentials.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { letsIn } from '../../kit/recovery-kit.ts'
import type { Way } from '../../kit/sign-in-methods.ts'
import { BROWSER_FIRST_FACTORS, FIRST_FACTORS, openHouse, RECOVERY_WAYS } from '../../kit/sign-in-methods.ts'

const WAYS_IN: Record<string, Way> = { ...FIRST_FACTORS, ...BROWSER_FIRST_FACTORS, ...RECOVERY_WAYS }

const SECOND: Record<string, (identity: TestIdentity, owner: Browser) => Promise<() => object>> = {
  'an authenticator app': async (identity, owner) => {
    const secret = await addTotp(identity, owner)
    return () => ({ method: 'totp', totp_code: codeOf(identity, secret) })
  },
  'a backup code': async (_identity, owner) => {
    const [lookup_secret] = await addBackupCodes(owner)
    return () => ({ method: 'lookup_secret', lookup_secret })
  },
}

for (const [name, way] of Object.entries(WAYS_IN)) {
  test(`SEC-22 a deactivated account cannot sign in by ${name}`, async () => {
    const house = await openHouse(name)
    const { identity, id, owner } = house
    const begin = await way(house)
    const [before, after] = [identity.browser(), identity.browser()]
    await (await begin(before))()
    assert.deepEqual(await statusesOf(identity, cookieHeld(before)), [200])
    const finish = await begin(after)
    await switchOff(identity, id)
    assertOutside(await finish(), after)
    for (const browser of [owner, before, after]) {
      assert.deepEqual(await statusesOf(identity, cookieHeld(browser)), [401])
    }
  })
}

for (const [name, setUp] of Object.entries(SECOND)) {
  test(`SEC-22 an account deactivated between the factors cannot sign in by ${name}`, async () => {
    const { identity, id, owner } = await openHouse(name)
    const proof = await setUp(identity, owner)
    const browser = identity.browser()
    await browser.signIn(ADA)
    const form = await browser.open('login', '?aal=aal2')
    await switchOff(identity, id)
    const before = cookieHeld(browser)
    const refused = await browser.submit(form, proof())
    assert.deepEqual([refused.status, letsIn(refused)], [401, false])
    for (const held of [before, cookieHeld(browser)]) {
      assert.deepEqual(await statusesOf(identity, held), [401])
    }
  })
}

for (const [name, way] of Object.entries(FIRST_FACTORS)) {
  test(`SEC-22 an app of a deactivated account cannot sign in by ${name}`, async () => {
    const house = await openHouse(name)
    const { identity, id } = house
    const begin = await way(house)
    const app = identity.app()
    app.token = (await (await begin(app))()).body.session_token
    assert.deepEqual(await statusesOf(identity, tokenHeld(app)), [200])
    const finish = await begin(identity.app())
    await switchOff(identity, id)
    const refused = await finish()
    assert.deepEqual([refused.status, 'session_token' in refused.body], [401, false])
    assert.deepEqual(await statusesOf(identity, tokenHeld(app)), [401])
  })
}

test('a later version of Ory Kratos answers a deactivated account with a message', async () => {
  const identity = await createTestIdentity({ version: 'v26.10.0' })
  await identity.signedIn(ADA)
  const browser = identity.browser()
  const recovery = await browser.submit(await browser.open('recovery'), { method: 'code', email: ADA })
  const code = await identity.code(ADA)
  const { body } = await identity.admin('GET', '/admin/identities')
  await switchOff(identity, body[0].id)
  const refused = await browser.signIn(ADA)
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4010011]])
  const recovered: Answer = await browser.submit(recovery, { method: 'code', code })
  assert.deepEqual([recovered.status, recovered.body.error.id], [400, 'identity_disabled'])
})

function assertOutside(answer: Answer, browser: Browser): void {
  assert.ok(answer.status < 500, `answered ${answer.status}`)
  assert.equal(letsIn(answer), false)
  assert.equal(
    [...browser.cookies.values()].some((value) => value.startsWith('ory_st_')),
    false,
  )
}

async function switchOff(identity: TestIdentity, id: string): Promise<void> {
  const change = [{ op: 'replace', path: '/state', value: 'inactive' }]
  assert.equal((await identity.admin('PATCH', `/admin/identities/${id}`, change)).status, 200)
}
