import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCommon } from './common-passwords.ts'

test('SEC-49 recognizes the most common passwords in any case', () => {
  for (const password of [
    '123456',
    'password',
    'qwerty',
    'Password1',
    'ILOVEYOU',
    'letmein',
    '１２３４５６',
  ]) {
    assert.equal(isCommon(password), true, password)
  }
  for (const password of ['correct horse 9 battery', 'seven quiet words 5', 'Tr0ub4dor&3 tomato']) {
    assert.equal(isCommon(password), false, password)
  }
})
