import assert from 'node:assert/strict'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, userSchema } from '../../kit/kit.ts'

test('creates, finds, lists and deletes an account', async () => {
  const identity = await createTestIdentity()
  const made = await identity.admin('POST', '/admin/identities', {
    traits: { email: 'ada@example.com' },
    metadata_admin: { plan: 'gold' },
    credentials: { password: { config: { password: PASSWORD } } },
  })
  assert.equal(made.status, 201)
  const found = await identity.admin('GET', `/admin/identities/${made.body.id}`)
  assert.equal(found.body.metadata_admin.plan, 'gold')
  assert.deepEqual(found.body.credentials.password.identifiers, ['ada@example.com'])
  assert.equal(JSON.stringify(found.body).includes('argon2'), false)
  const query = `/admin/identities?credentials_identifier=ADA@example.com`
  assert.equal((await identity.admin('GET', query)).body.length, 1)
  assert.equal((await identity.admin('DELETE', `/admin/identities/${made.body.id}`)).status, 204)
  assert.equal((await identity.admin('GET', `/admin/identities/${made.body.id}`)).status, 404)
  assert.equal((await identity.browser().signIn('ada@example.com')).status, 400)
})

test('deleting an account revokes its sessions', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const browser = identity.browser()
  const { session } = (await browser.signIn('ada@example.com')).body
  await identity.admin('DELETE', `/admin/identities/${session.identity.id}`)
  assert.equal((await browser.whoami()).status, 401)
})

test('an invalid account is 400, a taken address 409', async () => {
  const identity = await createTestIdentity()
  await identity.user('ada@example.com')
  const drafts: [unknown, number][] = [
    [{ traits: { email: 'no address' } }, 400],
    [{ traits: {} }, 400],
    [{ traits: { email: 'b@example.com' }, schema_id: 'nothing' }, 400],
    [{ traits: { email: 'b@example.com' }, role: 'admin' }, 400],
    [{ traits: { email: 'ada@example.com' } }, 409],
  ]
  for (const [draft, status] of drafts) {
    const answer = await identity.admin('POST', '/admin/identities', draft)
    assert.equal(answer.status, status, JSON.stringify(draft))
    assert.equal(answer.body.error.code, status)
  }
})

test('pages through a list to its end', async () => {
  const identity = await createTestIdentity()
  for (const name of ['a', 'b', 'c', 'd', 'e']) await identity.user(`${name}@example.com`)
  const seen = new Set<string>()
  let next: string | undefined = '/admin/identities?page_size=2'
  while (next) {
    const page = await identity.admin('GET', next)
    for (const { id } of page.body) seen.add(id)
    next = page.headers.get('link')?.match(/<([^>]+)>; rel="next"/)?.[1]
  }
  assert.equal(seen.size, 5)
})

test('SEC-55 page tokens of the courier are opaque and bound to this service', async () => {
  const identity = await createTestIdentity()
  for (const name of ['a', 'b', 'c']) await identity.browser().register(`${name}@example.com`)
  const first = await identity.admin('GET', '/admin/courier/messages?page_size=2')
  const next = first.headers.get('link')?.match(/<([^>]+)>; rel="next"/)?.[1] ?? ''
  assert.equal((await identity.admin('GET', next)).body.length, 1)
  const token = new URL(next, 'http://x').searchParams.get('page_token') ?? ''
  assert.equal(Buffer.from(token, 'base64url').toString().includes('2031'), false)
  const forged = `${token.slice(0, -4)}AAAA`
  for (const wrong of [forged, 'x', Buffer.from('["2031","x"]').toString('base64url')]) {
    assert.equal((await identity.admin('GET', `/admin/courier/messages?page_token=${wrong}`)).status, 400)
  }
})

test('SEC-55 does not start without real secrets', async () => {
  const lists = [[], ['short'], ['CHANGE-ME-CHANGE-ME-CHANGE-ME-CHANGE-ME']]
  for (const secrets of lists) {
    await assert.rejects(createTestIdentity({ dev: false, secrets: { default: secrets } }), /secret/i)
  }
})

test('hides message bodies from operators outside dev mode', async () => {
  const production = { dev: false, secrets: { default: ['Zk3vXq9LmP2sTn7RwY5bHd8JcF6gKa4e'] } }
  const identity = await createTestIdentity(production)
  await identity.app().register('ada@example.com')
  const [message] = (await identity.admin('GET', '/admin/courier/messages')).body
  assert.equal(message.recipient, 'ada@example.com')
  assert.equal(/\d{6}/.test(message.body + message.subject), false)
})

test('rejects requests from web pages on the admin port', async () => {
  const identity = await createTestIdentity()
  const send = (url: string, headers: Record<string, string>) => identity.adminApp.request(url, { headers })
  assert.equal((await send('http://127.0.0.1/admin/identities', { origin: 'http://app.test' })).status, 403)
  assert.equal((await send('http://rebound.test/admin/identities', {})).status, 403)
  assert.equal((await send('http://127.0.0.1/admin/identities', {})).status, 200)
})

test('the public port has no admin paths in production', async () => {
  const production = { dev: false, secrets: { default: ['Zk3vXq9LmP2sTn7RwY5bHd8JcF6gKa4e'] } }
  const identity = await createTestIdentity(production)
  const browser = identity.browser()
  for (const path of ['/admin/identities', '/identities', '/admin/courier/messages', '/version']) {
    assert.equal((await browser.get(path)).status, 404, path)
  }
})

test('serves identity schemas by id and by URL', async () => {
  const identity = await createTestIdentity()
  const browser = identity.browser()
  const listed = await browser.get('/schemas')
  assert.deepEqual(listed.body, [{ id: 'default', schema: userSchema }])
  assert.deepEqual((await browser.get('/schemas/ZGVmYXVsdA')).body, userSchema)
  assert.equal((await browser.get('/schemas/other')).status, 404)
})
