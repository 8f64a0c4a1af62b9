import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestDatabase } from '../../../test/kit/databases.ts'
import { batchPerTurn } from './batch-per-turn.ts'

function counted() {
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
  const { find, asked } = counted()
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
  const { find, asked } = counted()
  assert.deepEqual(await Promise.all([find(db, 'a'), find(other, 'bb')]), [1, 2])
  assert.deepEqual(asked, [['a'], ['bb']])
})

test('an error fails every look-up of its statement and no later one', async () => {
  const db = await openTestDatabase()
  const { find } = counted()
  const results = await Promise.allSettled([find(db, 'a'), find(db, 'broken')])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await find(db, 'a'), 1)
})
