import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity, userSchema } from '../../kit/kit.ts'

const USERS = '/admin/identities'
const NAMELESS = {
  type: 'object',
  properties: { traits: { type: 'object', properties: { nick: { type: 'string' } } } },
}
const TWO_SCHEMAS = [
  { id: 'default', schema: userSchema },
  { id: 'nameless', schema: NAMELESS },
]

test('treats null and an empty string as absent', async () => {
  const identity = await createTestIdentity()
  const nothing = { schema_id: null, state: '', external_id: null, metadata_public: null, credentials: null }
  const draft = { ...nothing, traits: { email: 'ada@example.com' }, verifiable_addresses: null }
  const made = await identity.admin('POST', USERS, draft)
  assert.deepEqual([made.status, made.body.schema_id, made.body.state], [201, 'default', 'active'])
  const password = { config: { password: 'correct horse 9', use_password_migration_hook: false } }
  const change = { ...nothing, traits: draft.traits, credentials: { password, oidc: null, telepathy: {} } }
  assert.equal((await identity.admin('PUT', `${USERS}/${made.body.id}`, change)).status, 200)
  assert.equal((await identity.browser().signIn('ada@example.com', 'correct horse 9')).status, 200)
})

test('an imported connection requires provider and subject', async () => {
  const identity = await createTestIdentity()
  const create = (oidc: object) =>
    identity.admin('POST', USERS, { traits: { email: 'ada@example.com' }, credentials: { oidc } })
  assert.equal((await create({ config: { providers: [{ provider: 'github' }] } })).status, 400)
  const made = await create({})
  assert.deepEqual([made.status, made.body.credentials.oidc], [201, undefined])
})

test('an imported connection has no tokens', async () => {
  const identity = await createTestIdentity()
  const config = { providers: [{ provider: 'github', subject: '7' }] }
  const draft = { traits: { email: 'ada@example.com' }, credentials: { oidc: { config } } }
  const { id } = (await identity.admin('POST', USERS, draft)).body
  const { body } = await identity.admin('GET', `${USERS}/${id}?include_credential=oidc`)
  const none = { initial_id_token: '', initial_access_token: '', initial_refresh_token: '' }
  assert.deepEqual(body.credentials.oidc.config.providers, [{ provider: 'github', subject: '7', ...none }])
})

test("an operator's verification must be by email", async () => {
  const identity = await createTestIdentity()
  const [email, other] = ['ada@example.com', 'mary@example.com']
  const create = (value: string, via?: string) =>
    identity.admin('POST', USERS, {
      traits: { email: value },
      verifiable_addresses: [{ value, via, verified: true, status: 'completed' }],
    })
  assert.equal((await create(email, 'sms')).body.verifiable_addresses[0].verified, false)
  assert.equal((await create(other)).body.verifiable_addresses[0].verified, false)
})

test('a code credential lists the addresses for codes', async () => {
  const { identity, id } = await withAda()
  const { body } = await identity.admin('GET', `${USERS}/${id}?include_credential=code`)
  assert.deepEqual(body.credentials.code.config, {
    addresses: [{ channel: 'email', address: 'ada@example.com' }],
  })
  const kinds = '?include_credential=code_recovery&include_credential=link_recovery'
  assert.equal((await identity.admin('GET', `${USERS}/${id}${kinds}`)).status, 200)
})

test('an account without an identifier lists no credentials', async () => {
  const identity = await createTestIdentity({ identity: { schemas: TWO_SCHEMAS } })
  const made = await identity.admin('POST', USERS, { traits: { email: 'ada@example.com' } })
  assert.deepEqual(Object.keys(made.body.credentials), ['code', 'password'])
  const nameless = { schema_id: 'nameless', traits: {} }
  const changed = await identity.admin('PUT', `${USERS}/${made.body.id}`, nameless)
  assert.deepEqual([changed.status, changed.body.credentials], [200, undefined])
})

test('an account with an identifier lists empty credentials', async () => {
  const schema = structuredClone(userSchema)
  const { credentials } = schema.properties.traits.properties.email['ory.sh/kratos']
  Object.assign(credentials, { webauthn: { identifier: true } })
  const identity = await createTestIdentity({ identity: { schemas: [{ id: 'default', schema }] } })
  const { body: made } = await identity.admin('POST', USERS, { traits: { email: 'ada@example.com' } })
  const { body } = await identity.admin('GET', `${USERS}/${made.id}?include_credential=password`)
  assert.deepEqual(Object.keys(body.credentials).sort(), ['code', 'password', 'webauthn'])
  assert.deepEqual(body.credentials.password.identifiers, ['ada@example.com'])
  assert.deepEqual(body.credentials.password.config, {})
  const remove = async (type: string) =>
    (await identity.admin('DELETE', `${USERS}/${made.id}/credentials/${type}`)).status
  assert.deepEqual(
    [await remove('webauthn'), await remove('password'), await remove('totp')],
    [204, 400, 404],
  )
})

test('an account without traits fails alone in its batch', async () => {
  const identity = await createTestIdentity()
  const identities = [{ create: {} }, { create: { traits: { email: 'ada@example.com' } } }]
  const { status, body } = await identity.admin('PATCH', USERS, { identities })
  assert.equal(status, 200)
  assert.deepEqual(
    body.identities.map(({ action }: { readonly action: string }) => action),
    ['error', 'create'],
  )
})

test('a new credential has no timestamps until it is read', async () => {
  const identity = await createTestIdentity()
  const credentials = { password: { config: { password: 'correct horse 9' } } }
  const made = await identity.admin('POST', USERS, { traits: { email: 'ada@example.com' }, credentials })
  assert.equal(made.body.credentials.password.created_at, '0001-01-01T00:00:00Z')
  const read = await identity.admin('GET', `${USERS}/${made.body.id}`)
  assert.equal(read.body.credentials.password.created_at, read.body.created_at)
})

test('a patch without a value, or that removes the state, changes nothing', async () => {
  const { identity, id } = await withAda()
  const patch = (operation: object) => identity.admin('PATCH', `${USERS}/${id}`, [operation])
  assert.equal((await patch({ op: 'replace', path: '/metadata_public' })).status, 400)
  assert.equal((await patch({ op: 'remove', path: '/state' })).status, 400)
  assert.equal((await patch({ op: 'replace', path: '/metadata_public', value: null })).status, 200)
})

test('a patch removes no member that does not exist', async () => {
  const { identity, id } = await withAda()
  const remove = async (path: string) =>
    (await identity.admin('PATCH', `${USERS}/${id}`, [{ op: 'remove', path }])).status
  assert.deepEqual([await remove('/unknown'), await remove('/available_aal')], [400, 400])
  assert.deepEqual([await remove('/schema_url'), await remove('/recovery_addresses')], [200, 200])
})

test('a null batch or patch changes nothing', async () => {
  const { identity, id } = await withAda()
  const batch = async (body: unknown) => (await identity.admin('PATCH', USERS, body)).body.identities
  assert.deepEqual(await batch(null), [])
  assert.deepEqual(await batch({ identities: [{}, { create: null }] }), [null, null])
  const before = await identity.admin('GET', `${USERS}/${id}`)
  const patched = await identity.admin('PATCH', `${USERS}/${id}`, null)
  assert.deepEqual([patched.status, patched.body.traits], [200, before.body.traits])
})

test("a credential's version is that of its format", async () => {
  const { identity, id } = await withAda()
  for (const password of ['battery staple 7', 'purple monkey 5']) {
    const config = { password: { config: { password } } }
    await identity.admin('PUT', `${USERS}/${id}`, {
      traits: { email: 'ada@example.com' },
      credentials: config,
    })
  }
  const { credentials } = (await identity.admin('GET', `${USERS}/${id}`)).body
  assert.deepEqual([credentials.password.version, credentials.code.version], [0, 1])
})

test('explains an undecodable body in the message, an invalid one in the reason', async () => {
  const { identity, id } = await withAda()
  const traits = { email: 'ben@example.com' }
  const batch = (create: object) => ({ identities: [{ create }] })
  for (const [method, path, body, explained] of [
    ['POST', USERS, { traits, state: 5 }, 'message'],
    ['POST', USERS, { traits, state: 'asleep' }, 'reason'],
    ['POST', USERS, { traits, verifiable_addresses: [{ value: 'x', size: 43 }] }, 'message'],
    ['POST', USERS, { traits, recovery_addresses: [{ value: 'x', verified: true }] }, 'message'],
    ['POST', USERS, { traits, credentials: { password: {} } }, 'reason'],
    ['POST', USERS, { traits: [] }, 'reason'],
    ['POST', USERS, {}, 'reason'],
    ['POST', USERS, null, 'reason'],
    ['PATCH', USERS, { shoe_size: 43 }, 'message'],
    ['PATCH', USERS, batch({ traits, shoe_size: 43 }), 'message'],
    ['PATCH', USERS, batch({ traits, state: 'asleep' }), 'reason'],
    ['PUT', `${USERS}/${id.replaceAll(/\d/g, '0')}`, [], 'reason'],
  ] as const) {
    const answer = await identity.admin(method, path, body)
    const members = Object.keys(answer.body.error).filter((name) => ['reason', 'message'].includes(name))
    const expected = explained === 'reason' ? ['reason', 'message'] : ['message']
    assert.deepEqual([answer.status, members], [400, expected], `${method} ${JSON.stringify(body)}`)
  }
  const unknown = await identity.admin('POST', USERS, { traits, role: 'admin' })
  assert.match(unknown.body.error.message, /role/)
  const [item] = (await identity.admin('PATCH', USERS, batch({ traits: 'none' }))).body.identities
  assert.equal(item.action, 'error')
})

test('a change returns private metadata unless it was left out', async () => {
  const { identity, id } = await withAda()
  const traits = { email: 'ada@example.com' }
  for (const [method, sent, isShown] of [
    ['PUT', { traits, metadata_admin: null }, true],
    ['PUT', { traits }, false],
    ['PATCH', [], true],
    ['PATCH', [{ op: 'remove', path: '/metadata_admin' }], false],
  ] as const) {
    const { body } = await identity.admin(method, `${USERS}/${id}`, sent)
    assert.equal('metadata_admin' in body, isShown, `${method} ${JSON.stringify(sent)}`)
  }
})

test('a recovery accepts fractional hours and allowed return addresses', async () => {
  const { identity, id: identity_id } = await withAda({
    selfservice: { methods: { link: { enabled: true } } },
  })
  for (const kind of ['code', 'link']) {
    const make = (body: object, query = '') => identity.admin('POST', `/admin/recovery/${kind}${query}`, body)
    const made = await make({ identity_id, expires_in: '1.5h', flow_type: null })
    const minutes = (Date.parse(made.body.expires_at) - identity.now().getTime()) / 60_000
    assert.equal(Math.round(minutes), 90)
    assert.equal((await make({})).status, kind === 'code' ? 404 : 400)
    const forbidden = await make({ identity_id }, '?return_to=https%3A%2F%2Fevil.example%2F')
    assert.deepEqual(
      [forbidden.status, forbidden.body.error.id],
      [400, 'self_service_flow_return_to_forbidden'],
    )
  }
})

async function withAda(
  overrides?: Overrides,
): Promise<{ readonly identity: TestIdentity; readonly id: string }> {
  const identity = await createTestIdentity(overrides)
  await identity.user('ada@example.com')
  return { identity, id: (await identity.admin('GET', USERS)).body[0].id }
}

type Overrides = Parameters<typeof createTestIdentity>[0]
