import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { newDsn, testOnEach as test } from '../../test/kit/databases.ts'
import { until } from '../../test/kit/until.ts'
import {
  courier,
  MINUTE,
  only,
  order,
  SECOND,
  server,
  start,
  statuses,
  untilMovingOn,
} from '../../test/servers/courier-kit.ts'
import { listMessages } from '../storage/messages.ts'
import { queueMail } from './queue.ts'

test('FLT-07 delivers emails once after an outage', async (t) => {
  const first = await server(t)
  await first.stop()
  const app = await courier({ uri: first.uri, message_retries: 0 })
  start(app)
  for (let count = 0; count < 12; count++) await order(app.ctx, `user-${count}@example.com`)
  await until(() => app.logs.length > 0)
  for (let round = 0; round < 8; round++) {
    app.advance(40 * SECOND)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  assert.equal(app.logs.length, 1)
  assert.match(app.logs[0]!, /^messages cannot be sent.*ECONNREFUSED/)

  const back = await server(t, {}, first.port)
  app.advance(40 * SECOND)
  await untilMovingOn(app, async () => (await statuses(app)).every((status) => status === 'sent'))
  const recipients = back.received.map(({ to }) => to).sort()
  assert.deepEqual(recipients, [...new Set(recipients)])
  assert.equal(recipients.length, 12)
  const messages = await listMessages(app.ctx.db, {}, { limit: 20 })
  assert.ok(
    messages.every(({ send_count }) => send_count === 1),
    'the outage used up no attempts',
  )
  assert.deepEqual(troubles(app).slice(1), ['sending messages again {}'])
})

test('FLT-07 probes a silent mail server with one email at a time', async (t) => {
  let connections = 0
  const { uri } = await server(t, {
    on_connect: () => {
      connections += 1
      return 421
    },
  })
  const app = await courier({ uri })
  start(app)
  for (let count = 0; count < 50; count++) await order(app.ctx)
  assert.ok(connections < 50, 'who queues does not wait for the server')
  await until(() => app.logs.length === 1)
  await until(async () => {
    const before = connections
    await new Promise((resolve) => setTimeout(resolve, 100))
    const waiting = (await statuses(app)).every((status) => status === 'queued')
    return waiting && connections === before
  })
  const before = connections
  app.advance(2 * SECOND)
  await until(() => connections > before)
  await new Promise((resolve) => setTimeout(resolve, 150))
  assert.ok(connections - before <= 2, 'one mail, and the one new connection that the transport allows it')
})

test('FLT-07 retries a postponed email after increasing pauses', async (t) => {
  const replies = [450, 451, 452, undefined]
  const { uri, received } = await server(t, { on_recipient: () => replies.shift() })
  const app = await courier({ uri })
  start(app)
  await order(app.ctx)
  const pauses: number[] = []
  for (let attempt = 1; attempt <= 3; attempt++) {
    await until(async () => {
      const { message } = await only(app)
      return message.status === 'queued' && message.send_count === attempt
    })
    const { message } = await only(app)
    pauses.push(Date.parse(message.due_at) - Date.parse(message.updated_at))
    app.advance(pauses.at(-1)! - 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal((await only(app)).message.send_count, attempt, 'not before its time')
    app.advance(1)
  }
  await until(async () => (await only(app)).message.status === 'sent')
  const [first, second, third] = pauses
  assert.ok(first! >= 800 && first! <= 1200)
  assert.ok(second! >= 4400 && second! <= 6600)
  assert.ok(third! >= 24_200 && third! <= 36_300)
  assert.equal(received.length, 1)
  const errors = (await only(app)).attempts.map(({ error }) => error?.match(/\d{3}/)?.[0])
  assert.deepEqual(errors, ['450', '451', '452', undefined])
  assert.equal(troubles(app).length, 1, 'only the first attempt is logged')
  assert.match(app.logs[0]!, /^message postponed .*"template_type":"login_code_valid".*450/)
  assert.doesNotMatch(app.logs[0]!, /004217|ada@/)
})

test('FLT-07 abandons an email after its retries', async (t) => {
  const { uri } = await server(t, { on_recipient: () => 450 })
  const app = await courier({ uri, message_retries: 7 })
  start(app)
  await queueMail(app.ctx, {
    template_type: 'registration_duplicate',
    recipient: 'ada@example.com',
    identity_id: undefined,
    data: { url: 'http://localhost:3000/login' },
  })
  for (let attempt = 1; attempt <= 7; attempt++) {
    await until(async () => {
      const { message } = await only(app)
      return message.status === 'queued' && message.send_count === attempt
    })
    const { message } = await only(app)
    const pause = Date.parse(message.due_at) - app.ctx.now().getTime()
    assert.ok(pause <= 18 * MINUTE, 'a quarter of an hour and its jitter')
    app.advance(pause)
  }
  await until(async () => (await only(app)).message.status === 'abandoned')
  assert.equal((await only(app)).attempts.length, 8)
})

test('FLT-07 abandons a refused email at once and logs no code or address', async (t) => {
  const { uri, received } = await server(t, {
    on_recipient: (address) => (address.startsWith('nobody') ? 550 : undefined),
  })
  const app = await courier({ uri })
  start(app)
  await order(app.ctx, 'nobody@example.com')
  await order(app.ctx, 'ada@example.com')
  await until(async () => (await statuses(app)).sort().join() === 'abandoned,sent')
  assert.equal(received.length, 1)
  assert.equal(troubles(app).length, 1)
  assert.match(troubles(app)[0]!, /^message abandoned .*"template_type":"login_code_valid".*550/)
  assert.doesNotMatch(app.logs.join(), /004217|nobody/)
})

test('FLT-07 does not send an expired code', async (t) => {
  const { uri, received } = await server(t)
  const app = await courier({ uri })
  await order(app.ctx)
  app.advance(10 * MINUTE)
  start(app)
  await until(async () => (await only(app)).message.status === 'abandoned')
  assert.equal(received.length, 0)
  assert.match((await only(app)).attempts[0]?.error ?? '', /it expired/)
})

test('FLT-07 resends an email at most once after a lost response, with the same Message-ID', async (t) => {
  const faults: ('lose_answer' | undefined)[] = ['lose_answer']
  const { uri, received } = await server(t, { on_data: () => faults.shift() })
  const app = await courier({ uri })
  start(app)
  await order(app.ctx)
  await until(async () => received.length === 1 && (await only(app)).message.status === 'queued')
  app.advance(2 * SECOND)
  await until(async () => (await only(app)).message.status === 'sent')
  assert.equal(received.length, 2)
  assert.equal(received[0]?.message_id, received[1]?.message_id)
  assert.match(received[0]!.message_id, /^<[0-9a-f-]{36}@app\.example>$/)
})

test('FLT-07 loses no email to kill -9 during sending', async (t) => {
  const dsn = await newDsn({ shared: true })
  const { uri, received } = await server(t)
  const app = await courier({ uri, dsn })
  for (let count = 0; count < 8; count++) await order(app.ctx, `user-${count}@example.com`)

  const program = `
    const { openDatabase } = await import(${JSON.stringify(import.meta.resolve('../storage/db.ts'))})
    const { claimDueMessages } = await import(${JSON.stringify(import.meta.resolve('../storage/messages.ts'))})
    const db = await openDatabase(${JSON.stringify(dsn)})
    const now = ${JSON.stringify(app.ctx.now().toISOString())}
    const leased_until = new Date(Date.parse(now) + 120000).toISOString()
    const claimed = await claimDueMessages(db, { type: 'email', now, leased_until, limit: 5 })
    process.stdout.write(String(claimed.length))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // Also at its end.
  await once(child.stdout, 'readable')
  assert.equal(String(child.stdout.read()), '5')
  child.kill('SIGKILL')
  await once(child, 'exit')

  start(app)
  const sent = async () => (await statuses(app)).filter((status) => status === 'sent').length
  await until(async () => (await sent()) === 3)
  app.advance(2 * MINUTE)
  await until(async () => (await statuses(app)).every((status) => status === 'sent'))
  assert.equal(new Set(received.map(({ to }) => to)).size, 8)
  assert.equal(received.length, 8)
})

test('FLT-12 keeps sending after the clock is set back a year', async (t) => {
  const first = await server(t)
  await first.stop()
  const app = await courier({ uri: first.uri })
  start(app)
  await order(app.ctx)
  await until(() => app.logs.length > 0)
  app.advance(-365 * 24 * 60 * MINUTE)
  await server(t, {}, first.port)
  await order(app.ctx, 'bob@example.com')
  await untilMovingOn(app, async () => (await statuses(app)).includes('sent'))
})

function troubles({ logs }: { readonly logs: readonly string[] }): string[] {
  return logs.filter((line) => !line.startsWith('message sent '))
}
