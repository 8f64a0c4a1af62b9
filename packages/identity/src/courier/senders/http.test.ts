import assert from 'node:assert/strict'
import { test } from '../../../test/kit/databases.ts'
import { startHookReceiver } from '../../../test/servers/hook-receiver.ts'
import { createHttpSender } from './http.ts'
import type { OutgoingMail } from './sender.ts'

const MESSAGE: OutgoingMail = {
  id: '5f0c7a52-0b8e-4b0e-9d0e-3f1f5a3c9b11',
  channel: 'sms',
  template_type: 'login_code_valid',
  recipient: '+442079460958',
  subject: '',
  text: '004217 is your code.',
  html: '',
  created_at: '2026-01-02T03:04:05.000Z',
  template_data: { to: '+442079460958', login_code: '004217' },
}

const to = (url: string, more: object = {}) =>
  createHttpSender({ url, method: 'POST', headers: {}, ...more }, fetch)

const ANSWERS = [
  [200, 'sent'],
  [202, 'sent'],
  [204, 'sent'],
  [302, 'postponed'],
  [400, 'postponed'],
  [401, 'postponed'],
  [429, 'unreachable'],
  [500, 'postponed'],
  [503, 'unreachable'],
] as const

for (const [status, kind] of ANSWERS) {
  test(`FLT-07 treats status ${status} as ${kind} without quoting the response`, async () => {
    const receiver = await startHookReceiver()
    receiver.answers.set('/', { status, body: { error: 'not 004217' }, headers: { location: '/elsewhere' } })
    const delivery = await to(`${receiver.url}/`).send(MESSAGE)
    assert.equal(delivery.kind, kind)
    if (delivery.kind !== 'sent') assert.equal(delivery.reason, `the response was ${status}`)
    assert.equal(receiver.calls.length, 1, 'a redirect is not followed')
  })
}

test('FLT-07 does not blame the message for an unreachable receiver', async () => {
  const delivery = await to('http://127.0.0.1:9/').send(MESSAGE)
  assert.equal(delivery.kind, 'unreachable')
})

test("passes Kratos' parameters to the body function", async () => {
  const receiver = await startHookReceiver()
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const seen: unknown[] = []
  const body = ({ ctx }: { ctx: { recipient: string; body: string } }) => {
    seen.push(ctx)
    return { To: ctx.recipient, Body: ctx.body }
  }
  const auth = { type: 'basic_auth', config: { user: 'account', password: 'token' } }
  await to(`${receiver.url}/`, { headers, body, auth }).send(MESSAGE)
  const [call] = receiver.calls
  assert.equal(call!.body, 'To=%2B442079460958&Body=004217+is+your+code.')
  assert.equal(call!.headers.authorization, `Basic ${Buffer.from('account:token').toString('base64')}`)
  assert.deepEqual(seen, [
    {
      recipient: '+442079460958',
      subject: '',
      body: '004217 is your code.',
      template_type: 'login_code_valid',
      template_data: MESSAGE.template_data,
      message_type: 'sms',
      request_headers: {},
    },
  ])
})
