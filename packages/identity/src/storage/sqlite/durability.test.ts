import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { CompiledQuery } from 'kysely'
import { NOW, storedFlow } from '../../../test/kit/stored-flow.ts'
import { UNWATCHED } from '../database-watch.ts'
import { type Db, openDatabase, withTransaction } from '../db.ts'
import { insertError, insertFlow } from '../flows/flows.ts'
import { refundLimits, takeLimits } from '../limits.ts'
import { claimDueMessages } from '../messages.ts'
import { deleteOldRows } from '../old-rows.ts'
import { extendSession, touchSession } from '../sessions/sessions.ts'
import { sqliteDriver } from './driver.ts'
import { movePages } from './maintenance.ts'
import { databaseOf, fsyncSwitch } from './sqlite.ts'
import type { SqliteWriter } from './writers.ts'

const folder = mkdtempSync(join(tmpdir(), 'durability-'))
after(() => rmSync(folder, { recursive: true }))

const charge = { key: 'k', burst: 10, refill: 1000 }
test('skips the fsync only for repeatable statements', async () => {
  const { db, waits } = await opened('kinds.sqlite')
  assert.deepEqual(await waits(() => takeLimits(db, [charge], 0)), [false])
  assert.deepEqual(await waits(() => refundLimits(db, [charge])), [false])
  assert.deepEqual(await waits(() => insertFlow(db, storedFlow('a'), 'operator')), [false])
  assert.deepEqual(await waits(() => touchSession(db, { id: 'a', before: NOW, now: NOW })), [false])
  assert.deepEqual(await waits(() => extendSession(db, 'a', NOW)), [true])
  const claim = { type: 'email', now: NOW, leased_until: NOW, limit: 5 } as const
  assert.deepEqual(await waits(() => claimDueMessages(db, claim)), [false])
  assert.deepEqual(await waits(() => movePages(db, 1)), [false])
  assert.deepEqual(await waits(() => deleteOldRows(db, 'flows', NOW, 5)), [false])
  assert.deepEqual(await waits(() => deleteOldRows(db, 'messages', NOW, 5)), [false])
  assert.deepEqual(await waits(() => deleteOldRows(db, 'signing_keys', NOW, 5)), [false])
  assert.deepEqual(await waits(() => insertError(db, 'a', { message: 'x' }, NOW)), [true])
  const both = async (db: Db) => {
    await insertFlow(db, storedFlow('b'), 'operator')
    await takeLimits(db, [charge], 0)
  }
  assert.deepEqual(await waits(() => withTransaction(db, both)), [true])
})

test('keeps a durable statement durable in the same turn as forms', async () => {
  const { db, waits } = await opened('beside.sqlite')
  let queued: Promise<unknown> = Promise.resolve()
  const seen = await waits(async () => {
    await withTransaction(db, async () => {
      queued = Promise.all([
        insertFlow(db, storedFlow('a'), 'operator'),
        insertFlow(db, storedFlow('b'), 'operator'),
        insertError(db, 'a', { message: 'x' }, NOW),
        insertFlow(db, storedFlow('c'), 'operator'),
        insertError(db, 'b', { message: 'x' }, NOW),
      ])
      await turn()
    })
    await queued
  })
  // The transaction, two forms, the rest. A slow machine needs more commits.
  const kinds = seen.slice(1).filter((one, n, all) => one !== all[n - 1])
  assert.deepEqual([seen[0], ...kinds], [true, false, true])
})

/** Records whether each commit waits for the disk. */
async function opened(name: string) {
  const path = join(folder, name)
  await (await openDatabase(path)).destroy()
  const file = new DatabaseSync(path)
  after(() => file.close())
  let commits: boolean[] = []
  const connection: SqliteWriter = {
    close() {},
    setDurable: fsyncSwitch(file),
    run<Row>({ sql, parameters }: CompiledQuery) {
      const rows = file.prepare(sql).all(...(parameters as string[])) as Row[]
      if (!file.isTransaction) commits.push(file.prepare('pragma synchronous').get()?.synchronous === FULL)
      return { rows }
    },
  }
  const db = databaseOf(sqliteDriver(() => ({ writer: connection, reader: connection }), UNWATCHED))
  const waits = async (work: () => Promise<unknown>) => {
    commits = []
    await work()
    return commits
  }
  return { db, waits }
}

const FULL = 2
