import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toOurCookie } from './headers.ts'

const cases: [name: string, https: boolean, given: string, expected: string][] = [
  [
    'domain and path become those of this host, the rest stays',
    true,
    'ory_session_x=a=b; Path=/base; Domain=.example.test; Max-Age=60; HttpOnly; Secure; SameSite=Lax',
    'ory_session_x=a=b; Max-Age=60; HttpOnly; SameSite=Lax; Path=/; Secure',
  ],
  ['over https every cookie is Secure', true, 'a=1; HttpOnly', 'a=1; HttpOnly; Path=/; Secure'],
  ['over http none is', false, 'a=1; secure; HttpOnly', 'a=1; HttpOnly; Path=/'],
  [
    'without Secure there is no SameSite=None and no Partitioned',
    false,
    'a=1; Secure; SameSite=None; Partitioned',
    'a=1; SameSite=Lax; Path=/',
  ],
  [
    'over https they stay',
    true,
    'a=1; SameSite=None; Partitioned',
    'a=1; SameSite=None; Partitioned; Path=/; Secure',
  ],
  [
    'names with a prefix need Secure over http too',
    false,
    '__Host-csrf=1; Path=/; Secure',
    '__Host-csrf=1; Path=/; Secure',
  ],
  ['an expiring cookie still expires', true, 'a=; Max-Age=0; Domain=x.test', 'a=; Max-Age=0; Path=/; Secure'],
  ['a value may look like an attribute', true, 'a=Domain=x; path=/y', 'a=Domain=x; Path=/; Secure'],
]
for (const [name, https, given, expected] of cases) {
  test(`cookies: ${name}`, () => {
    assert.equal(toOurCookie(given, https), expected)
  })
}
