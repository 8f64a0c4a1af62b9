import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editDistance } from './edit-distance.ts'

test('each character put in, taken out or changed counts one', () => {
  const cases: [string, string, number][] = [
    ['', '', 0],
    ['same', 'same', 0],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
    ['lifespn', 'lifespan', 1],
    ['ab', 'ba', 2],
  ]
  for (const [one, other, distance] of cases) {
    assert.equal(editDistance(one, other), distance)
    assert.equal(editDistance(other, one), distance)
  }
})
