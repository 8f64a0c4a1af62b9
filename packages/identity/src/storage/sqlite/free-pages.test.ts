import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase, testOnEach } from '../../../test/kit/databases.ts'
import type { Db } from '../db.ts'
import { openDatabase } from '../db.ts'
import { returnFreePages } from './free-pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'free-pages-'))
after(() => rmSync(folder, { recursive: true }))

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
