import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashToken, newId, randomCode, randomToken } from './random.ts'

test('creates URL-safe tokens of 43 characters', () => {
  assert.match(randomToken(), /^[0-9A-Za-z]{43}$/)
  assert.match(randomToken(7), /^[0-9A-Za-z]{7}$/)
})

test('creates ten thousand distinct tokens', () => {
  assert.equal(new Set(Array.from({ length: 10_000 }, () => randomToken(16))).size, 10_000)
})

test('draws every character with equal probability', () => {
  const counts = new Map<string, number>()
  for (const character of randomToken(620_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
  assert.equal(counts.size, 62)
  // 10,000 are expected; the standard deviation is 99, and eight of them cannot be chance.
  for (const [character, count] of counts) assert.ok(Math.abs(count - 10_000) < 800, `${character}: ${count}`)
})

test('keeps leading zeros in six-digit codes', () => {
  const codes = Array.from({ length: 5_000 }, () => randomCode(6))
  for (const code of codes) assert.match(code, /^\d{6}$/)
  assert.ok(codes.some((code) => code.startsWith('0')))
  assert.match(randomCode(8), /^\d{8}$/)
})

test('creates version 4 UUIDs', () => {
  assert.match(newId(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('stores a token as its SHA-256', () => {
  assert.equal(hashToken('abc'), 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0')
})
