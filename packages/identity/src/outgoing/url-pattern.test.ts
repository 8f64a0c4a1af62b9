import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchesUrl } from './guarded-fetch.ts'

const matches = (pattern: string, url: string) => matchesUrl(pattern, new URL(url))

test('an exception without wildcards is that address, with any query', () => {
  const pattern = 'http://hooks.internal:8080/after'
  assert.ok(matches(pattern, 'http://hooks.internal:8080/after'))
  assert.ok(matches(pattern, 'http://hooks.internal:8080/after?x=1#y'))
  assert.ok(!matches(pattern, 'http://hooks.internal:8080/after/all'))
  assert.ok(!matches(pattern, 'http://hooksXinternal:8080/after'))
  assert.ok(!matches(pattern, 'https://hooks.internal:8080/after'))
})

test('one star stops at a dot and at a slash, two do not', () => {
  assert.ok(matches('http://*.internal/*', 'http://hooks.internal/after'))
  assert.ok(!matches('http://*.internal/*', 'http://a.b.internal/after'))
  assert.ok(!matches('http://*.internal/*', 'http://hooks.internal/a/b'))
  assert.ok(matches('http://hooks.internal/**', 'http://hooks.internal/a/b.json'))
})

test('rejects a host in the user part of a URL', () => {
  assert.ok(!matches('http://hooks.internal/**', 'http://hooks.internal@evil.test/'))
  assert.ok(!matches('http://hooks.internal/**', 'http://evil.test/http://hooks.internal/'))
})
