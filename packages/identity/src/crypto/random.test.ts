import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashToken, newId, randomCode, randomToken } from './random.ts'

test('a token has 43 characters that need no escaping anywhere', () => {
  assert.match(randomToken(), /^[0-9A-Za-z]{43}$/)
  assert.match(randomToken(7), /^[0-9A-Za-z]{7}$/)
})

test('ten thousand tokens are all different', () => {
  assert.equal(new Set(Array.from({ length: 10_000 }, () => randomToken(16))).size, 10_000)
})

test('no character of a token is likelier than another', () => {
  const counts = new Map<string, number>()
  for (const character of randomToken(620_000)) counts.set(character, (counts.get(character) ?? 0) + 1)
  assert.equal(counts.size, 62)
  // 10,000 are expected of each; the standard deviation is 99, so eight of them is no accident.
  for (const [character, count] of counts) assert.ok(Math.abs(count - 10_000) < 800, `${character}: ${count}`)
})

test('a code has six digits, also when it begins with zeros', () => {
  const codes = Array.from({ length: 5_000 }, () => randomCode(6))
  for (const code of codes) assert.match(code, /^\d{6}$/)
  assert.ok(codes.some((code) => code.startsWith('0')))
  assert.match(randomCode(8), /^\d{8}$/)
})

test('an id is a UUID of version 4', () => {
  assert.match(newId(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a stored token is its SHA-256', () => {
  assert.equal(hashToken('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
