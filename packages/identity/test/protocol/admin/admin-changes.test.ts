import assert from 'node:assert/strict'
import { PASSWORD } from '../../../src/testing/clients.ts'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'
import { providerEntry, withProviders } from '../../servers/oidc-kit.ts'

const UNKNOWN_ID = '8b1b8a3f-4ec8-4a29-9c4e-0a2f6f1e1d11'
const BCRYPT = '$2y$04$KBCwKxOzLha2MUDgW0PjXeGOlGqsDPd.uBEO/4K0.DOndoiCNxx2e'

const ENTRIES = ['one', 'two'].map((id) => providerEntry(id, { issuer_url: `https://${id}.test` }))
const CONNECTED = [
  { provider: 'one', subject: '1' },
  { provider: 'two', subject: '2' },
]

test('replacing an account clears omitted members except schema and state', async () => {
  const identity = await createTestIdentity()
  const id = await created(identity, {
    metadata_public: { plan: 'free' },
    external_id: 'crm-1',
    state: 'inactive',
  })
  const answer = await identity.admin('PUT', `/admin/identities/${id}`, {
    traits: { email: 'new@example.com' },
    metadata_admin: { score: 7 },
  })
  assert.equal(answer.status, 200)
  assert.deepEqual(
    [answer.body.metadata_public, answer.body.metadata_admin, answer.body.external_id, answer.body.state],
    [null, { score: 7 }, undefined, 'inactive'],
  )
  assert.equal(answer.body.verifiable_addresses[0].verified, false)
})

test('a new password from an operator invalidates the old one', async () => {
  const identity = await createTestIdentity()
  const id = await created(identity)
  const credentials = { password: { config: { password: 'another horse 7 battery' } } }
  await identity.admin('PUT', `/admin/identities/${id}`, {
    traits: { email: 'ada@example.com' },
    credentials,
  })
  assert.equal((await identity.browser().signIn('ada@example.com')).status, 400)
  const signedIn = await identity.browser().signIn('ada@example.com', 'another horse 7 battery')
  assert.equal(signedIn.status, 200)
})

test('applies all of a patch or nothing', async () => {
  const identity = await createTestIdentity()
  const id = await created(identity, { metadata_public: { plan: 'free' } })
  const patch = (...operations: object[]) => identity.admin('PATCH', `/admin/identities/${id}`, operations)
  const changed = await patch(
    { op: 'add', path: '/traits/name', value: 'Ada' },
    // As in Kratos, what precedes the first slash does not count.
    { op: 'replace', path: 'account/metadata_public/plan', value: 'paid' },
  )
  assert.deepEqual([changed.body.traits.name, changed.body.metadata_public], ['Ada', { plan: 'paid' }])
  const half = await patch(
    { op: 'remove', path: '/traits/name' },
    { op: 'replace', path: '/state', value: 'asleep' },
  )
  assert.equal(half.status, 400)
  assert.equal((await identity.admin('GET', `/admin/identities/${id}`)).body.traits.name, 'Ada')
})

test('an address that a patch takes off the list is no longer verified', async () => {
  const identity = await createTestIdentity()
  const verifiable_addresses = [
    { value: 'ada@example.com', via: 'email', verified: true, status: 'completed' },
  ]
  const id = await created(identity, { verifiable_addresses })
  const patch = async (path: string, value?: string) =>
    await identity.admin('PATCH', `/admin/identities/${id}`, [{ op: value ? 'add' : 'remove', path, value }])
  const named = await patch('/traits/name', 'Ada')
  assert.equal(named.body.verifiable_addresses[0].verified, true)
  const removed = await patch('/verifiable_addresses/0')
  const [address] = removed.body.verifiable_addresses
  assert.deepEqual([address.value, address.verified, address.status], ['ada@example.com', false, 'pending'])
})

test('a patch cannot change ids, credentials, or take an address', async () => {
  const identity = await createTestIdentity()
  await identity.user('taken@example.com')
  const id = await created(identity)
  const patches: [object, number][] = [
    [{ op: 'replace', path: '/id', value: UNKNOWN_ID }, 400],
    [{ op: 'replace', path: 'any/id', value: UNKNOWN_ID }, 400],
    [{ op: 'replace', path: 'id', value: UNKNOWN_ID }, 400],
    [{ op: 'replace', path: '/CREDENTIALS', value: {} }, 400],
    [{ op: 'add', path: '/credentials/oidc/identifiers', value: [] }, 400],
    [{ op: 'test', path: '/traits/email', value: 'ada@example.com' }, 400],
    [{ op: 'add', path: '/__proto__/admin', value: true }, 400],
    [{ op: 'replace', path: '/traits/email', value: 'taken@example.com' }, 409],
  ]
  for (const [operation, status] of patches) {
    const answer = await identity.admin('PATCH', `/admin/identities/${id}`, [operation])
    assert.equal(answer.status, status, JSON.stringify(operation))
  }
  assert.equal((await identity.browser().signIn('ada@example.com')).status, 200)
})

test('deactivation revokes all sessions until activation', async () => {
  const identity = await createTestIdentity()
  const id = await created(identity)
  const browser = identity.browser()
  await browser.signIn('ada@example.com')
  const state = (value: string) =>
    identity.admin('PATCH', `/admin/identities/${id}`, [{ op: 'replace', path: '/state', value }])
  await state('inactive')
  assert.equal((await browser.whoami()).status, 401)
  await state('active')
  assert.equal((await browser.whoami()).status, 200)
})

test('a batch creates the valid accounts and reports the others', async () => {
  const identity = await createTestIdentity()
  await identity.user('taken@example.com')
  const item = (email: string, patch_id: string) => ({ create: { traits: { email } }, patch_id })
  const first = 'b2c7a1de-0000-4000-8000-000000000001'
  const second = 'b2c7a1de-0000-4000-8000-000000000002'
  const items = [item('new@example.com', first), item('taken@example.com', second)]
  const answer = await identity.admin('PATCH', '/admin/identities', { identities: items })
  assert.equal(answer.status, 200)
  const [made, refused] = answer.body.identities
  assert.deepEqual([made.action, made.patch_id], ['create', first])
  assert.deepEqual([refused.action, refused.patch_id, refused.error.code], ['error', second, 409])
  const wrong = [{ create: { traits: { email: 'x@example.com' }, role: 'admin' } }]
  assert.equal((await identity.admin('PATCH', '/admin/identities', { identities: wrong })).status, 400)
})

test('a batch with an unusable hash creates no account', async () => {
  const identity = await createTestIdentity()
  const credentials = { password: { config: { hashed_password: 'words' } } }
  const items = [
    { create: { traits: { email: 'ada@example.com' } } },
    { create: { traits: { email: 'grace@example.com' }, credentials } },
  ]
  assert.equal((await identity.admin('PATCH', '/admin/identities', { identities: items })).status, 400)
  assert.deepEqual((await identity.admin('GET', '/admin/identities')).body, [])
})

test('rehashes an imported bcrypt password at the first sign-in', async () => {
  const identity = await createTestIdentity()
  const id = await created(identity, { credentials: { password: { config: { hashed_password: BCRYPT } } } })
  const stored = async () => {
    const path = `/admin/identities/${id}?include_credential=password`
    return (await identity.admin('GET', path)).body.credentials.password.config.hashed_password.split('$')[1]
  }
  assert.equal((await identity.browser().signIn('ada@example.com', 'not this one')).status, 400)
  assert.equal(await stored(), '2y')
  for (const _ of [1, 2]) {
    const answer = await identity.browser().signIn('ada@example.com', 'correct horse 7 battery')
    assert.equal(answer.status, 200)
  }
  assert.equal(await stored(), 'argon2id')
})

test('a password wins over a hash that is imported with it', async () => {
  const identity = await createTestIdentity()
  const credentials = { password: { config: { password: PASSWORD, hashed_password: 'words' } } }
  await created(identity, { credentials })
  assert.equal((await identity.browser().signIn('ada@example.com')).status, 200)
})

test('shows credential configuration only on request', async () => {
  const identity = await createTestIdentity()
  const id = await created(identity, { external_id: 'crm-1' })
  const bare = await identity.admin('GET', '/admin/identities/by/external/crm-1')
  assert.deepEqual([bare.body.id, bare.body.credentials.password.config], [id, undefined])
  const wrong = await identity.admin('GET', `/admin/identities/${id}?include_credential=telepathy`)
  assert.equal(wrong.status, 400)
})

test('removes one of two connected accounts, but not the last', async () => {
  const identity = await createTestIdentity(withProviders(ENTRIES))
  const id = await created(identity, { credentials: { oidc: { config: { providers: CONNECTED } } } })
  const remove = (rest: string) => identity.admin('DELETE', `/admin/identities/${id}/credentials/${rest}`)
  assert.equal((await remove('oidc')).status, 400)
  assert.equal((await remove('oidc?identifier=one:9')).status, 404)
  assert.equal((await remove('totp')).status, 404)
  assert.equal((await remove('oidc?identifier=one:1')).status, 204)
  for (const last of ['two:2', 'one:1']) assert.equal((await remove(`oidc?identifier=${last}`)).status, 400)
  const only = await created(identity, {
    traits: { email: 'eve@example.com' },
    credentials: { password: { config: { password: PASSWORD } } },
  })
  const answer = await identity.admin('DELETE', `/admin/identities/${only}/credentials/password`)
  assert.equal(answer.status, 400)
  assert.equal((await identity.browser().signIn('eve@example.com')).status, 200)
})

test('lists added providers after the connected ones, whose times stay', async () => {
  const identity = await createTestIdentity()
  const oidc = (provider: string) => ({ oidc: { config: { providers: [{ provider, subject: '1' }] } } })
  const id = await created(identity, { credentials: oidc('two') })
  const { created_at } = (await identity.admin('GET', `/admin/identities/${id}`)).body.credentials.oidc
  const { body } = await identity.admin('PUT', `/admin/identities/${id}`, {
    traits: { email: 'ada@example.com' },
    credentials: oidc('one'),
  })
  assert.deepEqual(body.credentials.oidc.identifiers, ['two:1', 'one:1'])
  assert.equal(body.credentials.oidc.created_at, created_at)
})

test('removing a password twice succeeds while another method remains', async () => {
  const identity = await createTestIdentity(withProviders(ENTRIES))
  const id = await created(identity, {
    credentials: { password: { config: { password: PASSWORD } }, oidc: { config: { providers: CONNECTED } } },
  })
  const remove = () => identity.admin('DELETE', `/admin/identities/${id}/credentials/password`)
  assert.deepEqual([(await remove()).status, (await remove()).status], [204, 204])
})

test('gets and revokes a session by its id', async () => {
  const identity = await createTestIdentity()
  const id = await created(identity)
  const browser = identity.browser()
  const { session } = (await browser.signIn('ada@example.com')).body
  const found = await identity.admin('GET', `/admin/sessions/${session.id}?expand=identity&expand=Devices`)
  assert.deepEqual([found.body.identity.id, found.body.devices.length], [id, 1])
  assert.equal((await identity.admin('GET', `/admin/sessions/${session.id}`)).body.identity, null)
  assert.equal((await identity.admin('DELETE', `/admin/sessions/${session.id}`)).status, 204)
  assert.equal((await browser.whoami()).status, 401)
  assert.equal((await identity.admin('GET', '/admin/sessions?active=true')).body.length, 0)
  assert.equal((await identity.admin('DELETE', `/admin/identities/${id}/sessions`)).status, 204)
  assert.equal((await identity.admin('DELETE', `/admin/identities/${id}/sessions`)).status, 404)
})

test('lists all sessions in pages', async () => {
  const identity = await createTestIdentity()
  await created(identity)
  for (const _ of [1, 2, 3]) await identity.browser().signIn('ada@example.com')
  const times: string[] = []
  let next: string | undefined = '/admin/sessions?page_size=2&active=true'
  while (next) {
    const page = await identity.admin('GET', next)
    for (const { issued_at } of page.body) times.push(issued_at)
    next = page.headers.get('link')?.match(/<([^>]+)>; rel="next"/)?.[1]
  }
  assert.equal(times.length, 3)
  assert.deepEqual(times, [...times].sort().reverse())
})

test('ends the sessions of accounts, named sessions, or all', async () => {
  const identity = await createTestIdentity()
  const [ada, ben] = [
    await created(identity),
    await created(identity, { traits: { email: 'ben@example.com' } }),
  ]
  const manage = (body: object) => identity.admin('POST', '/admin/sessions', body)
  const signIn = async (email: string) => (await identity.browser().signIn(email)).body.session.id
  const count = async (query = '') => (await identity.admin('GET', `/admin/sessions${query}`)).body.length
  const first = await signIn('ada@example.com')
  await signIn('ada@example.com')
  await signIn('ben@example.com')
  const disabled = { action: 'disable', sessions: [first] }
  assert.deepEqual((await manage(disabled)).body, { processed: 1, more: false })
  assert.deepEqual((await manage(disabled)).body, { processed: 0, more: false })
  assert.deepEqual([await count(), await count('?active=true')], [3, 2])
  assert.equal((await manage({ action: 'delete', sessions: [first] })).body.processed, 1)
  assert.equal((await manage({ action: 'delete', identities: [ada] })).body.processed, 1)
  assert.deepEqual([await count(), await count(`?active=true`)], [1, 1])
  assert.equal((await manage({ action: 'disable', identities: ['*'] })).body.processed, 1)
  assert.equal((await manage({ action: 'delete', identities: ['*'] })).body.processed, 1)
  for (const wrong of [{ identities: [ben], sessions: [first] }, { sessions: ['*'] }, { identities: [] }])
    assert.equal((await manage({ action: 'delete', ...wrong })).status, 400)
})

test('extends a session near its expiry, but no expired one', async () => {
  const identity = await createTestIdentity({ session: { lifespan: '10h', earliest_possible_extend: '1h' } })
  await created(identity)
  const browser = identity.browser()
  const { session } = (await browser.signIn('ada@example.com')).body
  const extend = async () => (await identity.admin('PATCH', `/admin/sessions/${session.id}/extend`)).body
  assert.equal((await extend()).expires_at, session.expires_at)
  identity.advance(9.5 * 3_600_000)
  assert.ok((await extend()).expires_at > session.expires_at)
  identity.advance(11 * 3_600_000)
  assert.equal((await extend()).active, false)
})

async function created(identity: TestIdentity, more: object = {}): Promise<string> {
  const made = await identity.admin('POST', '/admin/identities', {
    traits: { email: 'ada@example.com' },
    credentials: { password: { config: { password: PASSWORD } } },
    ...more,
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  return made.body.id
}

test('removing a missing password returns 400', async () => {
  const identity = await createTestIdentity()
  const made = await identity.admin('POST', '/admin/identities', { traits: { email: 'ada@example.com' } })
  const at = `/admin/identities/${made.body.id}/credentials`
  assert.equal((await identity.admin('DELETE', `${at}/password`)).status, 400)
  assert.equal((await identity.admin('DELETE', `${at}/totp`)).status, 404)
})
