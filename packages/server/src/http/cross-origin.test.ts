import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUp, startTestProduct } from '../../test/product.ts'

const SHOP = 'https://shop.example.com'
const PUBLIC_URL = 'https://app.example.com'
const env = { PUBLIC_URL, CORS_ORIGINS: `${SHOP}, https://blog.example.com`, SMTP_URL: 'off' }

test('SEC-38 only the scripts of configured origins may read the product API with cookies', async () => {
  await using product = await startTestProduct(env)
  const allowed = async (origin: string, method = 'GET') => {
    const headers = { origin, 'access-control-request-method': 'DELETE' }
    const { headers: answer } = await product.fetch('/api/v1/account/deletion', { method, headers })
    return [answer.get('access-control-allow-origin'), answer.get('access-control-allow-credentials')]
  }
  assert.deepEqual(await allowed(SHOP), [SHOP, 'true'])
  assert.deepEqual(await allowed(SHOP, 'OPTIONS'), [SHOP, 'true'])
  for (const origin of ['https://shop.example.com.evil.example', 'http://shop.example.com', 'null', '*'])
    for (const method of ['GET', 'OPTIONS']) assert.equal((await allowed(origin, method))[0], null, origin)
})

test('SEC-38 only known origins may change something with cookies', async () => {
  await using product = await startTestProduct(env)
  const status = async (headers: Record<string, string>) =>
    (await product.fetch('/api/v1/account/deletion', { method: 'DELETE', headers })).status
  const cookie = 'session=x'
  assert.equal(await status({ cookie, origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' }), 401)
  assert.equal(await status({ cookie, origin: SHOP, 'sec-fetch-site': 'same-site' }), 401)
  assert.equal(await status({ 'x-session-token': 'x' }), 401)
  for (const origin of ['https://evil.example', 'https://other.example.com', 'null'])
    assert.equal(await status({ cookie, origin, 'sec-fetch-site': 'same-site' }), 403, origin)
  assert.equal(await status({ cookie }), 403)
})

test('without configured origins no other one may call the product API with cookies', async () => {
  await using product = await startTestProduct()
  const token = await signUp(product, 'ada@example.com')
  const headers = { origin: SHOP, 'x-session-token': token }
  const answer = await product.fetch('/api/v1/account/session', { headers })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('access-control-allow-origin'), null)
})
