import assert from 'node:assert/strict'
import { newDsn, testOnEach as test } from '../../test/kit/databases.ts'
import { until } from '../../test/kit/until.ts'
import { courier, only, order, SECOND, server, start, statuses } from '../../test/servers/courier-kit.ts'
import { transact } from '../contract/transact.ts'
import { queueMail } from './queue.ts'

test('sends an email after its commit', async (t) => {
  const { uri, received } = await server(t)
  const app = await courier({ uri, pull_wait: '1h' })
  start(app)
  await transact(app.ctx, (ctx) => order(ctx))
  await until(() => received.length === 1)
  await until(async () => (await only(app)).message.status === 'sent')
  const { message, attempts } = await only(app)
  assert.equal(message.send_count, 1)
  assert.equal(received[0]?.message_id, `<${message.id}@app.example>`)
  assert.deepEqual(
    attempts.map(({ status }) => status),
    ['success'],
  )
})

test('sends a code that is about to expire', async (t) => {
  const { uri, received } = await server(t)
  const app = await courier({ uri })
  await queueMail(app.ctx, {
    template_type: 'login_code_valid',
    recipient: 'ada@example.com',
    identity_id: undefined,
    data: { code: '004217', expires_in_minutes: 1 },
    expires_at: app.ctx.now().toISOString(),
  })
  app.advance(SECOND)
  start(app)
  await until(() => received.length === 1)
})

test('rolls an email back with its transaction', async (t) => {
  const { uri, received } = await server(t)
  const app = await courier({ uri })
  start(app)
  const cause = transact(app.ctx, async (ctx) => {
    await order(ctx)
    throw new Error('undone')
  })
  await assert.rejects(cause, /undone/)
  await new Promise((resolve) => setTimeout(resolve, 30))
  assert.deepEqual(await statuses(app), [])
  assert.equal(received.length, 0)
})

test('sends each message once with two workers', async (t) => {
  const { uri, received } = await server(t)
  const app = await courier({ uri })
  for (let count = 0; count < 30; count++) await order(app.ctx, `user-${count}@example.com`)
  start(app)
  start(app)
  await until(async () => (await statuses(app)).every((status) => status === 'sent'))
  assert.equal(received.length, 30)
  assert.equal(new Set(received.map(({ to }) => to)).size, 30)
})

test('finishes messages in progress when stopped', async (t) => {
  let stopping: Promise<void> | undefined
  const on_data = () => {
    stopping ??= worker.stop()
    return undefined
  }
  const { uri, received } = await server(t, { on_data })
  const app = await courier({ uri })
  for (let count = 0; count < 20; count++) await order(app.ctx)
  const worker = start(app)
  await until(() => stopping !== undefined)
  await stopping
  const after = await statuses(app)
  assert.ok(!after.includes('processing'))
  assert.equal(after.filter((status) => status === 'sent').length, received.length)
  assert.ok(received.length >= 1 && received.length < 20)
})

test('logs an unreadable queue once and recovers', async () => {
  const app = await courier({ dsn: await newDsn({ empty: true }) })
  await order(app.ctx)
  await app.ctx.db.schema.alterTable('messages').renameTo('elsewhere').execute()
  start(app)
  await until(() => app.logs.length > 0)
  await new Promise((resolve) => setTimeout(resolve, 30))
  await app.ctx.db.schema.alterTable('elsewhere').renameTo('messages').execute()
  await until(async () => (await only(app)).message.status === 'sent')
  assert.deepEqual(
    app.logs.map((line) => line.replace(/ \{.*/, '')),
    ['message queue cannot be read or written', 'message queue recovered', 'message sent'],
  )
})
