import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { atEnd, newDsn, openTestDatabase, testOn } from '../../../test/kit/databases.ts'
import { idOf } from '../../../test/kit/ids.ts'
import { migrateDatabase, openDatabase } from '../db.ts'
import { listIdentities } from '../identities/identity-lists.ts'
import { migrate } from '../migrations/migrate.ts'
import { openForMigration } from './postgres.ts'
import { buildSearchIndexes, hasSearchIndexes } from './search-indexes.ts'

const ID = idOf('ada')
const test = (name: string, run: () => Promise<void>) => testOn('PostgreSQL', name, run)

test('builds the indexes for a search once when replicas start together', async () => {
  const dsn = await newDsn({ empty: true })
  const replicas = await Promise.all(
    Array.from({ length: 4 }, () => openDatabase(dsn, { warn: assert.fail })),
  )
  for (const db of replicas) {
    assert.ok(await hasSearchIndexes(db))
    await db.destroy()
  }
})

test('migrating rebuilds an index that was left half built', async () => {
  const dsn = await newDsn({ empty: true })
  const db = openForMigration(dsn)
  atEnd(() => db.destroy())
  await migrate(db)
  const other = openForMigration(dsn)
  atEnd(() => other.destroy())
  await other.transaction().execute(async (other) => {
    await sql`lock table addresses in row exclusive mode`.execute(other)
    await assert.rejects(buildSearchIndexes(db, 1), /holds a lock on its tables/)
  })
  const left = await sql`select 1 from pg_index where not indisvalid`.execute(db)
  assert.equal(left.rows.length, 1)
  assert.equal(await hasSearchIndexes(db), false)
  assert.deepEqual(await migrateDatabase(dsn, { warn: assert.fail }), [])
  assert.ok(await hasSearchIndexes(db))
})

test('a role that may not create the extension gets a warning and can still search', async () => {
  const dsn = new URL(await newDsn({ empty: true }))
  const owner = openForMigration(dsn.href)
  atEnd(() => owner.destroy())
  const name = `role_${dsn.pathname.slice(1)}`
  const role = sql.id(name)
  await sql`create role ${role} login`.execute(owner)
  atEnd(() => sql`drop role ${role}`.execute(owner))
  atEnd(() => sql`drop owned by ${role}`.execute(owner))
  await sql`grant create on schema public to ${role}`.execute(owner)
  dsn.username = name
  const warnings: string[] = []
  await (await openDatabase(dsn.href, { warn: (sentence) => warnings.push(sentence) })).destroy()
  assert.match(
    warnings.join(),
    /^search .* is slow, .* \(permission denied .*\)\. Run "create extension .* pg_trgm" as/,
  )
  const db = await openTestDatabase(dsn.href)
  await sql`insert into identities (id, schema_id, traits, state, available_aal, created_at, updated_at)
    values (${ID}, '', '{}', 'active', 'aal1', now(), now())`.execute(db)
  await sql`insert into addresses (id, identity_id, purpose, via, value, status, created_at, updated_at)
    values (${ID}, ${ID}, 'recovery', 'email', 'ada@example.com', 'pending', now(), now())`.execute(db)
  const [found] = await listIdentities(db, { similar_identifiers: ['da@exam'] }, { limit: 1 })
  assert.equal(found?.id, ID)
})
