import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { messageIds, secretIn, tokenOf } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { ADA, addBackupCodes, addTotp, backupCodesIn, codeOf, SECOND_FACTORS } from '../../kit/factors.ts'
import { createTestIdentity } from '../../kit/kit.ts'

test("an app's form without a usable second factor has no nodes", async () => {
  const identity = await createTestIdentity(SECOND_FACTORS)
  await identity.user(ADA)
  const app = identity.app()
  await app.signIn(ADA)
  assert.equal((await app.open('login', '?aal=aal2')).body.ui.nodes, null)
})

test('SEC-17 a page at aal1 goes to the second factor and back', async () => {
  const { identity, browser, secret } = await withTotp()
  const page = identity.browser()
  await page.signIn(ADA)
  const sent = await page.navigate('/self-service/settings/browser?return_to=http%3A%2F%2Fapp.test%2Finbox')
  assert.equal(sent.status, 303)
  const to = new URL(sent.location ?? '')
  assert.equal(to.searchParams.get('aal'), 'aal2')
  const flow = await page.open('login', to.search)
  const done = await page.post(flow.body.ui.action, {
    csrf_token: String(tokenOf(flow)),
    method: 'totp',
    totp_code: codeOf(identity, secret),
  })
  assert.match(done.location ?? '', /\/self-service\/settings\/browser\?return_to=/)
  assert.equal((await page.navigate(done.location ?? '')).status, 303)
  assert.equal((await browser.whoami()).status, 200)
})

test('a page at aal1 that submits settings goes back to all its parameters', async () => {
  const { identity, browser } = await withTotp()
  const open = await browser.open('settings')
  const page = identity.browser()
  await page.signIn(ADA)
  const path = `/self-service/settings?flow=${open.body.id}&x=a%20b`
  const sent = await page.post(path, { method: 'profile' })
  const back = new URL(sent.location ?? '').searchParams.get('return_to')
  assert.equal(back, `http://identity.test${path}`)
})

test('a second factor has no identity schema', async () => {
  const { identity } = await withTotp()
  const page = identity.browser()
  await page.signIn(ADA)
  const { body } = await page.open('login', '?aal=aal2&identity_schema=unknown')
  assert.equal(body.id !== undefined && 'identity_schema' in body, false)
})

test("SEC-17 a second factor needs the same user's first one", async () => {
  const { identity, secret } = await withTotp()
  const stranger = identity.browser()
  const refused = await stranger.get('/self-service/login/browser?aal=aal2')
  assert.deepEqual([refused.status, refused.body.error.id], [401, 'session_aal1_required'])
  const plain = await stranger.open('login')
  const code = { method: 'totp', totp_code: codeOf(identity, secret) }
  const answer = await stranger.submit(plain, code)
  assert.deepEqual([answer.status, messageIds(answer)], [400, [4010002]])
  const eve = await identity.signedIn('eve@example.com')
  const own = await eve.submit(await eve.open('login', '?aal=aal2'), code)
  assert.deepEqual([own.status, messageIds(own)], [400, [4000011]])
})

test('SEC-17 one factor is enough if configured', async () => {
  const overrides = {
    selfservice: { ...SECOND_FACTORS.selfservice, flows: { settings: { required_aal: 'aal1' } } },
    session: { whoami: { required_aal: 'aal1' } },
  }
  const identity = await createTestIdentity(overrides)
  const browser = await identity.signedIn(ADA)
  await addTotp(identity, browser)
  const other = identity.browser()
  assert.equal((await other.signIn(ADA)).status, 200)
  assert.equal((await other.whoami()).body.authenticator_assurance_level, 'aal1')
  assert.equal((await other.open('settings')).body.state, 'show_form')
})

test('SEC-59 SEC-60 second factor secrets are unreadable and end with their form', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'second-factor-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'identity.db')
  const identity = await createTestIdentity({ ...SECOND_FACTORS, dsn: file })
  const browser = await identity.signedIn(ADA)
  const abandoned = await browser.open('settings')
  const make = { method: 'lookup_secret', lookup_secret_regenerate: true }
  const unconfirmed = backupCodesIn(await browser.submit(await browser.open('settings'), make))
  const secret = await addTotp(identity, browser)
  const codes = await addBackupCodes(browser)
  const secrets = [secretIn(abandoned), secret, ...unconfirmed, ...codes]
  const stored = textOf(file)
  for (const one of secrets) assert.ok(!stored.includes(one))
  assert.equal(stored.match(/\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$/g)?.length, 13)
  identity.advance(26 * 3_600_000)
  identity.start()
  while (rowsOf(file, 'flows').length > 0) await sleep(20)
  await identity.stop()
})

function rowsOf(file: string, table: string): Record<string, unknown>[] {
  const db = new DatabaseSync(file, { readOnly: true })
  try {
    return db.prepare(`SELECT * FROM "${table}"`).all()
  } finally {
    db.close()
  }
}

function textOf(file: string): string {
  const tables = rowsOf(file, 'sqlite_master').filter(({ type }) => type === 'table')
  return JSON.stringify(tables.map(({ name }) => rowsOf(file, String(name))))
}

async function withTotp() {
  const identity = await createTestIdentity(SECOND_FACTORS)
  const browser = await identity.signedIn(ADA)
  return { identity, browser, secret: await addTotp(identity, browser) }
}
