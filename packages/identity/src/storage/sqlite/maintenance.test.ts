import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase, testOnEach } from '../../../test/kit/databases.ts'
import { type Db, openDatabase } from '../db.ts'
import { insertError } from '../flows/flows.ts'
import { beginCheckpoints, returnFreePages } from './maintenance.ts'

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

test('FLT-31 the next checkpoint works after a failed one', { timeout: 10_000 }, async () => {
  const place = mkdtempSync(join(folder, 'moved-'))
  const db = await openDatabase(join(place, 'failing.sqlite'))
  const checkpoints = await beginCheckpoints(db)
  renameSync(place, `${place}-away`)
  await assert.rejects(checkpoints.next(), /unable to open database file/)
  renameSync(`${place}-away`, place)
  await checkpoints.next()
  await checkpoints.end()
  await db.destroy()
})

testOnEach('starts no thread for a database without a log', async () => {
  const checkpoints = await beginCheckpoints(await openTestDatabase())
  await checkpoints.next()
  await checkpoints.end()
})

test('shrinks the file in short steps after deletions', async () => {
  const path = join(folder, 'new.sqlite')
  const full = await fill(path)
  const db = await openDatabase(path)
  await deleteMost(db)
  let steps = 1
  while (await returnFreePages(db)) steps += 1
  assert.ok(steps > 10, `${steps} steps`)
  const left = await db.selectFrom('flows').select('id').execute()
  await db.destroy()
  assert.equal(left.length, 20)
  assert.ok(statSync(path).size < full / 3, `${statSync(path).size} of ${full} bytes`)
  const file = new DatabaseSync(path)
  assert.equal(file.prepare('pragma integrity_check').get()?.integrity_check, 'ok')
  file.close()
})

test('does not shrink a file created without incremental vacuum', async () => {
  const path = join(folder, 'old.sqlite')
  const old = new DatabaseSync(path)
  old.exec('create table of_before (id text)')
  old.close()
  const full = await fill(path)
  const db = await openDatabase(path)
  await deleteMost(db)
  assert.equal(await returnFreePages(db), false)
  await db.destroy()
  assert.equal(statSync(path).size, full)
})

testOnEach('keeps pages that the next rows need', async () => {
  const db = await openTestDatabase()
  await sql`delete from flows`.execute(db)
  assert.equal(await returnFreePages(db), false)
})

async function fill(path: string): Promise<number> {
  const db = await openDatabase(path)
  await sql`
    insert into flows (id, kind, identity_id, expires_at, version, body)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 2000)
    select 'flow-' || n, 'login', null, '2031-04-02T09:00:00.000Z', 0, printf('%.2000c', 'x') from numbers`.execute(
    db,
  )
  await db.destroy()
  return statSync(path).size
}

async function deleteMost(db: Db): Promise<void> {
  await sql`delete from flows where rowid % 100 > 0`.execute(db)
}
