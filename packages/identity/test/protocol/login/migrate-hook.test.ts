import assert from 'node:assert/strict'
import { messageIds } from '../../../src/testing/answers.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity } from '../../kit/kit.ts'
import { startHookReceiver } from '../../servers/hook-receiver.ts'

const ADA = 'ada@example.com'
const WRONG = 4000006

async function imported({ email = ADA, key: value = 'secret' } = {}) {
  const receiver = await startHookReceiver()
  const auth = { type: 'api_key', config: { name: 'X-Key', value, in: 'header' } } as const
  const migrate_hook = { enabled: true, config: { url: `${receiver.url}/check`, auth } }
  const identity = await createTestIdentity({
    selfservice: { methods: { password: { config: { migrate_hook } } } },
  })
  const credentials = { password: { config: { use_password_migration_hook: true } } }
  const made = await identity.admin('POST', '/admin/identities', { traits: { email }, credentials })
  assert.equal(made.status, 201)
  const stored = async () => {
    const path = `/admin/identities/${made.body.id}?include_credential=password`
    return (await identity.admin('GET', path)).body.credentials.password.config
  }
  const answer = (status: number, body: unknown) => receiver.answers.set('/check', { status, body })
  return { receiver, identity, stored, answer }
}

test('asks the former system once for the password of an imported account', async () => {
  const { receiver, identity, stored, answer } = await imported()
  assert.deepEqual(await stored(), { hashed_password: '', use_password_migration_hook: true })
  answer(200, { status: 'password_match' })
  assert.equal((await identity.browser().signIn(ADA, 'the old password')).status, 200)
  const [{ method, headers, body }] = receiver.calls as [(typeof receiver.calls)[number]]
  assert.deepEqual(
    [method, headers['x-key'], body],
    ['POST', 'secret', { identifier: ADA, password: 'the old password' }],
  )
  assert.deepEqual(Object.keys(await stored()), ['hashed_password'])
  assert.equal((await identity.browser().signIn(ADA, 'the old password')).status, 200)
  assert.equal((await identity.browser().signIn(ADA, 'another password')).status, 400)
  assert.equal(receiver.calls.length, 1)
})

for (const [status, body] of [
  [403, {}],
  [401, {}],
  [404, {}],
  [200, {}],
  [200, { status: 'no_match' }],
] as const) {
  test(`a ${status} with ${JSON.stringify(body)} is a wrong password`, async () => {
    const { identity, answer } = await imported()
    answer(status, body)
    const refused = await identity.browser().signIn(ADA, 'the old password')
    assert.deepEqual([refused.status, messageIds(refused)], [400, [WRONG]])
  })
}

test('names the account to the former system as the account spells it', async () => {
  const { receiver, identity, answer } = await imported({ email: 'Ada@Example.com' })
  answer(200, { status: 'password_match' })
  assert.equal((await identity.browser().signIn('ADA@example.COM', 'the old password')).status, 200)
  assert.deepEqual(receiver.calls[0]?.body, { identifier: 'Ada@Example.com', password: 'the old password' })
})

test('a failure logs no secret of the request', async () => {
  const { identity } = await imported({ key: 'secret\nno header' })
  assert.equal((await identity.browser().signIn(ADA)).status, 502)
  const logged = identity.logged.join()
  assert.match(logged, /the password migration hook failed/)
  assert.doesNotMatch(logged, /no header/)
})

for (const [status, refused] of [
  [401, 400],
  [403, 400],
  [500, 502],
] as const) {
  test(`SEC-45 counts guesses that the former system answers with ${status}`, async () => {
    const { identity, answer } = await imported()
    answer(status, {})
    const browser = identity.browser()
    const statuses = new Set<number>()
    for (let guess = 0; guess < 30; guess++) statuses.add((await browser.signIn(ADA, 'a guess')).status)
    assert.deepEqual([...statuses], [refused, 429])
  })
}

test('refuses an enabled hook without an address', async () => {
  const methods = { password: { config: { migrate_hook: { enabled: true } } } }
  await assert.rejects(
    createTestIdentity({ selfservice: { methods } }),
    /password\.config\.migrate_hook\.config: is missing/,
  )
})
