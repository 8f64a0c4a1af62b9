import assert from 'node:assert/strict'
import { ConfigError } from '../../src/config/config-error.ts'
import { JSON_BODY } from '../answers.ts'
import { test } from '../databases.ts'
import { createTestIdentity } from '../kit.ts'

const TOKEN = 'a-token-of-the-tests-long-enough-to-be-one'
const ADA = JSON.stringify({ traits: { email: 'ada@example.com' } })

test('SEC-34 no page can make a browser call the admin API, with or without an Origin header', async () => {
  const { adminApp } = await createTestIdentity()
  const call = (headers: Record<string, string>, method = 'POST') =>
    adminApp.request('http://127.0.0.1:4434/admin/identities', {
      method,
      headers: { ...JSON_BODY, ...headers },
      ...(method === 'POST' ? { body: ADA } : {}),
    })
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:4434' },
  ]) {
    assert.equal((await call(headers)).status, 403, JSON.stringify(headers))
    assert.equal((await call(headers, 'GET')).status, 403, JSON.stringify(headers))
  }
  assert.equal((await call({})).status, 201)
  assert.equal((await call({ 'sec-fetch-site': 'none' }, 'GET')).status, 200)
})

test('DNS rebinding: a host name that resolves to this machine does not reach the admin API', async () => {
  const { adminApp } = await createTestIdentity()
  assert.equal((await adminApp.request('http://evil.example:4434/admin/identities')).status, 403)
})

test('with a token configured every call must carry it, except health checks', async () => {
  const identity = await createTestIdentity({ serve: { admin: { host: '0.0.0.0', token: TOKEN } } })
  const get = async (path: string, authorization?: string) => {
    const headers = authorization === undefined ? {} : { authorization }
    return (await identity.adminApp.request(`http://127.0.0.1${path}`, { headers })).status
  }
  for (const path of [
    '/admin/identities',
    '/identities',
    '/sessions',
    '/version',
    '/admin/health/../identities',
  ])
    for (const shown of [undefined, 'Bearer', 'Bearer wrong', `Basic ${TOKEN}`, TOKEN])
      assert.equal(await get(path, shown), 401, `${path} with ${shown}`)
  assert.equal(await get('/health/alive'), 200)
  assert.equal(await get('/admin/identities', `Bearer ${TOKEN}`), 200)
  assert.ok(identity.logged.some((line) => line.includes('"event":"admin_call","outcome":"refused"')))
  assert.ok(!identity.logged.some((line) => line.includes(TOKEN)))
})

test('the admin API refuses to listen beyond this machine without a token', async () => {
  for (const host of ['0.0.0.0', '::', '10.0.0.7', 'identity.internal'])
    await assert.rejects(createTestIdentity({ serve: { admin: { host } } }), (error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.message, /serve\.admin\.token/)
      return true
    })
  for (const host of ['127.0.0.1', '::1', 'localhost', '127.0.0.2'])
    await createTestIdentity({ serve: { admin: { host } } })
})
