import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import type { TestIdentity } from '../../kit/kit.ts'
import { createTestIdentity, userSchema } from '../../kit/kit.ts'

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

test('finds an account by every spelling of its id', async () => {
  const { identity, id } = await withAda()
  for (const spelling of [id.toUpperCase(), id.replaceAll('-', ''), `{${id}}`, `urn:uuid:${id}`]) {
    assert.equal((await identity.admin('GET', `${USERS}/${spelling}`)).body.id, id)
    assert.equal((await identity.admin('GET', `${USERS}?ids=${spelling}`)).body[0].id, id)
    const recovery = await identity.admin('POST', '/admin/recovery/code', { identity_id: spelling })
    assert.equal(recovery.status, 201)
  }
  assert.equal((await identity.admin('GET', `${USERS}?ids=${id},${id}`)).status, 400)
})

test('finds accounts by part of an identifier, even with SQL wildcards', async () => {
  const { identity, id } = await withAda()
  const found = async (part: string) => {
    const query = new URLSearchParams({ preview_credentials_identifier_similar: part })
    return (await identity.admin('GET', `${USERS}?${query}`)).body.map((one: { id: string }) => one.id)
  }
  assert.deepEqual(await found('DA@exam'), [id])
  assert.deepEqual(await found('a%m'), [])
  assert.deepEqual(await found('_da@'), [])
  const both = '?credentials_identifier=a&preview_credentials_identifier_similar=a'
  assert.equal((await identity.admin('GET', USERS + both)).status, 400)
})

test('finds an account without credentials by its address', async () => {
  const mail = { type: 'string', format: 'email', 'ory.sh/kratos': { recovery: { via: 'email' } } }
  const traits = { type: 'object', properties: { mail } }
  const schemas = [{ id: 'default', schema: { ...userSchema, properties: { traits } } }]
  const identity = await createTestIdentity({ identity: { schemas } })
  const { body } = await identity.admin('POST', USERS, { traits: { mail: 'Ada@Example.com' } })
  for (const query of [
    'credentials_identifier=ada@example.com',
    'preview_credentials_identifier_similar=DA@exam',
  ]) {
    const found = await identity.admin('GET', `${USERS}?${query}`)
    assert.deepEqual(
      found.body.map(({ id }: { id: string }) => id),
      [body.id],
    )
  }
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

test('pagination links keep the filters', async () => {
  const { identity, id } = await withAda()
  await identity.browser().signIn('ada@example.com')
  await identity.browser().signIn('ada@example.com')
  const sessions = await identity.admin('GET', `${USERS}/${id}/sessions?active=1&page_size=1`)
  assert.match(sessions.headers.get('link') ?? '', /sessions\?active=1&page=1&page_size=1.*rel="next"/)
  await identity.user('mary@example.com')
  const path = `${USERS}?page=0&per_page=1&include_credential=password`
  const users = await identity.admin('GET', path)
  const next = /<([^>]+)>; rel="next"/.exec(users.headers.get('link') ?? '')?.[1] ?? ''
  assert.equal(next, '/admin/identities?include_credential=password&page=1&per_page=1')
  const second = await identity.admin('GET', next)
  assert.equal(second.body.length, 1)
  assert.notEqual(second.body[0].id, users.body[0].id)
})

test('the last page has no next link, even if it is full', async () => {
  const { identity, id } = await withAda()
  await identity.browser().signIn('ada@example.com')
  for (const path of [`${USERS}?ids=${id}`, '/admin/sessions?']) {
    const { body, headers } = await identity.admin('GET', `${path}&page_size=1`)
    assert.deepEqual([body.length, headers.get('link')?.includes('rel="next"')], [1, false], path)
  }
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

test('keeps the organization of an import, and lists its accounts', async () => {
  const { identity } = await withAda()
  const of = (id: string) => identity.admin('GET', `${USERS}?organization_id=${id}`)
  const organization_id = '018f4c4e-7a5b-7c3d-9e2f-0123456789ab'
  assert.deepEqual((await of(organization_id)).body, [])
  const config = { providers: [{ provider: 'github', subject: '7', organization: organization_id }] }
  const traits = { email: 'mary@example.com' }
  const draft = { traits, organization_id: organization_id.toUpperCase(), credentials: { oidc: { config } } }
  const { id } = (await identity.admin('POST', USERS, draft)).body
  const changed = await identity.admin('PUT', `${USERS}/${id}`, { traits })
  const { body } = await identity.admin('GET', `${USERS}/${id}?include_credential=oidc`)
  const [found] = (await of(organization_id)).body
  assert.deepEqual(
    [changed.body, body, found].map((one) => [one.id, one.organization_id]),
    Array.from({ length: 3 }, () => [id, organization_id]),
  )
  assert.equal(body.credentials.oidc.config.providers[0].organization, organization_id)
  const refused = await identity.admin('POST', USERS, { ...draft, organization_id: 'acme' })
  assert.equal(refused.status, 400)
  assert.equal((await of('acme')).status, 400)
  assert.equal((await of('018f4c4e-7a5b-7c3d-9e2f-0123456789ab&credentials_identifier=ada')).status, 400)
  assert.equal((await of('')).body.length, 2)
})

test('explains undecodable bodies in message, invalid ones in reason', async () => {
  const identity = await createTestIdentity()
  const traits = { email: 'ada@example.com' }
  const { status, body } = await identity.admin('POST', USERS, { traits, role: 'admin' })
  assert.deepEqual([status, body.error.reason], [400, undefined])
  assert.match(body.error.message, /role/)
  for (const draft of [{}, { traits: 'none' }, { traits, state: 'asleep' }]) {
    const invalid = await identity.admin('POST', USERS, draft)
    assert.deepEqual([invalid.status, 'reason' in invalid.body.error], [400, true], JSON.stringify(draft))
  }
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

test('rejects invalid filters', async () => {
  const { identity, id } = await withAda()
  assert.equal((await identity.admin('GET', '/admin/courier/messages?status=')).status, 400)
  assert.equal((await identity.admin('GET', `${USERS}/${id}/sessions?active=maybe`)).status, 400)
  assert.equal((await identity.admin('GET', `${USERS}?page_size=${'9'.repeat(20)}`)).status, 400)
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
