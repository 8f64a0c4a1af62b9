import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { CompiledQuery } from 'kysely'
import { ProtocolError } from '../../errors/errors.ts'
import { PATIENCE_MS } from './retry.ts'
import { createWriters, type SqliteWriter } from './writers.ts'

test('FLT-20 stores many concurrent statements in order with few commits', async () => {
  const { database, writers, statements } = opened()
  const ids = Array.from({ length: 40 }, (_, index) => index)
  await Promise.all(ids.map((id) => writers.run(insert(id))))
  assert.deepEqual(stored(database), ids)
  assert.equal(statements.filter((sql) => sql === 'commit').length, 1)
})

test('FLT-20 yields to the event loop after a few milliseconds', async () => {
  const { writers, advance } = opened()
  const over = new AbortController()
  let inThisTurn = 0
  let most = 0
  const turn = () => {
    inThisTurn = 0
    if (!over.signal.aborted) setImmediate(turn)
  }
  setImmediate(turn)
  const write = async () => {
    await writers.acquire()
    most = Math.max(most, ++inThisTurn)
    advance(2)
    writers.release()
  }
  await Promise.all(Array.from({ length: 100 }, write))
  over.abort()
  assert.equal(most, 3)
})

test("resolves a statement after the shared commit, and keeps a transaction's place", async () => {
  const { writers, statements } = opened()
  const told: string[] = []
  const note = (name: string) => () => told.push(`${name} after ${statements.at(-1)}`)
  const begun = writers.acquire().then(() => {
    note('transaction')()
    writers.release()
  })
  const first = [1, 2].map((id) => writers.run(insert(id)).then(note(`${id}`)))
  const second = writers.acquire().then(() => {
    note('transaction')()
    writers.release()
  })
  await Promise.all([begun, ...first, second])
  assert.deepEqual(told, [
    'transaction after undefined',
    '1 after commit',
    '2 after commit',
    'transaction after commit',
  ])
})

test('a constraint violation fails alone', async () => {
  const { database, writers } = opened()
  const results = await Promise.allSettled([1, 2, 2, 3].map((id) => writers.run(insert(id))))
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(stored(database), [1, 2, 3])
})

test('FLT-04 a full disk fails the whole commit with 503, and later statements succeed', async () => {
  const { database, writers } = opened()
  database.exec('pragma max_page_count = 10')
  const results = await Promise.allSettled([
    writers.run(insert(1)),
    writers.run(CompiledQuery.raw('insert into rows (id, body) values (2, zeroblob(1000000))')),
    writers.run(insert(3)),
  ])
  assert.deepEqual(stored(database), [3])
  assert.deepEqual(
    results.map((result) => result.status === 'rejected' && isUnavailable(result.reason)),
    [true, true, false],
  )
  await writers.run(insert(4))
  assert.deepEqual(stored(database), [3, 4])
})

test('FLT-21 reports the delay of the next writer', async () => {
  const { writers, advance } = opened()
  assert.equal(writers.delay(), 0)
  await writers.acquire()
  const waiting = writers.run(insert(1))
  advance(20)
  assert.equal(writers.delay(), 20)
  writers.release()
  await waiting
  assert.equal(writers.delay(), 0)
})

function opened() {
  // Zero would look like a turn that has just begun.
  let now = 1000
  const database = new DatabaseSync(':memory:')
  database.exec('create table rows (id integer primary key, body blob)')
  const statements: string[] = []
  const recorded: SqliteWriter = {
    close: () => database.close(),
    setDurable() {},
    run({ sql }) {
      statements.push(sql)
      return { rows: [], numAffectedRows: BigInt(database.prepare(sql).run().changes) }
    },
  }
  return {
    database,
    statements,
    writers: createWriters(
      () => recorded,
      () => {},
      PATIENCE_MS,
      () => now,
    ),
    advance(milliseconds: number) {
      now += milliseconds
    },
  }
}

function insert(id: number): CompiledQuery {
  return CompiledQuery.raw(`insert into rows (id) values (${id})`)
}

function stored(database: DatabaseSync): unknown[] {
  return database
    .prepare('select id from rows order by rowid')
    .all()
    .map(({ id }) => id)
}

function isUnavailable(error: unknown): boolean {
  return error instanceof ProtocolError && error.parts.status === 503
}
