import assert from 'node:assert/strict'
import { testOnEach as test } from '../../test/kit/databases.ts'
import { welcome } from '../../test/kit/readlist.ts'
import { until } from '../../test/kit/until.ts'
import {
  courier,
  MINUTE,
  only,
  order,
  server,
  start,
  statuses,
  untilMovingOn,
} from '../../test/servers/courier-kit.ts'
import { queueEmail, retryMail } from './queue.ts'

test("resends an abandoned email once at an operator's request", async (t) => {
  let isFull = true
  const { uri, received } = await server(t, { on_recipient: () => (isFull ? 550 : undefined) })
  const app = await courier({ uri })
  start(app)
  await order(app.ctx)
  await until(async () => (await statuses(app))[0] === 'abandoned')

  isFull = false
  const { message } = await only(app)
  const asked = await Promise.all([retryMail(app.ctx, message.id), retryMail(app.ctx, message.id)])
  assert.deepEqual(asked.sort(), [false, true])
  await until(async () => (await statuses(app))[0] === 'sent')
  assert.equal(received.length, 1)
  assert.equal((await only(app)).attempts.length, 2)
  assert.equal(await retryMail(app.ctx, message.id), false, 'it was sent')
})

test('does not resend an email with an expired code', async (t) => {
  const { uri } = await server(t, { on_recipient: () => 550 })
  const app = await courier({ uri })
  start(app)
  await order(app.ctx)
  await until(async () => (await statuses(app))[0] === 'abandoned')
  app.advance(11 * MINUTE)
  const { message } = await only(app)
  assert.equal(await retryMail(app.ctx, message.id), false)
})

test('retries an email of a product after a temporary refusal', async (t) => {
  let isBusy = true
  const { uri, received } = await server(t, { on_recipient: () => (isBusy ? 450 : undefined) })
  const app = await courier({ uri })
  start(app)
  await queueEmail(app.ctx, { recipient: welcome.sample.email, template: welcome, data: welcome.sample })
  await until(async () => (await only(app)).attempts.length > 0)
  isBusy = false
  await untilMovingOn(app, async () => (await statuses(app))[0] === 'sent')
  assert.equal(received.length, 1)
  assert.equal((await only(app)).message.template_type, 'welcome')
})
