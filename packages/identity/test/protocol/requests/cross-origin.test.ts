import assert from 'node:assert/strict'
import { test } from '../../kit/databases.ts'
import { createTestIdentity, type TestIdentity } from '../../kit/kit.ts'

const ALLOWED = 'https://app.example.test'
const CORS = { enabled: true, allowed_origins: [ALLOWED], allowed_headers: ['Content-Type'], max_age: 86_400 }

const service = () => createTestIdentity({ serve: { public: { cors: CORS } } })

function preflight(identity: TestIdentity, headers: Record<string, string>, path = '/sessions/whoami') {
  return identity.publicApp.request(`http://identity.test${path}`, { method: 'OPTIONS', headers })
}

const allowOf = (answer: Response) =>
  [...answer.headers].filter(([name]) => name.startsWith('access-control-')).map(([name]) => name)

test('SEC-38 listed origins may read responses', async () => {
  const identity = await service()
  const answer = await identity.publicApp.request('http://identity.test/sessions/whoami', {
    headers: { origin: ALLOWED },
  })
  assert.equal(answer.headers.get('access-control-allow-origin'), ALLOWED)
  assert.equal(answer.headers.get('access-control-allow-credentials'), 'true')
  assert.equal(answer.headers.get('vary'), 'Origin, Cookie')
})

test('SEC-38 rejects an origin that resembles a listed one', async () => {
  const identity = await service()
  const others = [
    'null',
    'http://app.example.test',
    'https://app.example.test.evil',
    'https://evil-app.example.test',
    'https://app.example.test:8443',
    'https://APP.example.test',
    'https://x.app.example.test',
    `${ALLOWED}/`,
    `${ALLOWED}, https://evil.test`,
    '',
  ]
  for (const origin of others) {
    const answer = await identity.publicApp.request('http://identity.test/health/alive', {
      headers: { origin },
    })
    assert.deepEqual(allowOf(answer), [], origin)
    assert.equal(answer.headers.get('vary'), 'Origin')
    const asked = await preflight(identity, { origin, 'access-control-request-method': 'GET' })
    assert.equal(asked.status, 204)
    assert.deepEqual(allowOf(asked), [], origin)
  }
})

test('SEC-38 a wildcard matches one subdomain level', async () => {
  const cors = {
    enabled: true,
    allowed_origins: ['https://*.example.test', 'https://pr-*.preview.test:8443'],
  }
  const identity = await createTestIdentity({ serve: { public: { cors } } })
  const isAllowed = async (origin: string) => {
    const answer = await identity.publicApp.request('http://identity.test/health/alive', {
      headers: { origin },
    })
    return answer.headers.get('access-control-allow-origin') === origin
  }
  for (const origin of [
    'https://app.example.test',
    'https://x-1.example.test',
    'https://pr-7.preview.test:8443',
  ])
    assert.equal(await isAllowed(origin), true, origin)
  for (const origin of [
    'https://example.test',
    'https://a.b.example.test',
    'https://app.example.test.evil',
    'https://evil.test?.example.test',
    'https://evil.test#x.example.test',
    'https://user@x.example.test',
    'https://app.example.test:8443',
    'http://app.example.test',
    'https://x-pr-7.preview.test:8443',
    'null',
  ])
    assert.equal(await isAllowed(origin), false, origin)
})

test('SEC-38 a list with * allows no origin', async () => {
  const cors = { enabled: true, allowed_origins: ['*', 'null'] }
  const identity = await createTestIdentity({ serve: { public: { cors } } })
  for (const origin of ['*', 'null', ALLOWED]) {
    const answer = await identity.publicApp.request('http://identity.test/health/alive', {
      headers: { origin },
    })
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
  }
})

test('caches a preflight for ten minutes', async () => {
  const identity = await service()
  const answer = await preflight(identity, {
    origin: ALLOWED,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  })
  assert.equal(answer.status, 204)
  assert.equal(answer.headers.get('access-control-allow-methods'), 'POST')
  assert.equal(answer.headers.get('access-control-allow-headers'), 'content-type')
  assert.equal(answer.headers.get('access-control-max-age'), '600')
})

test('denies preflights for unlisted methods and headers', async () => {
  const identity = await service()
  const asked = { origin: ALLOWED, 'access-control-request-method': 'TRACE' }
  assert.deepEqual(allowOf(await preflight(identity, asked)), [])
  const header = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type, x-other',
  }
  assert.deepEqual(allowOf(await preflight(identity, { origin: ALLOWED, ...header })), [])
})
