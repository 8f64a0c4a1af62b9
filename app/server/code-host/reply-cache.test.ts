import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReplyCache } from './reply-cache.ts'

const copy = (size: number) => ({ data: size, etag: undefined, next: undefined, size, confirmed_at: 0 })

test('drops the least recently used copies', () => {
  const copies = createReplyCache(2, 100)
  copies.put('/a', copy(1))
  copies.put('/b', copy(1))
  copies.find('/a')
  copies.put('/c', copy(1))
  assert.deepEqual(
    ['/a', '/b', '/c'].map((path) => copies.find(path) !== undefined),
    [true, false, true],
  )
})

test('large answers cannot fill the memory', () => {
  const copies = createReplyCache(100, 100)
  copies.put('/a', copy(60))
  copies.put('/b', copy(60))
  assert.equal(copies.find('/a'), undefined)
  copies.put('/b', copy(30))
  copies.put('/c', copy(70))
  assert.ok(copies.find('/b'), 'replacing a copy gives its place back')
})
