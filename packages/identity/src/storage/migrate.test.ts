import assert from 'node:assert/strict'
import type { ColumnMetadata } from 'kysely'
import { Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { atEnd, newDsn, openTestDatabase, testOnEach as test } from '../../test/databases.ts'
import type { Db } from './db.ts'
import { migrateDatabase, openDatabase } from './db.ts'
import { findError, insertError } from './errors.ts'
import { findSignUp } from './identities/sign-ups.ts'
import { migrate, PendingMigrations } from './migrate.ts'
import { migrations } from './migrations/all.ts'
import { isPostgresDsn } from './postgres/dsn.ts'
import { migratingDialect } from './postgres/postgres.ts'
import { sqliteDialect } from './sqlite/sqlite.ts'
import type { Tables } from './tables.ts'
import { UNWATCHED } from './watched-driver.ts'

const NOW = '2020-04-02T09:00:00.000Z'
const names = Object.keys(migrations)
/** From here on the previous release must still run, while replicas are replaced one by one. */
const FIRST_EXPANDING = '0011'

test('FLT-24 a start that may not migrate refuses an older database and names what is missing', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  await migrateUntil(dsn, names.length - 1)
  await assert.rejects(openDatabase(dsn, { migrates: false }), (error) => {
    assert.ok(error instanceof PendingMigrations)
    assert.equal(error.message, `The database lacks 1 migrations (${names.at(-1)})`)
    return true
  })
  assert.deepEqual(await migrateDatabase(dsn), [names.at(-1)])
  assert.deepEqual(await migrateDatabase(dsn), [])
  const db = await openDatabase(dsn, { migrates: false })
  await db.destroy()
})

test('FLT-24 this version runs on the tables of a newer one that only added something', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  await migrateUntil(dsn, names.length - 1)
  const db = open(dsn)
  await record(db, '9998-adds-a-table')
  await record(db, `9999-drops-a-table-after-${names.at(-1)!.slice(0, 4)}`)
  // Its own pending migration is applied although the newer version came first.
  const replica = await openTestDatabase(dsn)
  await insertError(replica, 'a', { message: 'x' }, NOW)
  assert.ok(await findError(replica, 'a'))
})

test('FLT-24 the tables of a newer version that removed what this one needs are refused, by name', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  await record(await openTestDatabase(dsn), '9999-drops-a-table-after-9998')
  await assert.rejects(
    openDatabase(dsn),
    /^Error: a newer version has removed what this one needs \(9999-drops-a-table-after-9998\): start that/,
  )
})

test('FLT-24 a migration that waits too long for the lock of another process fails with a sentence', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  await migrateUntil(dsn, names.length - 1)
  const other = open(dsn)
  await other.transaction().execute(async (other) => {
    await sql`update kysely_migration set timestamp = timestamp`.execute(other)
    if (isPostgresDsn(dsn)) await sql`lock table kysely_migration`.execute(other)
    await assert.rejects(migrate(open(dsn), 1), /another process migrates it, or holds a lock/)
  })
  assert.deepEqual(await migrateDatabase(dsn), [names.at(-1)])
})

test('FLT-24 a migration only adds: what the previous version reads and writes is as it was', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  const db = open(dsn)
  for (const [index, name] of names.entries()) {
    if (name < FIRST_EXPANDING || /-after-\d{4}$/.test(name)) continue
    await migrateUntil(dsn, index)
    const before = await columnsOf(db)
    await migrateUntil(dsn, index + 1)
    const after = await columnsOf(db)
    for (const [column, was] of before) {
      const is = after.get(column)
      assert.ok(is, `${name} removes ${column}`)
      assert.equal(is.dataType, was.dataType, `${name} changes the type of ${column}`)
      assert.ok(is.isNullable || !was.isNullable, `${name} makes ${column} required`)
    }
    const oldTables = new Set([...before.keys()].map((column) => column.split('.')[0]))
    for (const [column, { isNullable, hasDefaultValue }] of after) {
      const isAdded = !before.has(column) && oldTables.has(column.split('.')[0])
      assert.ok(
        !isAdded || isNullable || hasDefaultValue,
        `${name}: the previous version does not write ${column}`,
      )
    }
  }
})

test('SEC-83 an account that was changed before first proofs were recorded counts as proven', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  const db = open(dsn)
  await migrateUntil(dsn, names.indexOf('0023-proven-sign-ups'))
  const [early, late] = [NOW, '2021-04-02T09:00:00.000Z']
  for (const [id, updated_at] of Object.entries({ changed: late, untouched: early })) {
    await sql`
      insert into identities (id, schema_id, traits, state, available_aal, created_at, updated_at)
      values (${id}, 'default', '{}', 'active', 'aal1', ${early}, ${updated_at})
    `.execute(db)
    await sql`insert into sign_ups (identity_id, browsers) values (${id}, '[]')`.execute(db)
  }
  await migrateUntil(dsn, names.length)
  assert.equal((await findSignUp(db, 'changed'))?.proven, true)
  assert.equal((await findSignUp(db, 'untouched'))?.proven, false)
})

async function columnsOf(db: Db): Promise<Map<string, ColumnMetadata>> {
  const tables = await db.introspection.getTables()
  return new Map(
    tables.flatMap(({ name, columns }) => columns.map((one) => [`${name}.${one.name}`, one] as const)),
  )
}

/** Applies the first migrations only: the database of an older version. */
async function migrateUntil(dsn: string, count: number): Promise<void> {
  const provider = {
    getMigrations: async () => Object.fromEntries(Object.entries(migrations).slice(0, count)),
  }
  const { error } = await new Migrator({ db: open(dsn), provider }).migrateToLatest()
  if (error) throw error
}

function open(dsn: string): Db {
  const db = new Kysely<Tables>({
    dialect: isPostgresDsn(dsn) ? migratingDialect(dsn) : sqliteDialect(dsn, UNWATCHED),
  })
  atEnd(() => db.destroy())
  return db
}

async function record(db: Db, name: string): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${NOW})`.execute(db)
}
