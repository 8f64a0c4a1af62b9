import assert from 'node:assert/strict'
import type { Delivery } from '../src/index.ts'
import { test } from './kit/databases.ts'
import { createTestIdentity, VERIFIED_ONLY } from './kit/kit.ts'
import { until } from './kit/until.ts'

const DELIVERIES: readonly (readonly [Delivery, string])[] = [
  [{ kind: 'sent' }, 'message sent'],
  [{ kind: 'refused', reason: '550 no such user' }, 'message abandoned'],
  [{ kind: 'postponed', reason: '450 later' }, 'message postponed'],
  [{ kind: 'unreachable', reason: 'no answer' }, 'messages cannot be sent; they stay queued'],
]

for (const [delivery, line] of DELIVERIES)
  test(`FLT-37 the log line "${line}" names the message, its request and its account`, async () => {
    const identity = await createTestIdentity(VERIFIED_ONLY, { send: async () => delivery })
    const browser = identity.browser()
    const headers = { 'X-Request-Id': 'abc' }
    const form = await browser.open('registration')
    const values = {
      method: 'password',
      password: 'a long passphrase',
      traits: { email: 'ada@example.com' },
    }
    assert.equal((await browser.submit(form, values, { headers })).status, 200)
    const [ada] = (await identity.admin('GET', '/admin/identities')).body
    const [message] = (await identity.admin('GET', '/admin/courier/messages')).body
    identity.start()
    const fieldsOf = () => identity.logged.find((entry) => entry.startsWith(`${line} `))?.slice(line.length)
    await until(() => fieldsOf() !== undefined)
    const { message_id, identity_id, request_id } = JSON.parse(fieldsOf() ?? '')
    assert.deepEqual([message_id, identity_id], [message.id, ada.id])
    // One that a client sends counts from trusted proxies only.
    assert.match(request_id, /^[\w-]{36}$/)
    const event = identity.logged.find((entry) => entry.includes('"code_sent"'))
    assert.ok(event?.includes(request_id), event)
  })

test('FLT-37 logs each sent message once, and the owner of a taken address', async () => {
  const identity = await createTestIdentity(
    { ...VERIFIED_ONLY, security: { account_enumeration: { mitigate: true } } },
    { send: async () => ({ kind: 'sent' }) },
  )
  await identity.user('ada@example.com')
  const [ada] = (await identity.admin('GET', '/admin/identities')).body
  assert.equal((await identity.browser().register('ada@example.com')).status, 200)
  identity.start()
  const sent = () => identity.logged.filter((entry) => entry.startsWith('message sent '))
  await until(() => sent().length > 0)
  const mails = await identity.mails('ada@example.com')
  assert.deepEqual([sent().length, mails.length], [1, 1])
  assert.ok(sent()[0]?.includes(ada.id))
})
