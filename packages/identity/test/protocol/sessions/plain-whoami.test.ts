import assert from 'node:assert/strict'
import { newDsn, openTestDatabase, test, testOnEach } from '../../kit/databases.ts'
import { addTotp, withAda } from '../../kit/factors.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

function byFastPath(identity: TestIdentity, headers: Record<string, string>) {
  return identity.respond({ method: 'GET', path: '/sessions/whoami', headers })
}

async function byRoute(identity: TestIdentity, headers: Record<string, string>) {
  const answer = await identity.publicApp.request('/sessions/whoami', { headers })
  const told = Object.fromEntries(answer.headers)
  return { status: answer.status, headers: told, body: await answer.text() }
}

test('the fast path answers like the route', async () => {
  const identity = await createTestIdentity()
  const browser = await identity.signedIn('ada@example.com')
  const { session_token } = (await identity.app().signIn('ada@example.com')).body
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const ways: Record<string, string>[] = [
    {},
    { 'x-session-token': 'ory_st_nobody', 'x-request-id': 'abc' },
    { cookie },
    { 'x-session-token': session_token },
    { authorization: `bearer ${session_token}` },
  ]
  for (const headers of ways) {
    const plain = await byFastPath(identity, headers)
    const route = await byRoute(identity, headers)
    assert.equal(plain?.status, route.status)
    assert.equal(plain?.body, route.body)
    const { 'content-length': length, ...told } = Object.fromEntries(new Headers(plain?.headers))
    assert.deepEqual(told, route.headers)
    assert.equal(length, String(Buffer.byteLength(route.body)))
  }
})

test('a server in the same process gets the answer of the route as an object', async () => {
  const identity = await createTestIdentity()
  const browser = await identity.signedIn('ada@example.com')
  const { session_token } = (await identity.app().signIn('ada@example.com')).body
  for (const headers of [
    browser.headers,
    { 'x-session-token': session_token },
    { authorization: `bearer ${session_token}` },
    { 'x-session-token': 'ory_st_nobody' },
    {},
  ]) {
    const answer = await identity.checkSession(new Headers(headers))
    const route = await byRoute(identity, { ...headers })
    assert.equal(answer.status, route.status)
    const session = route.status === 200 ? JSON.parse(route.body) : undefined
    assert.deepEqual(answer.session && JSON.parse(JSON.stringify(answer.session)), session)
  }
})

testOnEach('a look-up shows every change at once', async () => {
  const dsn = await newDsn({ shared: true })
  const [identity, replica] = [await createTestIdentity({ dsn }), await createTestIdentity({ dsn })]
  await identity.user('ada@example.com')
  const { session_token, session } = (await identity.app().signIn('ada@example.com')).body
  const headers = { 'x-session-token': session_token }
  const look = async () => JSON.parse((await byFastPath(identity, headers))?.body ?? '{}')
  const before = await look()
  const path = `/admin/identities/${before.identity.id}`
  const change = (op: object) => replica.admin('PATCH', path, [op])
  assert.deepEqual(await look(), before)
  await change({ op: 'replace', path: '/traits/email', value: 'eve@example.com' })
  assert.equal((await look()).identity.traits.email, 'eve@example.com')
  assert.equal((await look()).identity.verifiable_addresses[0].verified, false)
  await change({ op: 'replace', path: '/metadata_public', value: { plan: 'large' } })
  assert.deepEqual((await look()).identity.metadata_public, { plan: 'large' })
  await replica.admin('DELETE', `/admin/sessions/${session.id}`)
  assert.equal((await byFastPath(identity, headers))?.status, 401)
})

test('the route handles insufficient sessions', async () => {
  const { identity, browser } = await withAda()
  const app = identity.app()
  const { session_token } = (await app.signIn('ada@example.com')).body
  const headers = { 'x-session-token': session_token }
  assert.ok(await byFastPath(identity, headers))
  await addTotp(identity, browser)
  assert.equal(await byFastPath(identity, headers), undefined)
  assert.equal((await byRoute(identity, headers)).status, 403)
  assert.deepEqual(await identity.checkSession(new Headers(headers)), { status: 403 })
})

test("the route renews an extended session's cookie", async () => {
  const identity = await createTestIdentity({ session: { lifespan: '1h', earliest_possible_extend: '1h' } })
  await identity.user('ada@example.com')
  const browser = identity.browser()
  const { session } = (await browser.signIn('ada@example.com')).body
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  assert.ok(await byFastPath(identity, { cookie }))
  identity.advance(5)
  await identity.adminApp.request(`/admin/sessions/${session.id}/extend`, { method: 'PATCH' })
  assert.equal(await byFastPath(identity, { cookie }), undefined)
  assert.match((await byRoute(identity, { cookie })).headers['set-cookie'] ?? '', /^ory_kratos_session=/)
})

test('FLT-03 a failing database is not asked again', async () => {
  const dsn = await newDsn({ shared: true })
  const identity = await createTestIdentity({ dsn })
  await identity.user('ada@example.com')
  const { session_token } = (await identity.app().signIn('ada@example.com')).body
  const db = await openTestDatabase(dsn)
  await db.schema.alterTable('sessions').renameTo('sessions_elsewhere').execute()
  const answer = await byFastPath(identity, { 'x-session-token': session_token })
  const checked = await identity.checkSession(new Headers({ 'x-session-token': session_token }))
  await db.schema.alterTable('sessions_elsewhere').renameTo('sessions').execute()
  assert.equal(answer?.status, 500)
  assert.equal(JSON.parse(answer?.body ?? '').error.code, 500)
  assert.deepEqual(checked, { status: 500 })
  assert.equal(identity.logged.filter((line) => line.startsWith('a request failed')).length, 2)
  assert.equal((await byFastPath(identity, { 'x-session-token': session_token }))?.status, 200)
})
