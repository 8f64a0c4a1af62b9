import assert from 'node:assert/strict'
import { type ColumnMetadata, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { atEnd, newDsn, openTestDatabase, testOnEach as test } from '../../../test/kit/databases.ts'
import { createTestIdentity } from '../../../test/kit/kit.ts'
import { UNWATCHED } from '../database-watch.ts'
import { type Db, migrateDatabase, openDatabase } from '../db.ts'
import { isPostgresDsn } from '../postgres/dsn.ts'
import { openForMigration } from '../postgres/postgres.ts'
import { openSqlite } from '../sqlite/sqlite.ts'
import { migrate, migrations, PendingMigrations } from './migrate.ts'

const NOW = '2020-04-02T09:00:00.000Z'
const names = Object.keys(migrations)
const newest = names.at(-1)!

const EXPANDING: Migration = {
  async up(db: Kysely<unknown>) {
    const tables = await db.introspection.getTables()
    await db.schema
      .createTable('novelties')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .execute()
    for (const { name } of tables) {
      await db.schema.alterTable(name).addColumn('novelty', 'text').execute()
      await db.schema
        .alterTable(name)
        .addColumn('novelties', 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
    }
  },
}
const NEXT = { ...migrations, '9998-expands': EXPANDING }

test('FLT-24 names missing migrations if it may not apply them', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  await assert.rejects(openDatabase(dsn, { migrates: false }), (error) => {
    assert.ok(error instanceof PendingMigrations)
    assert.match(error.message, new RegExp(`lacks ${names.length} migrations? \\(${names.join(', ')}\\)`))
    return true
  })
  assert.deepEqual(await migrateDatabase(dsn), names)
  assert.deepEqual(await migrateDatabase(dsn), [])
  const db = await openDatabase(dsn, { migrates: false })
  await db.destroy()
})

test('FLT-24 runs on the tables of the next version', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  assert.deepEqual(await migrate(open(dsn), { known: NEXT }), Object.keys(NEXT))
  const identity = await createTestIdentity({ dsn })
  assert.equal((await identity.browser().register('new@example.com')).status, 200)
  const browser = identity.browser()
  assert.equal((await browser.signIn('new@example.com')).status, 200)
  assert.equal((await browser.whoami()).status, 200)
})

test("FLT-24 applies its own migration to a newer version's tables", async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  const db = open(dsn)
  await migrate(db)
  await record(db, '9998-adds-a-table')
  await record(db, `9999-drops-a-table-after-${newest.slice(0, 4)}`)
  const known = { ...migrations, '5000-expands': EXPANDING }
  assert.deepEqual(await migrate(db, { known }), ['5000-expands'])
  assert.deepEqual(await migrateDatabase(dsn), [])
})

test("FLT-24 refuses a newer version's tables that lack what it needs", async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  await record(await openTestDatabase(dsn), '9999-drops-a-table-after-9998')
  await assert.rejects(
    openDatabase(dsn),
    /^Error: a newer version has removed what this one needs \(9999-drops-a-table-after-9998\): start that/,
  )
})

test('refuses tables from before the first release and explains the export', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  const db = await openTestDatabase(dsn)
  await sql`delete from kysely_migration`.execute(db)
  for (const name of ['0001-first-release', '0002-canonical-identifiers']) await record(db, name)
  for (const migrates of [true, false])
    await assert.rejects(
      openDatabase(dsn, { migrates }),
      /^Error: a version before the first release created it: export the accounts with that version, then import them with this one/,
    )
})

test('names a migration that fails, and one that was renamed', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  const crews: Migration = {
    async up(db: Kysely<unknown>) {
      await db.schema.createTable('crews').addColumn('id', 'text').execute()
    },
  }
  await migrate(open(dsn), { product: { '0001-crews': crews } })
  await assert.rejects(
    migrate(open(dsn), { product: { '0002-crews': crews } }),
    /^Error: the migration product\/0002-crews failed \(.*crews.* exists\)\. product\/0001-crews was applied here and is no longer listed/,
  )
  await assert.rejects(
    migrate(open(dsn), { product: { '0001-crews': crews, '0002-crews': crews } }),
    /^Error: the migration product\/0002-crews failed \(.*crews.* exists\)\. Nothing of it was kept/,
  )
})

test('FLT-24 a migration that waits too long fails with a clear message', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  const other = open(dsn)
  await migrate(other)
  await other.transaction().execute(async (other) => {
    await sql`update kysely_migration set timestamp = timestamp`.execute(other)
    if (isPostgresDsn(dsn)) await sql`lock table kysely_migration`.execute(other)
    const waiting = migrate(open(dsn), { patience: 1, known: NEXT })
    await assert.rejects(waiting, /another process migrates it, or holds a lock/)
  })
  assert.deepEqual(await migrate(other, { known: NEXT }), ['9998-expands'])
})

test('FLT-24 a migration only adds, so the previous version still works', async () => {
  const db = open(await newDsn({ shared: true, empty: true }))
  const steps = Object.entries(NEXT).filter(([name]) => !/-after-\d{4}$/.test(name))
  const known: Record<string, Migration> = {}
  for (const [name, migration] of steps) {
    const before = await columnsOf(db)
    known[name] = migration
    await migrate(db, { known })
    assertExpanded(name, before, await columnsOf(db))
  }
})

type Columns = ReadonlyMap<string, ColumnMetadata>

function assertExpanded(name: string, before: Columns, after: Columns): void {
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

async function columnsOf(db: Db): Promise<Columns> {
  const tables = await db.introspection.getTables()
  return new Map(
    tables.flatMap(({ name, columns }) => columns.map((one) => [`${name}.${one.name}`, one] as const)),
  )
}

function open(dsn: string): Db {
  const db = isPostgresDsn(dsn) ? openForMigration(dsn) : openSqlite(dsn, UNWATCHED)
  atEnd(() => db.destroy())
  return db
}

async function record(db: Db, name: string): Promise<void> {
  await sql`insert into kysely_migration (name, timestamp) values (${name}, ${NOW})`.execute(db)
}
