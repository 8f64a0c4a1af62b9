import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { openForReading } from '../src/storage/db.ts'
import { atEnd, newDsn, openTestDatabase, testOn } from './kit/databases.ts'
import { createTestIdentity } from './kit/kit.ts'

testOn('PostgreSQL', 'FLT-38 a second role replaces the first, as docs/operations.md describes', async () => {
  const dsn = new URL(await newDsn({ empty: true }))
  const database = dsn.pathname.slice(1)
  const [first, second] = [`${database}_role`, `${database}_role_2`]
  const maintenance = new URL(dsn)
  maintenance.pathname = '/postgres'
  const server = await openAsOperator(maintenance.href)
  const run = (statement: string) => sql.raw(statement).execute(server)
  await run(`create role ${first} login password 'old'`)
  await run(`alter database ${database} owner to ${first}`)
  const as = (role: string) => Object.assign(new URL(dsn), { username: role }).href
  const before = await createTestIdentity({ dsn: as(first) })
  await before.user('ada@example.com')
  await run(`create role ${second} login password 'new' in role ${first}`)
  await run(`alter role ${second} set role ${first}`)
  const after = await createTestIdentity({ dsn: as(second) }, { now: before.now })
  await run(`alter role ${first} password null`)
  assert.equal((await after.browser().signIn('ada@example.com')).status, 200)
  assert.equal((await after.browser().register('eve@example.com')).status, 200)
  assert.equal(await after.isReady(), true)
  await Promise.all([before.stop(), after.stop()])
  // A new table belongs to the first role, so that either may migrate.
  const db = await openTestDatabase(as(second))
  await sql`create table made_later (id integer)`.execute(db)
  const { rows } = await sql<{ tableowner: string }>`
    select tableowner from pg_tables where tablename = 'made_later'`.execute(db)
  assert.deepEqual(rows, [{ tableowner: first }])
})

async function openAsOperator(dsn: string) {
  const db = await openForReading(dsn)
  atEnd(() => db.destroy())
  return db
}
