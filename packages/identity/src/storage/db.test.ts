import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { newDsn, openTestDatabase, testOnEach as test } from '../../test/kit/databases.ts'
import { idOf } from '../../test/kit/ids.ts'
import { withTransaction } from './db.ts'
import { findError, insertError } from './flows/flows.ts'
import { migrations } from './migrations/migrate.ts'

const NOW = '2031-04-02T09:00:00.000Z'
const error = { message: 'x' }

test('rolls back failed work', async () => {
  const db = await openTestDatabase()
  const failing = withTransaction(db, async (db) => {
    await insertError(db, idOf('a'), error, NOW)
    throw new Error('no')
  })
  await assert.rejects(failing, /^Error: no$/)
  assert.equal(await findError(db, idOf('a')), undefined)
})

test('joins the open transaction', async () => {
  const db = await openTestDatabase()
  await withTransaction(db, (db) => withTransaction(db, (db) => insertError(db, idOf('a'), error, NOW)))
  assert.ok(await findError(db, idOf('a')))
})

test('FLT-24 creates tables once when replicas start together', async () => {
  const dsn = await newDsn({ shared: true, empty: true })
  const replicas = await Promise.all(Array.from({ length: 4 }, () => openTestDatabase(dsn)))
  const [first, ...others] = replicas
  await insertError(first!, idOf('a'), error, NOW)
  for (const other of others) assert.ok(await findError(other, idOf('a')))
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(first!)
  assert.equal(rows.length, Object.keys(migrations).length)
})
