import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorResponse, ProductError } from '@ostiary/server/demo'
import { Hono } from 'hono'
import { ownHostsOnly } from './routes.ts'

const PUBLIC_URL = 'http://localhost:3000'

test('the demo answers clients on its own machine only', async () => {
  for (const peer of ['127.0.0.1', '127.0.0.9', '::1', '::ffff:127.0.0.1'])
    assert.equal(await status(PUBLIC_URL, peer), 200, peer)
  for (const peer of [
    '10.0.0.7',
    '172.17.0.1',
    '192.168.1.20',
    '203.0.113.9',
    '::ffff:10.0.0.7',
    'fe80::1',
    '::',
  ])
    assert.equal(await status(PUBLIC_URL, peer), 403, peer)
})

test('the demo answers under its own names only', async () => {
  for (const url of [PUBLIC_URL, 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    assert.equal(await status(url, '127.0.0.1'), 200, url)
  for (const url of [
    'http://evil.example:3000',
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
  ])
    assert.equal(await status(url, '127.0.0.1'), 403, url)
})

test('SEC-55 the demo is not shown through a proxy', async () => {
  for (const name of [
    'Forwarded',
    'Via',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Real-IP',
    'CF-Connecting-IP',
  ])
    assert.equal(await status(PUBLIC_URL, '127.0.0.1', { [name]: '192.0.2.2' }), 403)
  assert.equal(await status(PUBLIC_URL, '127.0.0.1', {}, '1.0'), 403)
})

async function status(
  url: string,
  remoteAddress: string,
  headers = {},
  httpVersion = '1.1',
): Promise<number> {
  const app = new Hono()
  app.use(ownHostsOnly(new URL(PUBLIC_URL)))
  app.get('/inbox', (c) => c.text('mails'))
  app.onError((error) => {
    if (error instanceof ProductError) return errorResponse(error)
    throw error
  })
  return (
    await app.request(`${url}/inbox`, { headers }, { incoming: { socket: { remoteAddress }, httpVersion } })
  ).status
}
