import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
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

test('keeps the password list under 100 KB', () => {
  assert.ok(readFileSync(new URL('common-passwords.ts', import.meta.url)).length < 100_000)
})
