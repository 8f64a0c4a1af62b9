import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as product from '../../../../app.config.ts'
import { findProductProblems } from './conflicts.ts'

test('names what is wrong in app.config.ts', () => {
  assert.deepEqual([...findProductProblems(product)], [])
  const problems = findProductProblems({
    accentHue: 'green' as unknown as number,
    traits: { birthday: { type: 'string', format: 'day' } },
    requiredTraits: ['birthday', 'nickname'],
  })
  const expected = [/accentHue .* "green"/, /requiredTraits .* "nickname"/, /traits\.birthday .* "day"/]
  for (const [index, problem] of [...problems].entries()) assert.match(problem, expected[index] ?? /^$/)
})
