import assert from 'node:assert/strict'
import { test } from 'node:test'
import { originMatcher } from './values.ts'

test('matches the origin that browsers send, however it is configured', () => {
  const isKnown = originMatcher([
    'HTTPS://App.test:443/',
    'https://exämple.test',
    'https://*.Exämple.test:443',
    'http://pr-*.preview.test:80',
  ])
  for (const origin of [
    'https://app.test',
    'https://xn--exmple-cua.test',
    'https://shop.xn--exmple-cua.test',
    'http://pr-7.preview.test',
  ])
    assert.ok(isKnown(origin), origin)
  for (const origin of [
    'https://a.b.xn--exmple-cua.test',
    'https://xn--exmple-cua.test:8443',
    'https://x.test',
  ])
    assert.ok(!isKnown(origin), origin)
})
