import assert from 'node:assert/strict'
import type { Answer, FlowAnswer } from '../../../src/testing/answers.ts'
import { fieldMessageIds, messageIds, nodeOf } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type Merge, type TestIdentity } from '../../kit/kit.ts'
import { until } from '../../kit/until.ts'
import { type HookReceiver, startHookReceiver } from '../../servers/hook-receiver.ts'

const PHONE = '+442079460958'
const TYPED = ' +44 (20) 7946-0958 '

test('a texted code registers and verifies the number', async () => {
  const { identity, gateway } = await withPhones()
  const browser = identity.browser()
  const opened = await browser.open('registration')
  const traits = { phone: TYPED }
  const form = await browser.submit(opened, { method: 'code', traits })
  assert.deepEqual([form.status, form.body.state, messageIds(form)], [400, 'sent_email', [1040005]])
  const { body, method } = await received(gateway)
  assert.equal(method, 'PUT')
  const { registration_code, ...data } = body.template_data
  assert.match(registration_code, /^\d{6}$/)
  assert.deepEqual(data, {
    to: PHONE,
    identity: traits,
    request_url: 'http://identity.test/self-service/registration/browser',
    transient_payload: {},
    expires_in_minutes: 10,
  })
  assert.deepEqual(
    [body.recipient, body.message_type, body.template_type, body.subject, body.html_body],
    [PHONE, 'sms', 'registration_code_valid', '', undefined],
  )
  assert.ok(body.body.startsWith(registration_code))
  const done: Answer = await browser.submit(form, { method: 'code', traits, code: registration_code })
  assert.equal(done.status, 200)
  const [address] = done.body.identity.verifiable_addresses
  assert.deepEqual([address.via, address.value, address.verified], ['sms', PHONE, true])
})

test('a texted code signs in, however the number is written', async () => {
  const { identity, gateway } = await withPhones()
  await withNumber(identity)
  const browser = identity.browser()
  const sent = await browser.submit(await browser.open('login'), { method: 'code', identifier: TYPED })
  assert.deepEqual([sent.status, sent.body.state, messageIds(sent)], [400, 'sent_email', [1010014]])
  const code = (await received(gateway)).body.template_data.login_code
  const done = await browser.submit(sent, { method: 'code', identifier: TYPED, code })
  assert.equal(done.status, 200)
  assert.equal((await browser.whoami()).body.identity.traits.phone, PHONE)
})

test('rejects unassigned phone numbers', async () => {
  const { identity, gateway } = await withPhones()
  const browser = identity.browser()
  const form = await browser.open('registration')
  assert.equal(nodeOf(form, 'traits.phone')?.type, 'tel')
  for (const phone of ['+44 20', '02079460958', '+999123456789', 'ada']) {
    const refused = await browser.submit(form, { method: 'code', traits: { phone } })
    assert.deepEqual(fieldMessageIds(refused, 'traits.phone'), [4000041], phone)
  }
  assert.equal(gateway.calls.length, 0)
})

test('a texted code verifies a number and can be sent again', async () => {
  const flows = {
    registration: { after: { password: { hooks: [{ hook: 'session' }, { hook: 'show_verification_ui' }] } } },
  }
  const { identity, gateway } = await withPhones({
    selfservice: { flows, methods: { password: { enabled: true } } },
  })
  const browser = identity.browser()
  const values = { method: 'password', password: 'correct horse 9 battery', traits: { phone: PHONE } }
  const made: Answer = await browser.submit(await browser.open('registration'), values)
  const { flow } = made.body.continue_with.find(
    (one: { action: string }) => one.action === 'show_verification_ui',
  )
  assert.equal(flow.verifiable_address, PHONE)
  const form = await browser.get(`/self-service/verification/flows?id=${flow.id}`)
  const again = await browser.submit(form, { method: 'code', sms: nodeOf(form, 'sms')?.value })
  assert.deepEqual([again.body.state, messageIds(again)], ['sent_email', [1080003]])
  await until(() => gateway.calls.length === 2)
  const { verification_code, verification_url } = gateway.calls[1]!.body.template_data
  assert.equal(verification_url, undefined, 'a text message holds no link')
  const done = await browser.submit(again, { method: 'code', code: verification_code })
  assert.deepEqual([done.body.state, messageIds(done)], ['passed_challenge', [1080002]])
  assert.equal((await browser.whoami()).body.identity.verifiable_addresses[0].verified, true)
})

test('recovers by text message where the address is chosen', async () => {
  const { identity, gateway } = await withPhones({ feature_flags: { choose_recovery_address: true } })
  await withNumber(identity, { email: 'ada@example.com' })
  const browser = identity.browser()
  const typed = await browser.submit(await browser.open('recovery'), {
    method: 'code',
    recovery_address: 'ada@example.com',
  })
  const offers = typed.body.ui.nodes.filter(
    ({ attributes }) => 'name' in attributes && attributes.name === 'recovery_select_address',
  )
  assert.deepEqual(
    offers.map(({ meta }) => meta.label?.text),
    ['+44****58', 'ad****@example.com'],
  )
  const [first] = offers
  assert.ok(first && 'value' in first.attributes)
  const chosen = await browser.submit(typed, {
    recovery_select_address: first.attributes.value,
    recovery_address: nodeOf(typed, 'recovery_address')?.value,
  })
  assert.deepEqual(
    [chosen.body.state, nodeOf(chosen, 'recovery_confirm_address')?.type],
    ['recovery_confirming_address', 'tel'],
  )
  const sent = await browser.submit(chosen, { recovery_confirm_address: TYPED })
  const { body } = await received(gateway)
  assert.deepEqual([body.recipient, body.template_type], [PHONE, 'recovery_code_valid'])
  assert.match(body.body, /\n@app\.test #\d{6}\n$/, 'a browser fills it in on this site only')
  await browser.submit(sent, { code: body.template_data.recovery_code })
  assert.equal((await browser.whoami()).status, 200)
})

test('SEC-13 sends no text to a number without an account', async () => {
  const mitigate = { security: { account_enumeration: { mitigate: true } } }
  const { identity, gateway } = await withPhones(mitigate)
  await withNumber(identity)
  const seen: FlowAnswer[] = []
  for (const identifier of [PHONE, '+442079460959']) {
    const browser = identity.browser()
    seen.push(await browser.submit(await browser.open('login'), { method: 'code', identifier }))
  }
  await received(gateway)
  assert.deepEqual(messageIds(seen[0]!), messageIds(seen[1]!))
  assert.deepEqual(
    (await identity.listMails(10)).map(({ recipient }) => recipient),
    [PHONE],
  )
})

test('operators see the channel of a sent message', async () => {
  const { identity, gateway } = await withPhones()
  await withNumber(identity)
  const browser = identity.browser()
  await browser.submit(await browser.open('login'), { method: 'code', identifier: PHONE })
  await received(gateway)
  const [message] = (await identity.admin('GET', '/admin/courier/messages')).body
  const { type, channel, recipient, template_type, subject } = message
  assert.deepEqual(
    [type, channel, recipient, template_type, subject],
    ['sms', 'sms', PHONE, 'login_code_valid', ''],
  )
  const [account] = (await identity.admin('GET', '/admin/identities?include_credential=code')).body
  assert.deepEqual(account.credentials.code.config, { addresses: [{ channel: 'sms', address: PHONE }] })
})

test('FLT-07 an unreachable mail server delays no text message', async () => {
  const gone = { smtp: { connection_uri: 'smtp://127.0.0.1:9/?disable_starttls=true' } }
  const { identity, gateway } = await withPhones({ courier: gone })
  await withNumber(identity, { email: 'ada@example.com' })
  const browser = identity.browser()
  for (let count = 0; count < 6; count++) {
    await browser.submit(await browser.open('recovery'), { method: 'code', email: 'ada@example.com' })
  }
  await until(() => identity.logged.some((line) => line.startsWith('messages cannot be sent')))
  await browser.submit(await browser.open('login'), { method: 'code', identifier: PHONE })
  assert.equal((await received(gateway)).body.recipient, PHONE)
})

test('reports a schema that texts codes without a channel', async () => {
  const smtp = { connection_uri: 'smtp://127.0.0.1:9/?disable_starttls=true' }
  const identity = await createTestIdentity({
    identity: { schemas: [{ id: 'default', schema: phoneSchema }] },
    courier: { smtp },
  })
  assert.ok(identity.logged.some((line) => line.startsWith('courier.channels has no channel for sms')))
})

async function withPhones(overrides: Merge = {}): Promise<{ identity: TestIdentity; gateway: HookReceiver }> {
  const gateway = await startHookReceiver()
  const identity = await createTestIdentity({
    identity: { schemas: [{ id: 'default', schema: phoneSchema }] },
    ...overrides,
    selfservice: {
      ...(overrides.selfservice as object),
      flows: {
        registration: { style: 'unified', after: { code: { hooks: [{ hook: 'session' }] } } },
        ...(overrides.selfservice as { flows?: object } | undefined)?.flows,
      },
      methods: { code: { passwordless_enabled: true } },
    },
    courier: {
      ...(overrides.courier as object),
      channels: [
        {
          id: 'sms',
          type: 'http',
          request_config: {
            url: `${gateway.url}/sms`,
            method: 'PUT',
            body: ({ ctx }: { ctx: object }) => ctx,
          },
        },
      ],
    },
  })
  identity.start()
  return { identity, gateway }
}

async function withNumber({ admin }: TestIdentity, traits: object = {}): Promise<void> {
  assert.equal(
    (await admin('POST', '/admin/identities', { traits: { phone: PHONE, ...traits } })).status,
    201,
  )
}

async function received({ calls }: HookReceiver) {
  await until(() => calls.length > 0)
  return calls.at(-1)!
}

const reachable = (via: 'email' | 'sms') => ({ verification: { via }, recovery: { via } })

const phoneSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    traits: {
      type: 'object',
      properties: {
        phone: {
          type: 'string',
          format: 'tel',
          title: 'Phone number',
          'ory.sh/kratos': {
            credentials: { code: { identifier: true, via: 'sms' }, password: { identifier: true } },
            ...reachable('sms'),
          },
        },
        email: { type: 'string', format: 'email', 'ory.sh/kratos': reachable('email') },
      },
      required: ['phone'],
      additionalProperties: false,
    },
  },
}
