import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, withTransaction } from './db.ts'
import { findError, insertError } from './errors.ts'
import { createHeartbeat, ensureInstallation } from './installation.ts'

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

test('FLT-04 while another process holds the lock, reading goes on and the event loop is free', async () => {
  const path = join(folder, 'read.sqlite')
  const db = await openDatabase(path)
  await insertError(db, 'a', { message: 'x' }, NOW)
  const other = new DatabaseSync(path)
  other.exec('begin exclusive')
  const write = insertError(db, 'b', { message: 'x' }, NOW)
  // All of these are answered while the other process keeps the lock.
  for (let reads = 0; reads < 100; reads += 1) {
    assert.ok(await findError(db, 'a'))
    await sleep(1)
  }
  assert.equal(await findError(db, 'b'), undefined)
  other.exec('commit')
  await write
  other.close()
  await db.destroy()
})

test('FLT-04 writers that wait behind one another are told together that nothing can be saved', async () => {
  const path = join(folder, 'queue.sqlite')
  const db = await openDatabase(path)
  const other = new DatabaseSync(path)
  other.exec('begin immediate')
  const started = performance.now()
  const writes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) => insertError(db, `${index}`, { message: 'x' }, NOW)),
  )
  const waited = performance.now() - started
  other.close()
  await insertError(db, 'later', { message: 'x' }, NOW)
  await db.destroy()
  for (const one of writes)
    assert.match(String(one.status === 'rejected' && one.reason), /database is unavailable/)
  assert.ok(waited < 6000, `the last one waited ${Math.round(waited)} ms`)
})

test('what a transaction has written is read by others only once it is committed', async () => {
  const db = await openDatabase(join(folder, 'commit.sqlite'))
  await withTransaction(db, async (inner) => {
    await insertError(inner, 'a', { message: 'x' }, NOW)
    assert.ok(await findError(inner, 'a'))
    assert.equal(await findError(db, 'a'), undefined)
  })
  assert.ok(await findError(db, 'a'))
  await db.destroy()
})

test('FLT-25 half a file is refused, and so is a damaged one after an unclean end', async () => {
  const path = join(folder, 'half.sqlite')
  const db = await openDatabase(path)
  for (let id = 0; id < 50; id += 1) await insertError(db, `${id}`, { message: 'x'.repeat(500) }, NOW)
  await db.destroy()
  const whole = readFileSync(path)
  writeFileSync(path, whole.subarray(0, whole.length / 2))
  await assert.rejects(openDatabase(path), /is truncated: .* Restore it from a backup/)
  const damaged = Buffer.from(whole)
  damaged.fill(0xff, damaged.length - 8192, damaged.length - 4096)
  writeFileSync(path, damaged)
  writeFileSync(`${path}-wal`, 'left by a process that was killed')
  await assert.rejects(openDatabase(path), /is damaged .*Restore it from a backup/)
})

test('the service is not ready while the disk takes no writes, and is again as soon as it does', async () => {
  const path = join(folder, 'heartbeat.sqlite')
  const db = await openDatabase(path)
  const id = await ensureInstallation(db, 'one', NOW)
  const { assertWritable } = createHeartbeat(db, id, () => new Date(NOW))
  await assertWritable()
  const other = new DatabaseSync(path)
  other.exec('begin immediate')
  await sleep(1100)
  // A write that waits for a lock is no failure yet.
  await assertWritable()
  await sleep(3000)
  await assert.rejects(assertWritable())
  other.exec('commit')
  await sleep(600)
  await assertWritable()
  await db.deleteFrom('installation').execute()
  await sleep(1100)
  await assert.rejects(assertWritable(), /another database/)
  other.close()
  await db.destroy()
})
