import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { atEnd, newDsn, openTestDatabase, testOn } from '../../../test/kit/databases.ts'
import { idOf } from '../../../test/kit/ids.ts'
import { until } from '../../../test/kit/until.ts'
import { startProxy } from '../../../test/servers/proxy.ts'
import { ProtocolError } from '../../errors/errors.ts'
import { UNWATCHED } from '../database-watch.ts'
import { type Db, openDatabase, withTransaction } from '../db.ts'
import { findError, insertError } from '../flows/flows.ts'
import { takeLimits } from '../limits.ts'
import { findSessionByToken } from '../sessions/sessions.ts'
import { openPostgres } from './postgres.ts'

const NOW = '2031-04-02T09:00:00.000Z'
const error = { message: 'x' }
const test = (name: string, run: () => Promise<void>) => testOn('PostgreSQL', name, run)

test('FLT-03 returns 503 with Retry-After when connections close, then recovers', async () => {
  const { db, operator } = await withOperator()
  let over = false
  const failures: unknown[] = []
  const stored: string[] = []
  const writer = async (name: string) => {
    for (let n = 0; !over; n += 1) {
      const id = idOf(`${name}-${n}`)
      await withTransaction(db, (db) => insertError(db, id, error, NOW)).then(
        () => stored.push(id),
        (failure: unknown) => failures.push(failure),
      )
    }
  }
  const writers = Array.from({ length: 8 }, (_, n) => writer(`w${n}`))
  for (let times = 0; times < 3 || failures.length === 0; times += 1) {
    await sleep(60)
    await endConnections(operator)
  }
  await sleep(60)
  over = true
  await Promise.all(writers)
  for (const failure of failures) assertPassing(failure)
  await findError(db, idOf('none'))
  const { rows } = await sql<{ id: string }>`select id from errors`.execute(db)
  const kept = new Set(rows.map(({ id }) => id))
  assert.deepEqual(
    stored.filter((id) => !kept.has(id)),
    [],
  )
})

test('FLT-03 survives a connection that breaks within a transaction', async () => {
  const { db, operator } = await withOperator()
  const broken = afterBreak(db, operator, (db) => insertError(db, idOf('b'), error, NOW))
  assertPassing(await broken.catch((failure: unknown) => failure))
  assert.equal(await findError(db, idOf('a')), undefined)
})

test('FLT-03 times out when the server is silent, even while waiting for a connection', async () => {
  const { db } = await withSilentServer()
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => findError(db, idOf('none'))))
  for (const one of asked) assertPassing(one.status === 'rejected' && one.reason)
})

test('FLT-03 refuses callers immediately while the server is silent, then recovers', async () => {
  const { db, proxy } = await withSilentServer()
  for (let call = 0; call < 100; call += 1)
    assertPassing(await findError(db, idOf('none')).catch((failure: unknown) => failure))
  // At most one call per half second reaches the server.
  assert.ok(proxy.unheard() < 50, `${proxy.unheard()} of 100 calls waited for the server`)
  proxy.speakAgain()
  await until(() => succeeds(findError(db, idOf('none'))))
})

test('FLT-03 writes succeed from the second one after a read-only phase', async () => {
  const { db, operator } = await withOperator(await newDsn({ empty: true }))
  await setReadOnly(operator, true)
  // Existing connections can still write.
  await endConnections(operator)
  await findError(db, idOf('none')).catch(() => undefined)
  assertPassing(await insertError(db, idOf('a'), error, NOW).catch((failure: unknown) => failure))
  await Promise.all(Array.from({ length: 5 }, () => findError(db, idOf('none'))))
  await setReadOnly(operator, false)
  await insertError(db, idOf('b'), error, NOW).catch(() => undefined)
  const writes = Array.from({ length: 8 }, (_, n) => insertError(db, idOf(`c${n}`), error, NOW))
  await Promise.all(writes)
})

test('FLT-03 a failed rollback does not hide the cause', async () => {
  const { db, operator } = await withOperator()
  const refused = afterBreak(db, operator, () => Promise.reject(new Error('the reason')))
  await assert.rejects(refused, /^Error: the reason$/)
  assert.equal(await findError(db, idOf('a')), undefined)
})

test('fails a statement that waits too long for a lock', async () => {
  const dsn = await newDsn({ hasty: true })
  const other = await openTestDatabase(dsn)
  const db = impatient(dsn, { statement: 300 })
  await insertError(other, idOf('a'), error, NOW)
  await withTransaction(other, async (other) => {
    await other.updateTable('errors').set({ body: '{}' }).execute()
    const waiting = db.updateTable('errors').set({ body: '[]' }).execute()
    assertPassing(await waiting.catch((failure: unknown) => failure))
  })
})

test('the server ends an idle transaction', async () => {
  const dsn = await newDsn({ empty: true, hasty: true })
  const operator = await openTestDatabase(dsn)
  const db = impatient(dsn, { idle: 300 })
  const stuck = withTransaction(db, async (db) => {
    await insertError(db, idOf('a'), error, NOW)
    await until(async () => (await sql`select from ${OTHERS}`.execute(operator)).rows.length === 0)
    await insertError(db, idOf('b'), error, NOW)
  })
  assertPassing(await stuck.catch((failure: unknown) => failure))
  await insertError(db, idOf('a'), error, NOW)
})

test('completes two transactions that deadlock', async () => {
  const db = await openTestDatabase()
  await insertError(db, idOf('a'), error, NOW)
  await insertError(db, idOf('b'), error, NOW)
  const both = Promise.withResolvers<void>()
  let runs = 0
  let held = 0
  const cross = (first: string, second: string) =>
    withTransaction(db, async (db) => {
      runs += 1
      await touch(db, first)
      held += 1
      if (held === 2) both.resolve()
      await both.promise
      await touch(db, second)
    })
  const touch = (db: Db, id: string) =>
    db.updateTable('errors').set({ updated_at: NOW }).where('id', '=', id).execute()
  await Promise.all([cross(idOf('a'), idOf('b')), cross(idOf('b'), idOf('a'))])
  // On a busy machine one may lose twice.
  assert.ok(runs >= 3, `${runs} runs`)
})

test('repeats a statement after a conflict', async () => {
  const db = await openTestDatabase(await newDsn({ empty: true }))
  await sql`create sequence attempts`.execute(db)
  await sql`create function refuse_once() returns trigger language plpgsql as $$ begin
    if nextval('attempts') = 1 then raise exception using errcode = '40001'; end if; return new; end $$`.execute(
    db,
  )
  await sql`create trigger refuse_once before insert on errors
    for each row execute function refuse_once()`.execute(db)
  await insertError(db, idOf('a'), error, NOW)
  assert.ok(await findError(db, idOf('a')))
})

test('treats a value too long for an index as a client error', async () => {
  const db = await openTestDatabase()
  const long = Array.from({ length: 3000 }, (_, n) => (n * 7919).toString(36)).join('')
  const failure = await takeLimits(db, [{ key: long, burst: 1, refill: 1 }], 0).catch(
    (failure: unknown) => failure,
  )
  assert.ok(failure instanceof ProtocolError)
  assert.equal(failure.parts.status, 400)
})

test('FLT-24 an interrupted migration leaves nothing behind and completes later', async () => {
  const whole = await shapeOf(await openTestDatabase())
  for (const statement of [0, 1, 4, 11, 20, 28]) {
    const dsn = await newDsn({ empty: true, hasty: true })
    const proxy = await startProxy(Number(new URL(dsn).port))
    atEnd(() => proxy.stop())
    proxy.cutAfter('create ', statement)
    await assert.rejects(openDatabase(through(proxy.port, dsn)))
    assert.deepEqual(await shapeOf(await openTestDatabase(dsn)), whole)
  }
})

test('fails immediately if no server is running', async () => {
  const failure = await openDatabase('postgres://ada:secret@127.0.0.1:1/id').catch(
    (failure: Error) => failure,
  )
  assertPassing(failure)
  assert.match(String(failure.cause), /ECONNREFUSED/)
})

function assertPassing(failure: unknown): asserts failure is ProtocolError {
  assert.ok(failure instanceof ProtocolError, String(failure))
  assert.equal(failure.parts.status, 503)
  assert.equal(failure.parts.retryAfter, 1)
  assert.doesNotMatch(failure.message, /postgres|connection|secret/i)
}

async function withOperator(dsn?: string): Promise<{ db: Db; operator: Db }> {
  const both = dsn ?? (await newDsn({ hasty: true }))
  return { db: await openTestDatabase(both), operator: await openTestDatabase(both) }
}

function afterBreak(db: Db, operator: Db, work: (db: Db) => Promise<void>): Promise<void> {
  return withTransaction(db, async (db) => {
    await insertError(db, idOf('a'), error, NOW)
    await endConnections(operator)
    await sleep(50)
    await work(db)
  })
}

async function withSilentServer() {
  const dsn = await newDsn({ hasty: true })
  const proxy = await startProxy(Number(new URL(dsn).port))
  atEnd(() => proxy.stop())
  const db = impatient(through(proxy.port, dsn), { connect: 300, statement: 300 })
  await until(() => succeeds(findError(db, idOf('none'))))
  proxy.fallSilent()
  return { db, proxy }
}

const OTHERS = sql`pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`

async function endConnections(operator: Db): Promise<void> {
  await sql`select pg_terminate_backend(pid) from ${OTHERS}`.execute(operator)
}

async function setReadOnly(operator: Db, on: boolean): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(operator)
  const [{ name } = { name: '' }] = rows
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = ${sql.raw(on ? 'on' : 'off')}`.execute(
    operator,
  )
}

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}

/** A busy machine must not hit the other timeouts. */
function impatient(dsn: string, brief: { connect?: number; statement?: number; idle?: number }): Db {
  const patience = { connect: 60_000, statement: 60_000, idle: 60_000, ...brief }
  const db = openPostgres(dsn, UNWATCHED, { patience })
  atEnd(() => db.destroy())
  return db
}

function through(port: number, dsn: string): string {
  const url = new URL(dsn)
  url.port = String(port)
  return url.href
}

async function shapeOf(db: Db): Promise<unknown[]> {
  const columns = await sql`select table_name, column_name, data_type, collation_name, is_nullable
    from information_schema.columns where table_schema = 'public' order by 1, 2`.execute(db)
  const indexes = await sql`select indexname, indexdef from pg_indexes
    where schemaname = 'public' order by 1`.execute(db)
  return [columns.rows, indexes.rows]
}

test('FLT-21 finds a session while other work occupies all its connections', async () => {
  const db = await openTestDatabase(await withConnections(3))
  const waiting = await db.connection().execute(() =>
    db.connection().execute(async () => {
      const waiting = sql`select 1`.execute(db)
      await until(() => db.queueDelay('read') > 0)
      assert.equal(await findSessionByToken(db, 'unknown'), undefined)
      assert.equal(db.queueDelay('look-up'), 0)
      return { waiting }
    }),
  )
  await waiting.waiting
})

test('look-ups share the connections if there are two', async () => {
  const db = await openTestDatabase(await withConnections(2))
  await db.connection().execute(async () => {
    assert.equal(await findSessionByToken(db, 'unknown'), undefined)
  })
})

test('FLT-21 reports how long the next caller has waited', async () => {
  const db = await openTestDatabase(await withConnections(1))
  assert.equal(db.queueDelay('read'), 0)
  const next = await db.connection().execute(async () => {
    const next = sql`select 1`.execute(db)
    await until(() => db.queueDelay('read') > 50)
    return { ended: next }
  })
  await next.ended
  assert.equal(db.queueDelay('read'), 0)
})

async function withConnections(most: number): Promise<string> {
  const dsn = new URL(await newDsn({ hasty: true }))
  dsn.searchParams.set('max_conns', `${most}`)
  return dsn.href
}
