import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

const ADA = 'ada@example.com'
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

test("lists an account's activity in pages, newest first", async () => {
  const identity = await createTestIdentity()
  await identity.user(ADA)
  const id = await idOf(identity)
  await identity.browser().signIn(ADA, 'not her password')
  await identity.browser().signIn(ADA)
  const first = await identity.adminApp.request(`http://127.0.0.1/admin/identities/${id}/events?page_size=1`)
  assert.deepEqual(outcomes(await first.json()), [['sign_in', 'ok']])
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const { body } = await identity.admin('GET', next)
  assert.deepEqual(outcomes(body), [['sign_in', 'refused']])

  assert.equal((await identity.admin('GET', `/admin/identities/${UNKNOWN}/events`)).status, 404)
  assert.equal((await identity.admin('GET', `/admin/identities/${id}/events?page_token=x`)).status, 400)
})

test('sends a verification whose code verifies the address', async () => {
  const identity = await createTestIdentity()
  await identity.admin('POST', '/admin/identities', { traits: { email: ADA } })
  const id = await idOf(identity)
  const sent = await identity.admin('POST', `/admin/identities/${id}/verification`)
  assert.deepEqual([sent.status, sent.body], [202, { sent_to: ADA }])

  const [mail] = await identity.mails(ADA)
  const flow = /flow=([\da-f-]+)/.exec(mail?.body ?? '')?.[1]
  const values = { method: 'code', code: await identity.code(ADA) }
  const done = await identity.app().send('POST', `/self-service/verification?flow=${flow}`, values)
  assert.equal(done.body.state, 'passed_challenge')
  const { body } = await identity.admin('GET', `/admin/identities/${id}`)
  assert.equal(body.verifiable_addresses[0].verified, true)

  assert.equal((await identity.admin('POST', `/admin/identities/${id}/verification`)).status, 409)
  assert.equal((await identity.admin('POST', `/admin/identities/${UNKNOWN}/verification`)).status, 404)
  const events = (await identity.admin('GET', `/admin/identities/${id}/events`)).body
  assert.ok(!outcomes(events).some(([event]) => event === 'changed_by_operator'), 'nothing was changed')
})

test('limits the verifications to one address', async () => {
  const mail = { account: { burst: 2, refill: '1h' }, allowance: 'off' }
  const identity = await createTestIdentity({ limits: { mail } })
  await identity.admin('POST', '/admin/identities', { traits: { email: ADA } })
  const id = await idOf(identity)
  const send = async () => (await identity.admin('POST', `/admin/identities/${id}/verification`)).status
  assert.deepEqual([await send(), await send(), await send()], [202, 202, 429])
  assert.equal((await identity.mails(ADA)).length, 2)
})

async function idOf({ admin }: TestIdentity): Promise<string> {
  return (await admin('GET', `/admin/identities?credentials_identifier=${ADA}`)).body[0].id
}

function outcomes(events: unknown): string[][] {
  return (events as { event: string; outcome: string }[]).map(({ event, outcome }) => [event, outcome])
}
