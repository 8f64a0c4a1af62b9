import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { type Db, withTransaction } from '../../../src/storage/db.ts'
import { type FlowAnswer, verificationIn } from '../../../src/testing/answers.ts'
import { type Browser, PASSWORD } from '../../../src/testing/clients.ts'
import { newDsn, openTestDatabase, test, testOn } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity, userSchema } from '../../kit/kit.ts'
import { ADA, EVE, undoChange } from '../../kit/recovery-kit.ts'
import { until } from '../../kit/until.ts'

const WORK = 'ada@work.example'
const FLOWS = { settings: { after: { profile: { hooks: [{ hook: 'verify_new_address' }] } } } }
const ROLES = { verification: { via: 'email' }, recovery: { via: 'email' } }
const EMAIL = {
  type: 'string',
  format: 'email',
  'ory.sh/kratos': { ...ROLES, credentials: { password: { identifier: true } } },
}
const NAME = { type: 'string', 'ory.sh/kratos': { credentials: { password: { identifier: true } } } }
const BACKUP = { type: 'string', format: 'email', 'ory.sh/kratos': { recovery: { via: 'email' } } }
const PHONE = {
  type: 'string',
  format: 'tel',
  'ory.sh/kratos': { verification: { via: 'sms' }, recovery: { via: 'sms' } },
}

test("SEC-86 a removed address's owner can restore all", async () => {
  for (const addressee of [ADA, WORK]) {
    const { identity, browser } = await signedIn({ emails: [ADA, WORK] })
    for (const email of [ADA, WORK]) await prove(identity, browser, email)
    await change(identity, browser, { emails: [EVE] }, EVE)
    await undoChange(identity, addressee)
    const [{ traits, verifiable_addresses }] = (await identity.admin('GET', '/admin/identities')).body
    assert.deepEqual(traits, { emails: [ADA, WORK] })
    assert.ok(verifiable_addresses.every(({ verified }: { verified: boolean }) => verified))
  }
})

test('the data of an account has the former address while it can be restored', async () => {
  const { identity, browser } = await signedIn({ email: ADA })
  await prove(identity, browser, ADA)
  await change(identity, browser, { email: EVE }, EVE)
  const { body: session } = await browser.whoami()
  const answer = await identity.account.exportAll(session.id)
  assert.ok(answer.kind === 'exported')
  const [{ address, old_address, done_at } = {}, ...others] = answer.data.address_changes
  assert.deepEqual([address, old_address, typeof done_at, others], [EVE, ADA, 'string', []])
})

test('SEC-86 notifies remaining addresses', async () => {
  const { identity, browser } = await signedIn({ emails: [ADA, WORK] })
  for (const email of [ADA, WORK]) await prove(identity, browser, email)
  await change(identity, browser, { emails: [ADA, WORK, EVE] }, EVE)
  await change(identity, browser, { emails: [ADA, 'third@example.com'] }, 'third@example.com')
  await browser.submit(await browser.open('settings'), {
    method: 'profile',
    traits: { emails: [ADA, 'third@example.com'], phone: '+4915112345678' },
  })
  assert.deepEqual(await noticesTo(identity, ADA), [
    'An email address or phone number was added to your account (identity.test)',
    'The email address of your account was changed (identity.test)',
    'An email address or phone number was added to your account (identity.test)',
  ])
})

test('SEC-86 an undo removes recent addresses and their recovery', async () => {
  const { identity, browser } = await signedIn({ email: ADA })
  await prove(identity, browser, ADA)
  identity.advance(30 * 60_000)
  await change(identity, await again(identity, ADA), { email: ADA, emails: [EVE] }, EVE)
  const attacker = await again(identity, ADA)
  const traits = { email: 'third@example.com', emails: [EVE], phone: '+4915112345678' }
  await change(identity, attacker, traits, 'third@example.com')
  await undoChange(identity, ADA)
  const [account] = (await identity.admin('GET', '/admin/identities')).body
  assert.deepEqual(account.traits, { email: ADA, emails: [] })
  assert.deepEqual(
    account.recovery_addresses.map(({ value }: { value: string }) => value),
    [ADA],
  )
})

test('SEC-86 a recovery cancels a pending address', async () => {
  const { identity, browser } = await signedIn({ email: ADA })
  await prove(identity, browser, ADA)
  const saved = await browser.submit(await browser.open('settings'), {
    method: 'profile',
    traits: { email: EVE },
  })
  const owner = identity.browser()
  const form = await owner.submit(await owner.open('recovery'), { method: 'code', email: ADA })
  await owner.submit(form, { method: 'code', code: await identity.code(ADA) })
  await enterCode(identity, browser, saved, EVE)
  assert.equal((await owner.whoami()).body.identity.traits.email, ADA)
})

testOn('PostgreSQL', 'SEC-132 a sign-up during the change does not prevent its undo', async () => {
  const { identity, browser, dsn } = await signedIn({ email: ADA })
  await prove(identity, browser, ADA)
  const saved = await browser.submit(await browser.open('settings'), {
    method: 'profile',
    traits: { email: EVE },
  })
  const attacker = identity.browser()
  const form = await attacker.open('registration')
  const db = await openTestDatabase(dsn)
  const requests = await withTransaction(db, async (holder) => {
    await sql`lock table address_changes in share row exclusive mode`.execute(holder)
    const changing = enterCode(identity, browser, saved, EVE)
    await until(() => isWaiting(db, 'address_changes'))
    const traits = { email: ADA }
    const signingUp = attacker.submit(form, { method: 'password', password: PASSWORD, traits })
    await until(() => isWaiting(db, 'addresses'))
    return [changing, signingUp]
  })
  await Promise.all(requests)
  await undoChange(identity, ADA)
  const [{ traits }] = (await identity.admin('GET', '/admin/identities')).body
  assert.deepEqual(traits, { email: ADA })
})

test('SEC-119 an address that is only for recovery waits for its code', async () => {
  const { identity, browser } = await signedIn({ email: ADA })
  await prove(identity, browser, ADA)
  const traits = { email: ADA, backup: EVE }
  await browser.submit(await browser.open('settings'), { method: 'profile', traits })
  assert.deepEqual((await browser.whoami()).body.identity.traits, { email: ADA })
  await change(identity, browser, traits, EVE)
  assert.deepEqual((await browser.whoami()).body.identity.traits, traits)
})

test('SEC-119 its owner learns of changes, and can undo its removal', async () => {
  const { identity, browser } = await signedIn({ name: 'ada', backup: ADA })
  await browser.submit(await browser.open('settings'), { method: 'password', password: 'another oak bench' })
  await change(identity, browser, { name: 'ada', backup: EVE }, EVE)
  assert.equal((await noticesTo(identity, ADA)).length, 1)
  await undoChange(identity, ADA)
  const [{ traits }] = (await identity.admin('GET', '/admin/identities')).body
  assert.deepEqual(traits, { name: 'ada', backup: ADA })
})

async function isWaiting(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql`select pid from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and query ~ ${`^(insert into|delete from) "${table}" `}`.execute(db)
  return rows.length > 0
}

async function signedIn(traits: object): Promise<{ identity: TestIdentity; browser: Browser; dsn: string }> {
  const properties = {
    email: EMAIL,
    emails: { type: 'array', items: EMAIL },
    phone: PHONE,
    name: NAME,
    backup: BACKUP,
  }
  const schema = { ...userSchema, properties: { traits: { type: 'object', properties } } }
  const dsn = await newDsn()
  const identity = await createTestIdentity({
    dsn,
    selfservice: { flows: FLOWS },
    security: { notices: { enabled: true } },
    identity: { schemas: [{ id: 'default', schema }] },
  })
  const browser = identity.browser()
  await browser.submit(await browser.open('registration'), { method: 'password', password: PASSWORD, traits })
  return { identity, browser, dsn }
}

async function again(identity: TestIdentity, email: string): Promise<Browser> {
  const browser = identity.browser()
  assert.equal((await browser.signIn(email)).status, 200)
  return browser
}

async function prove(identity: TestIdentity, browser: Browser, email: string): Promise<void> {
  const form = await browser.submit(await browser.open('verification'), { method: 'code', email })
  const done = await browser.submit(form, { method: 'code', code: await identity.code(email) })
  assert.equal(done.body.state, 'passed_challenge')
}

async function change(identity: TestIdentity, browser: Browser, traits: object, email: string) {
  const saved = await browser.submit(await browser.open('settings'), { method: 'profile', traits })
  const done = await enterCode(identity, browser, saved, email)
  assert.equal(done.body.state, 'passed_challenge', JSON.stringify(done.body.ui.messages))
}

async function enterCode(identity: TestIdentity, browser: Browser, saved: FlowAnswer, email: string) {
  const form: FlowAnswer = await browser.get(
    `/self-service/verification/flows?id=${verificationIn(saved)?.id}`,
  )
  return await browser.submit(form, { method: 'code', code: await identity.code(email) })
}

async function noticesTo(identity: TestIdentity, email: string): Promise<string[]> {
  const mails = (await identity.mails(email)).filter((mail) => mail.template_type === 'security_notice')
  return mails.map(({ subject }) => subject).reverse()
}
