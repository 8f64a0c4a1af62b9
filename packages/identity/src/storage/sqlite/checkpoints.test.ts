import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase, testOnEach } from '../../../test/kit/databases.ts'
import { openDatabase } from '../db.ts'
import { insertError } from '../errors.ts'
import { beginCheckpoints } from './checkpoints.ts'

const folder = mkdtempSync(join(tmpdir(), 'identity-checkpoints-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('FLT-22 writes during a threaded checkpoint stay in the log', async () => {
  const path = join(folder, 'checkpoints.sqlite')
  const db = await openDatabase(path)
  const checkpoints = await beginCheckpoints(db)
  try {
    await insertError(db, 'large', { message: 'a large error'.repeat(300_000) }, '2031-04-02T09:00:00.000Z')
    assert.ok(!readFileSync(path).includes('a large error'))
    await checkpoints.next()
    assert.ok(readFileSync(path).includes('a large error'))
    await checkpoints.next()
  } finally {
    await checkpoints.end()
  }
  const { rows } = await sql`pragma wal_autocheckpoint`.execute(db)
  assert.deepEqual(rows, [{ wal_autocheckpoint: 500 }])
  await db.destroy()
})

testOnEach('starts no thread for a database without a log', async () => {
  const checkpoints = await beginCheckpoints(await openTestDatabase())
  await checkpoints.next()
  await checkpoints.end()
})
