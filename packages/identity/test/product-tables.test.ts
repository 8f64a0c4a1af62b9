import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { migrateIdentity } from '../src/index.ts'
import { diagnoseDatabase, openProductDatabase, PendingMigrations } from '../src/operating.ts'
import { verificationIn } from '../src/testing/answers.ts'
import { newDsn, testOnEach as test, testOn } from './kit/databases.ts'
import { createTestIdentity, type TestIdentity, VERIFIED_ONLY } from './kit/kit.ts'
import { createLinks, insertLink, listLinks, readlist } from './kit/readlist.ts'
import { until } from './kit/until.ts'

const ADA = 'ada@example.com'
const EVE = 'eve@example.com'
const DAY_MS = 86_400_000

test('refuses to start without the tables of the product and names the missing migrations', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  await migrateIdentity(dsn)
  await assert.rejects(createTestIdentity({ dsn }, { ...readlist, migrates: false }), (error) => {
    assert.ok(error instanceof PendingMigrations)
    assert.equal(error.message, 'The database lacks 1 migration (product/0001-links)')
    return true
  })
  assert.deepEqual(await migrateIdentity(dsn, { product: readlist.migrations }), ['product/0001-links'])
  assert.deepEqual(await migrateIdentity(dsn, { product: readlist.migrations }), [])
  const identity = await createTestIdentity({ dsn }, { ...readlist, migrates: false })
  assert.deepEqual(await listLinks(identity.db), [])
})

test('FLT-24 replicas that start together create the tables of the product once', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  const replicas = await Promise.all([1, 2, 3].map(() => createTestIdentity({ dsn }, readlist)))
  const id = await makeUser(replicas[0]!, ADA)
  for (const { db } of replicas) await insertLink(db, id, 'https://example.com/')
  assert.equal((await listLinks(replicas[0]!.db)).length, 3)
})

test('starts on the tables of the next release of the product', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  await migrateIdentity(dsn, { product: { ...readlist.migrations, '0002-next': { up: async () => {} } } })
  assert.deepEqual(await listLinks((await createTestIdentity({ dsn }, readlist)).db), [])
})

testOn('PostgreSQL', 'returns a time in UTC, and infinity as text', async () => {
  const { db } = await createTestIdentity()
  const { rows } = await sql`select timestamptz '2031-04-02 09:00:00.12+05:30' as time,
    timestamptz 'infinity' as never`.execute(db)
  assert.deepEqual(rows, [{ time: '2031-04-02T03:30:00.120Z', never: 'infinity' }])
})

test('deletes rows of the product with every kind of account deletion', async () => {
  const identity = await createTestIdentity(
    {
      ...VERIFIED_ONLY,
      dsn: await newDsn({ empty: true }),
      retention: { unverified_accounts: '168h' },
      limits: { registration: 'off' },
    },
    readlist,
  )
  const removed = await makeUser(identity, 'removed@example.com')
  await insertLink(identity.db, removed, 'https://example.com/removed')
  const browser = await identity.signedIn(ADA)
  const session = (await browser.whoami()).body
  await insertLink(identity.db, session.identity.id, 'https://example.com/ada')
  await identity.browser().register('forgotten@example.com')
  await insertLink(
    identity.db,
    await idOf(identity, 'forgotten@example.com'),
    'https://example.com/forgotten',
  )
  await insertLink(identity.db, await makeUser(identity, EVE), 'https://example.com/eve')

  assert.equal((await identity.admin('DELETE', `/admin/identities/${removed}`)).status, 204)
  assert.equal((await identity.admin('DELETE', `/admin/identities/${removed}`)).status, 404)
  assert.equal((await identity.account.requestDeletion(session.id)).kind, 'scheduled')
  identity.advance(15 * DAY_MS)
  identity.start()
  await until(async () => (await listLinks(identity.db)).length === 1)
  assert.deepEqual(await listLinks(identity.db), ['https://example.com/eve'])
})

test('deletes the rows of an account whose address its owner claims', async () => {
  const profile = { hooks: [{ hook: 'verify_new_address' }] }
  const identity = await createTestIdentity(
    {
      dsn: await newDsn({ empty: true }),
      selfservice: { flows: { settings: { after: { profile } } } },
    },
    readlist,
  )
  await identity.browser().register(ADA)
  await insertLink(identity.db, await idOf(identity, ADA), 'https://example.com/planted')
  const browser = await identity.signedIn(EVE)
  const settings = await browser.open('settings')
  const sent = await browser.submit(settings, { method: 'profile', traits: { email: ADA } })
  const form = await browser.get(`/self-service/verification/flows?id=${verificationIn(sent)?.id}`)
  await browser.submit(form, { method: 'code', code: await identity.code(ADA) })
  assert.deepEqual(await listLinks(identity.db), [])
  assert.equal((await browser.whoami()).body.identity.traits.email, ADA)
})

test('keeps account and rows if the rows of the product cannot be deleted', async () => {
  const failing = async () => {
    throw new Error('not now')
  }
  const accountData = { ...readlist.accountData, delete: failing }
  const identity = await createTestIdentity(
    { dsn: await newDsn({ empty: true }) },
    { ...readlist, accountData },
  )
  const id = await makeUser(identity, ADA)
  await insertLink(identity.db, id, 'https://example.com/')
  assert.equal((await identity.admin('DELETE', `/admin/identities/${id}`)).status, 500)
  assert.equal((await identity.admin('GET', `/admin/identities/${id}`)).status, 200)
  assert.deepEqual(await listLinks(identity.db), ['https://example.com/'])
})

test('exports the rows of the product with the data of their owner only', async () => {
  const identity = await createTestIdentity({ dsn: await newDsn({ empty: true }) }, readlist)
  const { body: session } = await (await identity.signedIn(ADA)).whoami()
  await insertLink(identity.db, session.identity.id, 'https://example.com/ada')
  await insertLink(identity.db, await makeUser(identity, EVE), 'https://example.com/eve')
  const answer = await identity.account.exportAll(session.id)
  assert.ok(answer.kind === 'exported' && 'product' in answer.data)
  assert.deepEqual(answer.data.product, { links: ['https://example.com/ada'] })
})

test('opens a database of the product alone, without tables of accounts', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  const how = { migrations: { '0001-links': createLinks() } }
  await assert.rejects(openProductDatabase(dsn, { ...how, migrates: false }), PendingMigrations)
  const inspect = () => diagnoseDatabase(dsn, { deep: false, known: {}, product: how.migrations })
  assert.deepEqual((await inspect()).pending, ['product/0001-links'])
  const { db, isReady, stop } = await openProductDatabase(dsn, how)
  assert.equal(await isReady(), true)
  assert.deepEqual((await inspect()).pending, [])
  await insertLink(db, 'an id from elsewhere', 'https://example.com/')
  assert.deepEqual(await listLinks(db), ['https://example.com/'])
  const tables = (await db.introspection.getTables()).map(({ name }) => name)
  assert.deepEqual(
    tables.filter((name) => !name.startsWith('product_')),
    ['links'],
  )
  await stop()
  await assert.rejects(isReady())
})

async function makeUser(identity: TestIdentity, email: string): Promise<string> {
  await identity.user(email)
  return await idOf(identity, email)
}

async function idOf(identity: TestIdentity, email: string): Promise<string> {
  const { body } = await identity.admin('GET', `/admin/identities?credentials_identifier=${email}`)
  return body[0].id
}
