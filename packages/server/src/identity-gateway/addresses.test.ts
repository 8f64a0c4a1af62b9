import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toOurs } from './addresses.ts'

const addresses = {
  ours: 'https://app.example/.ory',
  theirs: [new URL('https://id.example.test/base/'), new URL('http://engine:4433')],
}
const here = 'https://app.example/.ory/self-service/login?flow=1'

const cases: [string, string, string][] = [
  ['under its base URL', 'https://id.example.test/base/self-service/login?flow=1', here],
  ['under the address that we reach', 'http://engine:4433/self-service/login?flow=1', here],
  ['behind TLS that ends before it', 'https://engine:4433/self-service/login?flow=1', here],
  ['with capitals and the usual port', 'https://ID.example.test:443/base/self-service/login?flow=1', here],
  ['without a host', '/self-service/login?flow=1', '/.ory/self-service/login?flow=1'],
  [
    'with one of its own addresses inside',
    'http://engine:4433/self-service/login/browser?return_to=http%3A%2F%2Fengine%3A4433%2Fself-service%2Fsettings',
    'https://app.example/.ory/self-service/login/browser?return_to=http%3A%2F%2Fengine%3A4433%2Fself-service%2Fsettings',
  ],
]
for (const [name, address, ours] of cases) {
  test(`a URL of the other service ${name} becomes ours`, () => {
    assert.equal(toOurs(address, addresses), ours)
  })
}

const strangers = [
  'https://app.example/login?flow=1',
  'https://id.example.test/self-service/login',
  'https://id.example.test/basement/self-service/login',
  'https://id.example.test.evil.example/base/self-service/login',
  'https://id.example.test@evil.example/base/self-service/login',
  'https://id.example.test/base/admin/identities',
  'https://id.example.test/base/ui/login',
  'https://github.com/login/oauth/authorize?redirect_uri=https%3A%2F%2Fid.example.test%2Fbase%2Fself-service',
  '//id.example.test/base/self-service/login',
  '/login?flow=1',
  'data:image/png;base64,AAAA',
  'a user’s text about /self-service/login',
  '',
]
for (const address of strangers) {
  test(`leaves the foreign URL "${address}" unchanged`, () => {
    assert.equal(toOurs(address, addresses), address)
  })
}

test('understands a service that believes it is at our root', () => {
  const same = { ours: 'https://app.example/.ory', theirs: [new URL('https://app.example')] }
  assert.equal(
    toOurs('https://app.example/self-service/login', same),
    'https://app.example/.ory/self-service/login',
  )
  for (const address of ['https://app.example/.ory/self-service/login', 'https://app.example/login'])
    assert.equal(toOurs(address, same), address)
})
