import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { openDatabase } from './db.ts'
import { insertError } from './errors.ts'

const folder = mkdtempSync(join(tmpdir(), 'identity-storage-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const NOW = '2031-04-02T09:00:00.000Z'

test('an object is refused where it would be taken for named parameters', async () => {
  const db = await openDatabase('memory')
  const wrong = insertError(db, 'a', { message: 'x' }, new Date() as unknown as string)
  await assert.rejects(wrong, /cannot bind/)
})

test('a writer waits for another process without holding the event loop, then goes on', async () => {
  const path = join(folder, 'busy.sqlite')
  const db = await openDatabase(path)
  const other = new DatabaseSync(path)
  other.exec('begin immediate')
  const write = insertError(db, 'a', { message: 'x' }, NOW)
  let turns = 0
  const ticking = setInterval(() => turns++, 5)
  setTimeout(() => other.exec('commit'), 200)
  await write
  clearInterval(ticking)
  other.close()
  await db.destroy()
  assert.ok(turns >= 3, `the event loop turned ${turns} times only`)
})

test('what was committed is there after the database is opened again, in WAL and synchronous FULL', async () => {
  const path = join(folder, 'again.sqlite')
  const db = await openDatabase(path)
  await insertError(db, 'a', { message: 'x' }, NOW)
  await db.destroy()
  const raw = new DatabaseSync(path)
  assert.deepEqual({ ...raw.prepare('pragma journal_mode').get() }, { journal_mode: 'wal' })
  assert.equal(raw.prepare('select count(*) as n from errors').get()?.n, 1)
  raw.close()
})
