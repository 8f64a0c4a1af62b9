import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRecent } from './recent.ts'

function counted(most: number) {
  const recent = createRecent<{ readonly text: string }>(most)
  let made = 0
  const make = (text: string) => {
    made += 1
    return { text }
  }
  return { reuse: (key: string, text?: string) => recent.reuse(key, text, make), made: () => made }
}

test('computes an unchanged value once', () => {
  const { reuse, made } = counted(10)
  const first = reuse('a', '["x",null]')
  assert.equal(reuse('a', '["x",null]'), first)
  assert.equal(made(), 1)
})

test('computes each changed value', () => {
  const { reuse } = counted(10)
  for (const text of ['["x",null]', '["x","on"]', '["y","on"]', undefined, '["y","on"]', '["x",null]'])
    assert.equal(reuse('a', text)?.text, text)
})

test('drops the least recently used value, and none for unknown keys', () => {
  const { reuse, made } = counted(2)
  const ask = (key: string) => reuse(key, key)
  ask('a')
  ask('b')
  ask('a')
  ask('c')
  for (let n = 0; n < 10; n += 1) reuse(`unknown ${n}`)
  const before = made()
  ask('a')
  ask('c')
  assert.equal(made(), before)
  ask('b')
  assert.equal(made(), before + 1)
})
