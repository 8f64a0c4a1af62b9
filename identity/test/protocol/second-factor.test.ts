import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, FlowAnswer } from '../answers.ts'
import { messageIds, tokenOf } from '../answers.ts'
import { App, Browser } from '../clients.ts'
import { test } from '../databases.ts'
import { ADA, addBackupCodes, addTotp, backupCodesIn, codeOf, SECOND_FACTORS, secretIn } from '../factors.ts'
import type { TestIdentity } from '../kit.ts'
import { createTestIdentity } from '../kit.ts'

const TOKENIZER = { session: { whoami: { tokenizer: { templates: { my_app_jwt: { ttl: '10m' } } } } } }

type Caller = Browser | App

interface Setting {
  readonly identity: TestIdentity
  /** Ada, who has set up what she has. */
  readonly first: Caller
  /** A settings form that she opened elsewhere before that. */
  readonly open: FlowAnswer
  /** Where she has signed in with her password alone; `open` is of this session. */
  readonly second: Caller
}

/** What somebody owns beside the password, and how they prove it. */
const OWNED = {
  nothing: { add: async () => async () => ({}) },
  'an authenticator app': {
    add: async (identity: TestIdentity, first: Caller) => {
      const secret = await addTotp(identity, first)
      return async () => ({ method: 'totp', totp_code: codeOf(identity, secret) })
    },
  },
  'backup codes': {
    add: async (_identity: TestIdentity, first: Caller) => {
      const [code] = await addBackupCodes(first)
      return async () => ({ method: 'lookup_secret', lookup_secret: code })
    },
  },
} as const

const GUARDED: Record<string, (setting: Setting) => Promise<Answer>> = {
  whoami: ({ second }) => get(second, '/sessions/whoami'),
  'a token of the session': ({ second }) => get(second, '/sessions/whoami?tokenize_as=my_app_jwt'),
  'the list of sessions': ({ second }) => get(second, '/sessions'),
  'opening settings': ({ second }) => second.open('settings'),
  'reading settings': ({ second, open }) => get(second, `/self-service/settings/flows?id=${open.body.id}`),
  'changing settings': ({ second, open }) =>
    second.submit(open, { method: 'profile', traits: { email: ADA, name: 'Eve' } }),
}

const CALLERS = {
  'a browser': (identity: TestIdentity) => new Browser(identity),
  'an app': (identity: TestIdentity) => new App(identity),
} as const

for (const [owned, { add }] of Object.entries(OWNED)) {
  for (const [kind, caller] of Object.entries(CALLERS)) {
    test(`SEC-17 with a password and ${owned}, ${kind} that gave the password alone gets what it may`, async () => {
      const identity = await createTestIdentity({ ...SECOND_FACTORS, ...TOKENIZER })
      await identity.person(ADA)
      const [first, second] = [caller(identity), caller(identity)]
      await first.signIn(ADA)
      await second.signIn(ADA)
      const open = await second.open('settings')
      const prove = await add(identity, first)
      const setting = { identity, first, second, open }
      const isEnough = owned === 'nothing'
      for (const [what, ask] of Object.entries(GUARDED)) expectLevel(await ask(setting), isEnough, what)
      if (isEnough) return
      expectNothingUseful(await caller(identity).signIn(ADA), kind)
      const done = await second.submit(await second.open('login', '?aal=aal2'), await prove())
      assert.equal(done.status, 200)
      for (const [what, ask] of Object.entries(GUARDED)) expectLevel(await ask(setting), true, what)
    })
  }
}

function get(caller: Caller, path: string): Promise<Answer> {
  return caller.send('GET', path, undefined, {})
}

function expectLevel(answer: Answer, isEnough: boolean, what: string): void {
  if (isEnough) {
    assert.equal(answer.status, 200, what)
    return
  }
  assert.deepEqual([answer.status, answer.body.error?.id], [403, 'session_aal2_required'], what)
  assert.match(answer.body.redirect_browser_to, /\/self-service\/login\/browser\?aal=aal2/)
  assert.doesNotMatch(JSON.stringify(answer.body), /eyJ|ada@example/, what)
}

/** A password alone tells nobody whose account it is. */
function expectNothingUseful(answer: Answer, kind: string): void {
  if (kind === 'an app') assert.equal(answer.body.session.identity, null)
  else assert.deepEqual([answer.status, answer.body.session], [422, undefined])
}

test('SEC-17 a page with the password alone is led to the second factor, and back to its settings', async () => {
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

test('SEC-17 a second factor raises nobody who gave no first one, and nobody else', async () => {
  const { identity, secret } = await withTotp()
  const stranger = identity.browser()
  const refused = await stranger.get('/self-service/login/browser?aal=aal2')
  assert.deepEqual([refused.status, refused.body.error.id], [401, 'session_aal1_required'])
  const plain = await stranger.open('login')
  const code = { method: 'totp', totp_code: codeOf(identity, secret) }
  const answer = await stranger.submit(plain, code)
  assert.deepEqual([answer.status, messageIds(answer)], [400, [4010002]])
  await identity.person('eve@example.com')
  const eve = identity.browser()
  await eve.signIn('eve@example.com')
  const own = await eve.submit(await eve.open('login', '?aal=aal2'), code)
  assert.deepEqual([own.status, messageIds(own)], [400, [4000011]])
})

test('SEC-17 one factor is enough where the site says so', async () => {
  const overrides = {
    selfservice: { ...SECOND_FACTORS.selfservice, flows: { settings: { required_aal: 'aal1' } } },
    session: { whoami: { required_aal: 'aal1' } },
  }
  const identity = await createTestIdentity(overrides)
  await identity.person(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  await addTotp(identity, browser)
  const other = identity.browser()
  assert.equal((await other.signIn(ADA)).status, 200)
  assert.equal((await other.whoami()).body.authenticator_assurance_level, 'aal1')
  assert.equal((await other.open('settings')).body.state, 'show_form')
})

test('SEC-59 SEC-60 no secret of a second factor can be read in the database, nor outlives its form', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'second-factor-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'identity.db')
  const identity = await createTestIdentity({ ...SECOND_FACTORS, dsn: file })
  await identity.person(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
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
  await identity.person(ADA)
  const browser = identity.browser()
  await browser.signIn(ADA)
  return { identity, browser, secret: await addTotp(identity, browser) }
}
