import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as product from '../../../../app.config.ts'
import { findProductProblems } from './conflicts.ts'

test('names what is wrong in app.config.ts', () => {
  assert.deepEqual([...findProductProblems(product)], [])
  const problems = findProductProblems({
    accentHue: 'green' as unknown as number,
    traits: {
      birthday: { type: 'string', format: 'day' },
      pager: { type: 'string', format: 'no-validate' },
    },
    requiredTraits: ['birthday', 'nickname'],
  })
  const [accentHue, nickname, birthday, ...others] = problems
  assert.match(accentHue ?? '', /accentHue .* "green"/)
  assert.match(nickname ?? '', /requiredTraits .* "nickname"/)
  assert.match(birthday ?? '', /traits\.birthday .* "day"/)
  assert.deepEqual(others, [])
})
