import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../test/kit/databases.ts'
import { batchPerTurn, createRecent } from './look-ups.ts'

function countMade(most: number) {
  const recent = createRecent<{ readonly text: string }>(most)
  let made = 0
  const make = (text: string) => {
    made += 1
    return { text }
  }
  return { reuse: (key: string, text?: string) => recent.reuse(key, text, make), made: () => made }
}

test('computes an unchanged value once', () => {
  const { reuse, made } = countMade(10)
  const first = reuse('a', '["x",null]')
  assert.equal(reuse('a', '["x",null]'), first)
  assert.equal(made(), 1)
})

test('computes each changed value', () => {
  const { reuse } = countMade(10)
  for (const text of ['["x",null]', '["x","on"]', '["y","on"]', undefined, '["y","on"]', '["x",null]'])
    assert.equal(reuse('a', text)?.text, text)
})

test('drops the least recently used value, and none for unknown keys', () => {
  const { reuse, made } = countMade(2)
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

function countAsked() {
  const asked: (readonly string[])[] = []
  const find = batchPerTurn(async (_, keys) => {
    asked.push(keys)
    if (keys.includes('broken')) throw new Error('the database does not answer')
    return new Map(keys.filter((key) => key !== 'unknown').map((key) => [key, key.length]))
  })
  return { find, asked }
}

test('combines the look-ups of a turn into one statement', async () => {
  const db = await openTestDatabase()
  const { find, asked } = countAsked()
  const found = await Promise.all(['a', 'bb', 'unknown', 'a'].map((key) => find(db, key)))
  assert.deepEqual(found, [1, 2, undefined, 1])
  assert.deepEqual(asked, [['a', 'bb', 'unknown']])
})

test('starts another statement for a later look-up', async () => {
  const db = await openTestDatabase()
  const running = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<void>()
  let stored = 'old'
  const find = batchPerTurn(async (_, keys) => {
    const read = stored
    if (read === 'old') {
      running.resolve()
      await answer.promise
    }
    return new Map(keys.map((key) => [key, read]))
  })
  const first = find(db, 'a')
  await running.promise
  stored = 'new'
  assert.equal(await find(db, 'a'), 'new')
  answer.resolve()
  assert.equal(await first, 'old')
})

test('does not share a statement between databases', async () => {
  const [db, other] = [await openTestDatabase(), await openTestDatabase()]
  const { find, asked } = countAsked()
  assert.deepEqual(await Promise.all([find(db, 'a'), find(other, 'bb')]), [1, 2])
  assert.deepEqual(asked, [['a'], ['bb']])
})

test('an error fails every look-up of its statement and no later one', async () => {
  const db = await openTestDatabase()
  const { find } = countAsked()
  const results = await Promise.allSettled([find(db, 'a'), find(db, 'broken')])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await find(db, 'a'), 1)
})
