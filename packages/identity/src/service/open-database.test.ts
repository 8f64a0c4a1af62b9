import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { newDsn, openTestDatabase, testOn, testOnEach } from '../../test/kit/databases.ts'
import { METRICS } from '../metrics/catalogue.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { UNWATCHED } from '../storage/database-watch.ts'
import { openForMigration } from '../storage/db.ts'
import { migrations } from '../storage/migrations/migrate.ts'
import { diagnoseDatabase, migrateIdentity, type Opening, openConfigured } from './open-database.ts'

const folder = mkdtempSync(join(tmpdir(), 'identity-open-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const how: Opening = {
  now: () => new Date('2031-04-02T09:00:00.000Z'),
  metrics: createMetrics(METRICS),
  log: { debug() {}, info() {}, warn() {}, error() {} },
  watch: UNWATCHED,
  warn: assert.fail,
  secrets: { default: ['a'.repeat(32)], cookie: [], cipher: [], pagination: [] },
}

test('FLT-06 explains why the database is not writable at startup', async () => {
  const path = join(folder, 'held.sqlite')
  const first = await openConfigured(path, how)
  await first.db.destroy()
  const other = new DatabaseSync(path)
  other.exec('begin immediate')
  await assert.rejects(
    openConfigured(`${path}?_busy_timeout=1`, { ...how, inUse: true }),
    /^ConfigError: dsn: the database cannot be opened: (database is locked|The database is unavailable\. Please try again\.)$/,
  )
  other.close()
})

test('warns of another server on the same file until that one has stopped', async () => {
  const path = join(folder, 'shared.sqlite')
  const first = await openConfigured(path, how)
  const warnings: string[] = []
  const second = await openConfigured(path, { ...how, warn: (sentence) => warnings.push(sentence) })
  assert.match(warnings.join(), /^another server used .*shared\.sqlite within the last minute\. .* stop it/)
  for (const { db, replica } of [first, second]) {
    await replica.leave()
    await db.destroy()
  }
  await (await openConfigured(path, how)).db.destroy()
})

test('FLT-12 warns of a clock that was set back since the last use', async () => {
  const path = join(folder, 'future.sqlite')
  const { now: _, ...machine } = how
  const machineClock = () => new Date(Date.now() + 3_600_000)
  await (await openConfigured(path, { ...machine, machineClock })).db.destroy()
  const warnings: string[] = []
  const warn = (sentence: string) => warnings.push(sentence)
  await (await openConfigured(path, { ...machine, warn })).db.destroy()
  assert.match(warnings.join('\n'), /^the database was last used in the future, at \d.*\. Correct the clock/m)
})

testOnEach('FLT-25 a refused database stays as it is', async () => {
  const dsn = await newDsn({ empty: true })
  const refused = { name: 'Error', message: /is empty, not the one that was used here before$/ }
  await assert.rejects(openConfigured(dsn, { ...how, installation: 'lost' }), refused)
  await assert.rejects(migrateIdentity(dsn, { installation: 'lost' }), refused)
  const { pending, installation } = await diagnoseDatabase(dsn, { deep: false })
  assert.deepEqual([pending, installation], [Object.keys(migrations), undefined])
})

testOn('PostgreSQL', 'names a standby at the start', async () => {
  const dsn = await newDsn({ empty: true })
  const db = await openTestDatabase(dsn)
  const name = new URL(dsn).pathname.slice(1)
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(db)
  await assert.rejects(openConfigured(dsn, how), /accepts no writes, as on a standby\. Use .* primary$/)
})

testOn('PostgreSQL', 'FLT-41 names the step that opens the database', async () => {
  const dsn = await newDsn({ empty: true })
  const of = async (change: Partial<URL>) => {
    const { href } = Object.assign(new URL(dsn), change)
    const refusal = await openConfigured(href, how).then(() => 'opened', String)
    assert.equal(
      await diagnoseDatabase(href, { deep: false, migrates: true }).then(() => 'opened', String),
      refusal,
    )
    return refusal
  }
  assert.match(await of({ port: '1' }), /ECONNREFUSED.*\. Start its server, or correct its host and port$/)
  assert.match(await of({ pathname: '/none' }), /does not exist\. Create it with `create database`/)
  assert.match(
    await of({ username: 'nobody_here' }),
    /\. Correct its user and password, or create that role$/,
  )
  const db = await openForMigration(dsn)
  const role = `lodger_${new URL(dsn).pathname.slice(1)}`
  await sql`create role ${sql.id(role)} login`.execute(db)
  assert.match(
    await of({ username: role }),
    /permission denied for schema public\. Run `alter database "\w+" owner to "lodger_\w+"`, or `grant create/,
  )
  await sql`drop role ${sql.id(role)}`.execute(db)
  await db.destroy()
})

testOnEach('FLT-41 names a table of another program', async () => {
  const dsn = await newDsn({ empty: true, shared: true })
  const other = await openForMigration(dsn)
  await sql`create table sessions (sid text)`.execute(other)
  const refused = /it has a table sessions of another program\. Name an empty database$/
  await assert.rejects(openConfigured(dsn, how), refused)
  await assert.rejects(diagnoseDatabase(dsn, { deep: false, migrates: true }), refused)
  await other.destroy()
})
