import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pickEncoding } from './spa-files.ts'

const cases: [string | null, string][] = [
  [null, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0,gzip;q=0', 'identity'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['br;q=0, *', 'gzip'],
  ['GZIP ; Q=0.5', 'gzip'],
  ['identity', 'identity'],
  ['br;q=nonsense', 'br'],
]
for (const [header, expected] of cases) {
  test(`Accept-Encoding ${JSON.stringify(header)} gets ${expected}`, () => {
    assert.equal(pickEncoding(header), expected)
  })
}
