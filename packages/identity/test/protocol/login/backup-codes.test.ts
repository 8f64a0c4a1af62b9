import assert from 'node:assert/strict'
import { type Answer, type FlowAnswer, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { ADA, addBackupCodes, atSecondFactor, backupCodesIn, withAda } from '../../kit/factors.ts'

const MAKE = { method: 'lookup_secret', lookup_secret_regenerate: true }
const CONFIRM = { method: 'lookup_secret', lookup_secret_confirm: true }
const REVEAL = { method: 'lookup_secret', lookup_secret_reveal: true }
const DISABLE = { method: 'lookup_secret', lookup_secret_disable: true }
const use = (code: string | undefined) => ({ method: 'lookup_secret', lookup_secret: code })

test('SEC-59 shows twelve codes until they are confirmed', async () => {
  const { identity, browser } = await withAda()
  const flow = await browser.open('settings')
  const made = await browser.submit(flow, MAKE)
  assert.equal(backupCodesIn(made).length, 12)
  const fetched = (await browser.get(`/self-service/settings/flows?id=${flow.body.id}`)) as FlowAnswer
  assert.deepEqual(backupCodesIn(fetched), backupCodesIn(made))
  assert.equal((await identity.browser().signIn(ADA)).status, 200)
  const kept = await browser.submit(made, CONFIRM)
  assert.deepEqual([kept.status, messageIds(kept)], [200, [1050001]])
  assert.equal((await browser.whoami()).body.authenticator_assurance_level, 'aal2')
  assert.equal((await identity.browser().signIn(ADA)).status, 422)
})

test('SEC-59 keeps unconfirmed codes while another change is saved', async () => {
  const { browser } = await withAda()
  const made = await browser.submit(await browser.open('settings'), MAKE)
  const saved = await browser.submit(made, { method: 'password', password: 'other quiet words' })
  assert.deepEqual([saved.status, backupCodesIn(saved)], [200, backupCodesIn(made)])
  assert.equal((await browser.submit(saved, CONFIRM)).status, 200)
})

test('SEC-59 confirmed codes are never shown again', async () => {
  const { identity, browser } = await withAda()
  const codes = await addBackupCodes(browser)
  const { browser: other, flow } = await atSecondFactor(identity)
  await other.submit(flow, use(codes[3]))
  const seen = await browser.submit(await browser.open('settings'), REVEAL)
  assert.equal(seen.status, 200)
  const text = JSON.stringify(seen.body)
  for (const code of codes) assert.ok(!text.includes(code))
  const node = seen.body.ui.nodes.find(({ type, group }) => type === 'text' && group === 'lookup_secret')
  assert.ok(node?.type === 'text')
  const list = node.attributes.text.context?.secrets as { id: number }[]
  assert.deepEqual(
    list.map(({ id }) => id),
    Array.from({ length: 12 }, (_, index) => (index === 3 ? 1050014 : 1050009)),
  )
})

test('signs in with bcrypt passwords and backup codes', async () => {
  const { identity, browser } = await withAda({ hashers: { algorithm: 'bcrypt', bcrypt: { cost: 4 } } })
  const path = '/admin/identities?include_credential=password'
  const [account] = (await identity.admin('GET', path)).body
  assert.match(account.credentials.password.config.hashed_password, /^\$2[aby]\$04\$/)
  const [code] = await addBackupCodes(browser)
  const { browser: other, flow } = await atSecondFactor(identity)
  assert.equal((await other.submit(flow, use(code))).status, 200)
})

test('accepts a backup code once', async () => {
  const { identity, browser } = await withAda()
  const [code, another] = await addBackupCodes(browser)
  const one = await atSecondFactor(identity)
  assert.deepEqual(messageIds(await one.browser.submit(one.flow, use('wrong123'))), [4000016])
  assert.equal((await one.browser.submit(one.flow, use(code))).status, 200)
  assert.equal((await one.browser.whoami()).body.authenticator_assurance_level, 'aal2')
  const two = await atSecondFactor(identity)
  assert.deepEqual(messageIds(await two.browser.submit(two.flow, use(code))), [4000012])
  assert.equal((await two.browser.submit(two.flow, use(another))).status, 200)
})

test('shows codes last until a refusal', async () => {
  const { browser } = await withAda()
  const groupsOf = (answer: Answer) =>
    answer.body.ui.nodes.map(({ group }: { readonly group: string }) => group)
  const flow = await browser.open('settings')
  assert.equal(groupsOf(await browser.submit(flow, MAKE)).at(-1), 'lookup_secret')
  const refused = await browser.submit(flow, { method: 'password', password: '' })
  assert.equal(refused.status, 400)
  assert.notEqual(groupsOf(refused).at(-1), 'lookup_secret')
  assert.ok(groupsOf(refused).includes('lookup_secret'))
})

test('SEC-59 confirmed new codes replace the old', async () => {
  const { identity, browser } = await withAda()
  const [first, second] = await addBackupCodes(browser)
  const made = await browser.submit(await browser.open('settings'), MAKE)
  const before = await atSecondFactor(identity)
  assert.equal((await before.browser.submit(before.flow, use(first))).status, 200)
  assert.equal((await browser.submit(made, CONFIRM)).status, 200)
  const after = await atSecondFactor(identity)
  assert.deepEqual(messageIds(await after.browser.submit(after.flow, use(second))), [4000016])
  assert.equal((await after.browser.submit(after.flow, use(backupCodesIn(made)[0]))).status, 200)
})

test('SEC-60 unconfirmed codes change nothing', async () => {
  const { identity, browser } = await withAda()
  const made = await browser.submit(await browser.open('settings'), MAKE)
  const elsewhere = await browser.submit(await browser.open('settings'), CONFIRM)
  assert.deepEqual([elsewhere.status, messageIds(elsewhere)], [400, [4000001]])
  const { browser: other, flow } = await atSecondFactor(identity)
  assert.equal(nodeOf(flow, 'lookup_secret'), undefined)
  const refused = await other.submit(flow, use(backupCodesIn(made)[0]))
  assert.deepEqual([refused.status, messageIds(refused)], [400, [4000014]])
})

test('disabling backup codes lowers the sessions that they raised', async () => {
  const { identity, browser } = await withAda()
  await addBackupCodes(browser)
  const off = await browser.submit(await browser.open('settings'), DISABLE)
  assert.deepEqual([off.status, messageIds(off)], [200, [1050001]])
  assert.equal((await browser.whoami()).body.authenticator_assurance_level, 'aal1')
  assert.equal((await identity.browser().signIn(ADA)).status, 200)
})

test('rejects a submission without an action or with missing codes', async () => {
  const { browser } = await withAda()
  const flow = await browser.open('settings')
  assert.deepEqual(messageIds(await browser.submit(flow, { method: 'lookup_secret' })), [4010004])
  assert.deepEqual(messageIds(await browser.submit(flow, REVEAL)), [4000001])
  assert.deepEqual(messageIds(await browser.submit(flow, { ...MAKE, ...CONFIRM })), [4000001])
})
