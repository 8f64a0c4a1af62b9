import assert from 'node:assert/strict'
import { openTestDatabase, testOnEach as test } from '../../test/kit/databases.ts'
import { idOf, nameOf } from '../../test/kit/ids.ts'
import type { Db } from './db.ts'
import type { Message } from './messages.ts'
import { claimDueMessages, findMessage, finishMessage, insertMessage, listMessages } from './messages.ts'
import { deleteOldRows } from './old-rows.ts'

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString()

const message = (name: string, parts: Partial<Message> = {}): Message => ({
  id: idOf(name),
  status: 'queued',
  type: 'email',
  template_type: 'login_code_valid',
  recipient: 'ada@example.com',
  subject: 'sealed',
  body: 'sealed',
  html: 'sealed',
  send_count: 0,
  due_at: at(0),
  created_at: at(0),
  updated_at: at(0),
  ...parts,
})

const claim = (db: Db, now: number, until: number, limit: number) =>
  claimDueMessages(db, { type: 'email', now: at(now), leased_until: at(until), limit })

async function outbox(...messages: readonly Message[]) {
  const db = await openTestDatabase()
  for (const entry of messages) await insertMessage(db, entry)
  return db
}

const attempt = (name: string, message: string, error?: string) => ({
  id: idOf(name),
  message_id: idOf(message),
  status: error === undefined ? ('success' as const) : ('failed' as const),
  created_at: at(5),
  ...(error === undefined ? {} : { error }),
})

test('one worker claims a due message, within the requested limit', async () => {
  const db = await outbox(
    message('young', { created_at: at(2), due_at: at(2) }),
    message('old', { created_at: at(1), due_at: at(1) }),
    message('later', { due_at: at(100) }),
    message('gone', { status: 'sent' }),
    message('given up', { status: 'abandoned' }),
  )
  const claims = await Promise.all([claim(db, 3, 123, 1), claim(db, 3, 123, 1), claim(db, 3, 123, 1)])
  assert.deepEqual(claims.map(({ length }) => length).sort(), [0, 1, 1])
  const claimed = claims.flat().sort((a, b) => (a.id < b.id ? -1 : 1))
  assert.deepEqual(
    claimed.map(({ id, status, send_count }) => [nameOf(id), status, send_count]),
    [
      ['old', 'processing', 1],
      ['young', 'processing', 1],
    ],
  )
})

test('claims the oldest message first', async () => {
  const db = await outbox(message('young', { due_at: at(2) }), message('old', { due_at: at(1) }))
  const [first] = await claim(db, 3, 123, 1)
  assert.equal(first?.id, idOf('old'))
})

test("reclaims a dead worker's message when its lease expires", async () => {
  const db = await outbox(message('one'))
  await claim(db, 0, 120, 10)
  assert.deepEqual(await claim(db, 119, 239, 10), [])
  const [again] = await claim(db, 120, 240, 10)
  assert.equal(again?.send_count, 2)
})

test('a slow worker cannot complete a message that another has claimed', async () => {
  const db = await outbox(message('one'))
  const [slow] = await claim(db, 0, 120, 10)
  const [next] = await claim(db, 120, 240, 10)
  const requeue = { status: 'queued', due_at: at(130), send_count: 1 } as const
  assert.equal(await finishMessage(db, slow!, requeue, attempt('b', 'one', 'late')), false)
  assert.ok(await finishMessage(db, next!, { status: 'sent', send_count: 1 }, attempt('a', 'one')))
  const found = await findMessage(db, idOf('one'))
  assert.equal(found?.message.status, 'sent')
  assert.deepEqual(
    found?.attempts.map(({ id }) => nameOf(id)),
    ['a'],
  )
})

test('keeps a failed message queued with its reason', async () => {
  const db = await outbox(message('one', { expires_at: at(600) }))
  const [claimed] = await claim(db, 0, 120, 10)
  const end = { status: 'queued', due_at: at(9), send_count: 1 } as const
  await finishMessage(db, claimed!, end, attempt('a', 'one', 'try later'))
  assert.deepEqual(await findMessage(db, idOf('one')), {
    message: { ...message('one'), due_at: at(9), updated_at: at(5), send_count: 1, expires_at: at(600) },
    attempts: [attempt('a', 'one', 'try later')],
  })
  assert.deepEqual(await claim(db, 8, 128, 10), [])
  assert.equal((await claim(db, 9, 129, 10)).length, 1)
})

test('lists messages newest first across pages', async () => {
  const db = await outbox(
    message('a', { created_at: at(1) }),
    message('b', { created_at: at(2) }),
    message('c', { created_at: at(2), recipient: 'bob@example.com' }),
    message('d', { created_at: at(3), status: 'sent' }),
  )
  const ids = async (filter: Parameters<typeof listMessages>[1], page: Parameters<typeof listMessages>[2]) =>
    (await listMessages(db, filter, page)).map(({ id }) => nameOf(id))
  assert.deepEqual(await ids({}, { limit: 2 }), ['d', 'c'])
  assert.deepEqual(await ids({}, { limit: 2, after: [at(2), idOf('c')] }), ['b', 'a'])
  assert.deepEqual(await ids({ recipients: ['bob@example.com'] }, { limit: 9 }), ['c'])
  assert.deepEqual(await ids({ status: 'sent' }, { limit: 9 }), ['d'])
  assert.deepEqual(await ids({ status: 'sent', recipients: ['bob@example.com'] }, { limit: 9 }), [])
})

test('FLT-22 deletes old messages in batches, but no queued ones', async () => {
  const db = await outbox(
    message('one', { status: 'sent' }),
    message('two', { status: 'abandoned' }),
    message('three', { created_at: at(1) }),
    message('new', { status: 'sent', created_at: at(50) }),
  )
  const [claimed] = await claim(db, 1, 121, 10)
  await finishMessage(db, claimed!, { status: 'sent', send_count: 1 }, attempt('a', 'three'))
  await insertMessage(db, message('waiting'))
  assert.equal(await deleteOldRows(db, 'messages', at(50), 2), 2)
  assert.equal(await deleteOldRows(db, 'messages', at(50), 2), 1)
  assert.equal(await deleteOldRows(db, 'messages', at(50), 2), 0)
  const left = await listMessages(db, {}, { limit: 9 })
  assert.deepEqual(left.map(({ id }) => nameOf(id)).sort(), ['new', 'waiting'])
  assert.deepEqual(await db.selectFrom('message_attempts').selectAll().execute(), [])
})

test('does not find an unknown message', async () => {
  assert.equal(await findMessage(await outbox(), idOf('nothing')), undefined)
})
