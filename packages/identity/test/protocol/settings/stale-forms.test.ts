import assert from 'node:assert/strict'
import { fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { ADA, addBackupCodes, addTotp, codeOf, withAda } from '../../kit/factors.ts'
import { createTestIdentity } from '../../kit/kit.ts'

// Kratos compatibility: outdated by another session or tab.

const BEN = 'ben@example.com'

test('a rejected settings form keeps its own traits', async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const [one, two] = [identity.browser(), identity.browser()]
  await one.signIn(ADA)
  await two.signIn(ADA)
  const form = await one.open('settings')
  const other = await two.open('settings')
  await two.submit(other, { method: 'profile', traits: { email: ADA, name: 'Ada L' } })
  const refused = await one.submit(form, { method: 'password', password: 'short' })
  assert.deepEqual([refused.status, fieldMessageIds(refused, 'password').length > 0], [400, true])
  assert.equal(nodeOf(refused, 'traits.name')?.value, nodeOf(form, 'traits.name')?.value)
})

test("a code in another user's form is refused", async () => {
  const { identity, browser } = await withAda()
  const secret = await addTotp(identity, browser)
  const [lookup_secret] = await addBackupCodes(browser)
  await identity.user(BEN)
  const app = identity.app()
  await app.signIn(ADA, PASSWORD)
  const form = await app.open('login', '?aal=aal2')
  const ben = identity.app()
  await ben.signIn(BEN, PASSWORD)
  const totp = await ben.submit(form, { method: 'totp', totp_code: codeOf(identity, secret) })
  assert.deepEqual([totp.status, messageIds(totp)], [400, [4000011]])
  const backup = await ben.submit(form, { method: 'lookup_secret', lookup_secret })
  assert.deepEqual([backup.status, messageIds(backup)], [400, [4000014]])
})
