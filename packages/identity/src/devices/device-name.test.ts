import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceName } from './device-name.ts'

const agents = [
  ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge on Windows', 'computer'],
  ['Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android', 'phone'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18 Safari/605.1.15',
    'Safari on macOS',
    'computer',
  ],
  ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Version/18 Safari/604.1', 'Safari on iPad', 'tablet'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux', 'computer'],
  ['curl/8.5.0', 'An app', 'app'],
  [undefined, 'An app', 'app'],
] as const

for (const [agent, name, kind] of agents) {
  test(`calls ${agent ?? 'a client without a User-Agent'} ${name}`, () => {
    assert.deepEqual(deviceName(agent), { name, kind })
  })
}
