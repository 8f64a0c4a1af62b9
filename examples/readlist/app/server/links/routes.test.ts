import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestProduct } from '@ostiary/server/testing'
import product from '../../server.ts'

test('users see their links, and only editors see those of others', async () => {
  await using app = await createTestProduct(product)
  const ada = await app.signedIn('ada@example.com')
  const eve = await app.signedIn('eve@example.com', ['editor'])
  const count = async (path: string, user: typeof ada) => {
    const response = await app.fetch(`/api/v1/links${path}`, user)
    return response.ok ? ((await response.json()) as object[]).length : response.status
  }
  const add = async (url: string, headers: Readonly<Record<string, string>>) => {
    const init = { method: 'POST', body: JSON.stringify({ url }) }
    const json = { 'Content-Type': 'application/json' }
    return (await app.fetch('/api/v1/links', { ...init, headers: { ...headers, ...json } })).status
  }
  assert.equal(await add('https://example.com/', ada.headers), 201)
  assert.equal(await add('javascript:alert(1)', ada.headers), 400)
  assert.equal(await add('javascript:alert(1)', {}), 401, 'a stranger learns nothing about the input')
  assert.equal(await count('', ada), 1)
  assert.equal(await count('', eve), 0)
  assert.equal(await count('/newest', ada), 403)
  assert.equal(await count('/newest', eve), 1)
})
