import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { canonicalLocation } from './edge.ts'

const here = new URL('http://localhost:3000')
const html = { accept: 'text/html,*/*' }
const navigate = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

function location(url: string, headers: Record<string, string>, method = 'GET', public_url = here) {
  return canonicalLocation({ url, method, headers } as unknown as IncomingMessage, public_url)
}

test('redirects a page from another name of this machine', () => {
  for (const host of ['127.0.0.1:3000', '[::1]:3000', '127.0.0.1'])
    assert.equal(location('/verify?flow=1', { host, ...html }), 'http://localhost:3000/verify?flow=1')
  assert.equal(location('/.ory/x', { host: '127.0.0.1:3000', ...navigate }), 'http://localhost:3000/.ory/x')
})

const left: [string, Parameters<typeof location>][] = [
  ['the right name', ['/', { host: 'localhost:3000', ...html }]],
  ['a call of a script', ['/api/v1/account/devices', { host: '127.0.0.1:3000', 'sec-fetch-mode': 'cors' }]],
  ['a call of a program', ['/', { host: '127.0.0.1:3000', accept: '*/*' }]],
  [
    'a program that drives the identity service',
    ['/.ory/self-service/login/browser', { host: '127.0.0.1:3000', ...html }],
  ],
  ['a form', ['/.ory/self-service/login', { host: '127.0.0.1:3000', ...navigate }, 'POST']],
  ['SEC-11 a name that is not of this machine', ['/', { host: 'evil.example', ...navigate }]],
  ['SEC-11 a path that names a host', ['http://evil.example/', { host: '127.0.0.1:3000', ...navigate }]],
  ['a frame', ['/demo/mails/1', { host: '127.0.0.1:3000', ...navigate, 'sec-fetch-dest': 'iframe' }]],
  ['a public address', ['/', { host: '127.0.0.1:3000', ...navigate }, 'GET', new URL('https://app.example')]],
]
for (const [name, request] of left) {
  test(`answers ${name} without a redirect`, () => {
    assert.equal(location(...request), undefined)
  })
}

test('SEC-11 two slashes do not become another host', () => {
  const target = location('//evil.example/', { host: '127.0.0.1:3000', ...navigate }) ?? ''
  assert.equal(new URL(target).host, 'localhost:3000')
})
