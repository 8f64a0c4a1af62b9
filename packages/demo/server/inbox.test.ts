import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Mail } from '@ostiary/identity'
import { ProductError } from '@ostiary/server/demo'
import { Hono } from 'hono'
import { createChanges } from './changes.ts'
import { demoRoutes } from './routes.ts'

const public_url = new URL('http://localhost:5200')

function setUp(...mails: Partial<Mail>[]) {
  const complete = mails.map((mail, index) => ({
    id: `mail-${index}`,
    recipient: 'ada@example.com',
    subject: 'Welcome',
    body: 'Hello',
    html: '<p>Hello</p>',
    template_type: 'verification_code_valid',
    created_at: '2031-01-01T00:00:00Z',
    status: 'queued' as const,
    ...mail,
  }))
  const parts = {
    listMails: async () => complete,
    listPreviews: () => [],
    providers: { clients: [], routes: new Hono() },
    changes: createChanges(() => new Date(), { hasPanel: true }),
  }
  const app = demoRoutes(parts, public_url)
  app.onError((error, c) => c.text(error.message, error instanceof ProductError ? error.status : 500))
  return { get: (path: string, host = 'localhost:5200') => app.request(`http://${host}${path}`) }
}

test('the inbox lists emails with code and link', async () => {
  const body = 'Your code is 123456.\nOr open http://localhost:5200/verify?flow=1&code=123456 now.'
  const { get } = setUp({ subject: '123456 is your code', body })
  const { mails } = (await (await get('/api/mails')).json()) as { mails: object[] }
  assert.deepEqual(mails, [
    {
      id: 'mail-0',
      recipient: 'ada@example.com',
      subject: '123456 is your code',
      body,
      template_type: 'verification_code_valid',
      created_at: '2031-01-01T00:00:00Z',
      html_url: '/demo/mails/mail-0',
      code: '123456',
      use_url: 'http://localhost:5200/verify?flow=1&code=123456',
    },
  ])
})

test('an email without a code or with a foreign link has neither', async () => {
  const { get } = setUp({
    body: 'Dear a123456b@example.com, see https://elsewhere.example/2031-01-01/1234567 or call 12-345678-90.',
  })
  const { mails } = (await (await get('/api/mails')).json()) as { mails: object[] }
  assert.ok(!('code' in (mails[0] ?? {})) && !('use_url' in (mails[0] ?? {})))
})

test('an email runs nothing and is framed by our pages only', async () => {
  const { get } = setUp({ html: '<script>alert(1)</script>' })
  const response = await get('/mails/mail-0')
  const policy = response.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /(^|; )sandbox( |;|$)/)
  assert.ok(!policy.includes('allow-scripts'))
  assert.match(policy, /frame-ancestors 'self'/)
  assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
  assert.equal((await get('/mails/other')).status, 404)
})

test('a foreign host name does not see the emails (DNS rebinding)', async () => {
  const { get } = setUp({})
  assert.equal((await get('/api/mails', 'evil.example')).status, 403)
  assert.equal((await get('/mails/mail-0', 'evil.example:5200')).status, 403)
  assert.equal((await get('/api/mails', '127.0.0.1:5200')).status, 200)
})
