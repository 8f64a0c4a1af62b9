import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { until } from '../../../test/kit/until.ts'
import { UNWATCHED } from '../database-watch.ts'
import { openDatabase, withTransaction } from '../db.ts'
import { findError, insertError } from '../flows/flows.ts'
import { createHeartbeat, ensureInstallation } from '../installation.ts'

const folder = mkdtempSync(join(tmpdir(), 'identity-storage-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Requests would time out on a busy machine. */
const PATIENTLY = '?_busy_timeout=120000'

const NOW = '2031-04-02T09:00:00.000Z'

test('rejects an object that SQLite would read as named parameters', async () => {
  const db = await openDatabase('memory')
  const wrong = insertError(db, 'a', { message: 'x' }, new Date() as unknown as string)
  await assert.rejects(wrong, /cannot bind/)
})

test('a writer waits for another process without blocking the event loop', async () => {
  const path = join(folder, 'busy.sqlite')
  const db = await openDatabase(path + PATIENTLY)
  const other = new DatabaseSync(path)
  other.exec('begin immediate')
  const write = insertError(db, 'a', { message: 'x' }, NOW)
  for (let turns = 0; turns < 5; turns++) await sleep(5)
  other.exec('commit')
  await write
  other.close()
  await db.destroy()
})

test('sets the writer timeout from the dsn', async () => {
  const path = join(folder, 'patience.sqlite')
  const [patient, brief] = [
    await openDatabase(path + PATIENTLY),
    await openDatabase(`${path}?_busy_timeout=1`),
  ]
  const other = new DatabaseSync(path)
  other.exec('begin immediate')
  const waiting = insertError(patient, 'a', { message: 'x' }, NOW)
  await assert.rejects(insertError(brief, 'b', { message: 'x' }, NOW), /database is unavailable/)
  other.exec('commit')
  await waiting
  other.close()
  await brief.destroy()
  await patient.destroy()
})

test('keeps committed rows, in WAL and synchronous FULL', async () => {
  const path = join(folder, 'again.sqlite')
  const db = await openDatabase(path)
  await insertError(db, 'a', { message: 'x' }, NOW)
  await db.destroy()
  const raw = new DatabaseSync(path)
  assert.deepEqual({ ...raw.prepare('pragma journal_mode').get() }, { journal_mode: 'wal' })
  assert.equal(raw.prepare('select count(*) as n from errors').get()?.n, 1)
  raw.close()
})

test('FLT-04 reads and the event loop continue while another process holds the lock', async () => {
  const path = join(folder, 'read.sqlite')
  const db = await openDatabase(path + PATIENTLY)
  await insertError(db, 'a', { message: 'x' }, NOW)
  const other = new DatabaseSync(path)
  other.exec('begin exclusive')
  const write = insertError(db, 'b', { message: 'x' }, NOW)
  for (let reads = 0; reads < 100; reads += 1) {
    assert.ok(await findError(db, 'a'))
    await turn()
  }
  assert.equal(await findError(db, 'b'), undefined)
  other.exec('commit')
  await write
  other.close()
  await db.destroy()
})

test('FLT-04 times out queued writers together', async () => {
  const path = join(folder, 'queue.sqlite')
  const db = await openDatabase(path)
  const other = new DatabaseSync(path)
  other.exec('begin immediate')
  const started = performance.now()
  const ended: number[] = []
  const writes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      insertError(db, `${index}`, { message: 'x' }, NOW).finally(() => ended.push(performance.now())),
    ),
  )
  other.close()
  await insertError(db, 'later', { message: 'x' }, NOW)
  await db.destroy()
  for (const one of writes)
    assert.match(String(one.status === 'rejected' && one.reason), /database is unavailable/)
  // In sequence, each would wait as long as the first.
  const [first = 0, last = 0] = [ended[0], ended.at(-1)].map((at = 0) => at - started)
  assert.ok(last < 5 * first, `the first one waited ${first} ms, the last one ${last} ms`)
})

test("hides a transaction's writes until commit", async () => {
  const db = await openDatabase(join(folder, 'commit.sqlite'))
  await withTransaction(db, async (inner) => {
    await insertError(inner, 'a', { message: 'x' }, NOW)
    assert.ok(await findError(inner, 'a'))
    assert.equal(await findError(db, 'a'), undefined)
  })
  assert.ok(await findError(db, 'a'))
  await db.destroy()
})

test('FLT-25 refuses a truncated file, and a damaged one after a crash', async () => {
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
  // Other workers skip the check of the whole file.
  await (await openDatabase(path, { inUse: true })).destroy()
})

test('FLT-01 loses nothing when killed during a checkpoint', async () => {
  const path = join(folder, 'growing.sqlite')
  await (await openDatabase(path)).destroy()
  const before = readFileSync(path)
  const db = await openDatabase(path)
  for (let id = 0; id < 50; id += 1) await insertError(db, `${id}`, { message: 'x'.repeat(5000) }, NOW)
  const log = readFileSync(`${path}-wal`)
  await db.destroy()
  const header = readFileSync(path).subarray(0, 4096)
  writeFileSync(path, Buffer.concat([header, before.subarray(4096)]))
  writeFileSync(`${path}-wal`, log)
  const again = await openDatabase(path)
  for (let id = 0; id < 50; id += 1) assert.ok(await findError(again, `${id}`))
  await again.destroy()
})

test('is not ready while the disk rejects writes, then recovers', async () => {
  const path = join(folder, 'heartbeat.sqlite')
  const db = await openDatabase(path)
  const id = await ensureInstallation(db, 'one', NOW)
  let seconds = 0
  const { assertWritable } = createHeartbeat(
    {
      ...{ db, id, clock: { now: () => new Date(NOW), assertRight: async () => {} }, writePath: UNWATCHED },
      assertInPlace() {},
    },
    () => seconds * 1000,
  )
  const refusal = () =>
    assertWritable().then(
      () => '',
      (error: Error) => error.message,
    )
  await until(async () => (await refusal()) === '')
  const other = new DatabaseSync(path)
  other.exec('begin immediate')
  seconds += 1
  // A waiting write has not failed yet.
  await assertWritable()
  seconds += 3
  assert.notEqual(await refusal(), '')
  other.exec('commit')
  await until(async () => (await refusal()) === '')
  await db.deleteFrom('installation').execute()
  seconds += 1
  await until(async () => /another database/.test(await refusal()))
  other.close()
  await db.destroy()
})
