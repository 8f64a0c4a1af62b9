import assert from 'node:assert/strict'
import { test } from '../../test/kit/databases.ts'
import { idOf } from '../../test/kit/ids.ts'
import { until } from '../../test/kit/until.ts'
import { courier, only, order, start, statuses } from '../../test/servers/courier-kit.ts'
import { insertMessage } from '../storage/messages.ts'
import { findCourierMessage, listCourierMessages, listMails } from './read.ts'
import { memorySender } from './senders/choose.ts'
import { startWorker } from './worker.ts'

test('stores only the recipient of an email in plain text', async () => {
  const app = await courier()
  await order(app.ctx)
  const row = JSON.stringify(await only(app))
  assert.doesNotMatch(row, /004217|code for|localhost code|doctype/i)
})

test('shows a demo email once it is sent', async () => {
  const app = await courier()
  start(app)
  await order(app.ctx)
  await until(async () => (await only(app)).message.status === 'sent')
  const [mail] = await listMails(app.ctx, 5)
  assert.equal(mail?.subject, '004217 is your localhost code')
  assert.match(mail?.body ?? '', /^004217 is your localhost code\.\n/)
  assert.match(mail?.html ?? '', /^<!doctype html>/)
  assert.equal(mail?.recipient, 'ada@example.com')
})

test('`retention.sent_messages: erase` keeps only recipient and type', async () => {
  const app = await courier()
  const config = {
    ...app.ctx.config,
    retention: { ...app.ctx.config.retention, sent_messages: 'erase' } as const,
  }
  const erasing = { ...app, ctx: { ...app.ctx, config } }
  await order(erasing.ctx)
  assert.match((await listMails(erasing.ctx, 5))[0]?.body ?? '', /004217/)
  start(erasing)
  await until(async () => (await only(app)).message.status === 'sent')
  const [mail] = await listMails(app.ctx, 5)
  assert.deepEqual([mail?.subject, mail?.body, mail?.html], ['', '', ''])
  assert.equal(mail?.recipient, 'ada@example.com')
  assert.equal((await only(app)).message.template_data, undefined)
})

test('hides email contents from operators outside dev mode', async () => {
  const app = await courier({ dev: false })
  start(app)
  await order(app.ctx)
  await until(async () => (await only(app)).message.status === 'sent')
  const [listed] = await listCourierMessages(app.ctx, {}, { limit: 10 })
  const { dispatches, ...one } = (await findCourierMessage(app.ctx, listed!.id))!
  assert.deepEqual(one, listed)
  assert.equal(dispatches?.length, 1)
  assert.equal(dispatches?.[0]?.message_id, listed?.id)
  assert.doesNotMatch(JSON.stringify([listed, dispatches]), /004217/)
  assert.equal(listed?.body, listed?.subject)

  const open = { ...app.ctx, config: { ...app.ctx.config, dev: true } }
  const [shown] = await listCourierMessages(open, {}, { limit: 10 })
  assert.match(shown?.body ?? '', /004217/)
  assert.deepEqual(Object.keys(shown!).sort(), [
    ...['body', 'channel', 'created_at', 'id', 'recipient', 'send_count', 'status', 'subject'],
    ...['template_type', 'type', 'updated_at'],
  ])
  assert.equal(await findCourierMessage(app.ctx, idOf('nothing')), undefined)
})

test('names a template that Kratos lacks in another member', async () => {
  const app = await courier()
  await order(app.ctx)
  const notice = { ...(await only(app)).message, id: idOf('notice'), template_type: 'security_notice' }
  await insertMessage(app.ctx.db, notice)
  const listed = await listCourierMessages(app.ctx, {}, { limit: 10 })
  const types = listed.map(({ template_type, own_template_type }) => [template_type, own_template_type])
  assert.deepEqual(types.sort(), [
    ['login_code_valid', undefined],
    ['stub', 'security_notice'],
  ])
})

test('abandons an undecryptable email without hiding others', async (t) => {
  const app = await courier({ message_retries: 0 })
  await order(app.ctx)
  const other = await courier({ secret: 'b' })
  const ctx = { ...app.ctx, secrets: other.ctx.secrets }
  await order(ctx, 'bob@example.com')
  const worker = startWorker(ctx, 'email', memorySender)
  t.after(() => worker.stop())
  await until(async () => (await statuses(app)).sort().join() === 'abandoned,sent')
  const mails = await listMails(ctx, 5)
  assert.equal(mails.filter(({ subject }) => subject.startsWith('004217')).length, 1)
  assert.equal(mails.length, 2)
})
