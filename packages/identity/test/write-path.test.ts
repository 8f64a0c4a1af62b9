import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import type { Db } from '../src/storage/db.ts'
import { newDsn, openTestDatabase, testOn } from './kit/databases.ts'
import { createTestIdentity, type TestIdentity } from './kit/kit.ts'

// The conditions that PostgreSQL raises when it cannot extend or read a file.
for (const [condition, cause] of [
  ['disk_full', 'disk_full'],
  ['io_error', 'io'],
  ['data_corrupted', 'damaged'],
] as const)
  for (const table of ['identities', 'flows', 'limits', 'messages'])
    testOn('PostgreSQL', `FLT-36 is not ready while inserts into ${table} fail: ${condition}`, async () => {
      const { identity, db } = await withOperator({ empty: true })
      await sql`create function fail() returns trigger language plpgsql as
        ${sql.lit(`begin raise ${condition}; end`)}`.execute(db)
      assert.equal((await register(identity)).status, 200)
      await sql`create trigger failing before insert on ${sql.table(table)} execute function fail()`.execute(
        db,
      )
      assert.ok((await register(identity)).status >= 500)
      for (let times = 0; times < 2; times += 1) await assertReady(identity, false)
      assert.ok((await failuresBy(identity, cause)) > 0)
      await sql`drop trigger failing on ${sql.table(table)}`.execute(db)
      await assertReady(identity, true)
      assert.equal((await register(identity)).status, 200)
    })

testOn('SQLite', 'FLT-36 is not ready once another file is in the place of the database', async () => {
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ dsn })
  const file = dsn.replace(/\?.*/, '')
  await assertReady(identity, true)
  renameSync(file, `${file}.moved`)
  await assertReady(identity, false)
  writeFileSync(file, '')
  await assertReady(identity, false)
  renameSync(`${file}.moved`, file)
  await assertReady(identity, true)
})

for (const mode of ['access exclusive', 'share'])
  testOn('PostgreSQL', `FLT-36 is not ready while a table is locked: ${mode}`, async () => {
    const { identity, db } = await withOperator({ hasty: true })
    const locked = Promise.withResolvers<void>()
    const over = Promise.withResolvers<void>()
    const lock = db.transaction().execute(async (db) => {
      await sql`lock table identities in ${sql.raw(mode)} mode`.execute(db)
      locked.resolve()
      await over.promise
    })
    await locked.promise
    await assertReady(identity, true)
    assert.equal((await register(identity)).status, 503)
    await assertReady(identity, false)
    assert.ok((await failuresBy(identity, 'lock')) > 0)
    over.resolve()
    await lock
    await assertReady(identity, true)
    assert.equal((await register(identity)).status, 200)
  })

testOn('PostgreSQL', 'FLT-36 stays ready while one row is locked', async () => {
  const { identity, db } = await withOperator({ hasty: true })
  await identity.user('ada@example.com')
  const [ada] = (await identity.admin('GET', '/admin/identities')).body
  await db.transaction().execute(async (db) => {
    await sql`select 1 from identities where id = ${ada.id} for update`.execute(db)
    assert.equal((await identity.admin('DELETE', `/admin/identities/${ada.id}`)).status, 503)
    await assertReady(identity, true)
  })
})

testOn('SQLite', 'FLT-36 is not ready once a write reads a damaged page', async () => {
  const path = await newDsn({ shared: true })
  const identity = await createTestIdentity({ dsn: path })
  assert.equal((await register(identity)).status, 200)
  damage(path.replace(/\?.*/, ''), 'credential_identifiers')
  assert.ok((await register(identity)).status >= 500)
  await assertReady(identity, false)
  assert.ok((await failuresBy(identity, 'damaged')) > 0)
})

testOn('SQLite', 'FLT-36 an invalid value is no failure of the database', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const made = await identity.admin('POST', '/admin/identities', { traits: { email: 'ada@example.com' } })
  assert.equal(made.status, 409)
  const { text } = await identity.metrics.expose()
  assert.doesNotMatch(text, /^identity_database_failures_total\{.*\} [1-9]/m)
  await assertReady(identity, true)
})

async function withOperator(
  options: Parameters<typeof newDsn>[0],
): Promise<{ identity: TestIdentity; db: Db }> {
  const dsn = await newDsn(options)
  const identity = await createTestIdentity({ dsn })
  return { identity, db: await openTestDatabase(dsn) }
}

let people = 0

async function register(identity: TestIdentity) {
  const app = identity.app()
  const form = await app.open('registration')
  if (form.status !== 200) return form
  people += 1
  const traits = { email: `user-${people}@example.com` }
  return await app.submit(form, { method: 'password', password: 'a long passphrase', traits })
}

async function assertReady(identity: TestIdentity, expected: boolean): Promise<void> {
  // A fresh result is reused for a second.
  const deadline = performance.now() + 10_000
  while ((await identity.isReady()) !== expected && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20))
  assert.equal(await identity.isReady(), expected)
}

async function failuresBy({ metrics }: TestIdentity, cause: string): Promise<number> {
  const { text } = await metrics.expose()
  return Number(
    new RegExp(`^identity_database_failures_total\\{cause="${cause}"\\} (\\d+)`, 'm').exec(text)?.[1],
  )
}

function damage(path: string, table: string): void {
  const database = new DatabaseSync(path)
  database.exec('pragma wal_checkpoint(truncate)')
  const { rootpage } = database.prepare('select rootpage from sqlite_master where name = ?').get(table) as {
    rootpage: number
  }
  const { page_size } = database.prepare('pragma page_size').get() as { page_size: number }
  database.close()
  assert.ok(readFileSync(path).length >= rootpage * page_size)
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(page_size, 0xff), 0, page_size, (rootpage - 1) * page_size)
  closeSync(file)
}
