import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestProduct, type TestProduct } from '@ostiary/server/testing/product'
import { createVisitor } from '@ostiary/server/testing/visitor'

async function follow(product: TestProduct) {
  const response = await product.fetch('/demo/api/changes')
  assert.equal(response.headers.get('content-type'), 'text/event-stream')
  const reader = response.body?.getReader() ?? assert.fail()
  const next = async () => {
    const { done, value } = await reader.read()
    // Two changes at once may arrive together.
    return done ? 'ended' : new TextDecoder().decode(value).replace(/^(data: changed\n\n)+$/, '$1')
  }
  return { next, close: () => reader.cancel() }
}

test('a stream begins with a change, and names those of calls, switches and emails', async () => {
  await using product = await startTestProduct()
  const visitor = createVisitor(product.base, 'http://localhost:3000')
  await visitor.get(`${product.base}/`, { accept: 'text/html' })
  const { next, close } = await follow(product)
  assert.equal(await next(), 'data: changed\n\n')
  await visitor.get(`${product.base}/.ory/self-service/login/browser`)
  assert.equal(await next(), 'data: changed\n\n')
  await product.fetch('/demo/api/switches', { method: 'DELETE' })
  assert.equal(await next(), 'data: changed\n\n')
  product.identity.start()
  await product.identity.mail.send({ to: 'ada@example.com', template: greeting, data: {} })
  assert.equal(await next(), 'data: changed\n\n')
  await close()
})

const greeting = {
  name: 'greeting',
  sample: {},
  write: () => ({ subject: 'Hello', title: 'Hello', body: [] }),
}

test('open streams do not keep the server from stopping', async () => {
  const product = await startTestProduct()
  const { next } = await follow(product)
  await next()
  await product[Symbol.asyncDispose]()
  assert.equal(await next(), 'ended')
})

test('refuses HEAD, which would leave a stream open', async () => {
  await using product = await startTestProduct()
  assert.equal((await product.fetch('/demo/api/changes', { method: 'HEAD' })).status, 405)
})

test('only pages of the demo may follow it', async () => {
  await using product = await startTestProduct()
  const headers = { origin: 'https://evil.example' }
  assert.equal((await product.fetch('/demo/api/changes', { headers })).status, 403)
  await using elsewhere = await startTestProduct({ SMTP_URL: 'off' })
  assert.equal((await elsewhere.fetch('/demo/api/changes')).status, 404)
})
