import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isCommon } from './policy.ts'

const OWN = ['Blue Heron', 'app.example.com', 'example']

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
    assert.equal(isCommon(password, OWN), true, password)
  }
  for (const password of ['correct horse 9 battery', 'seven quiet words 5', 'Tr0ub4dor&3 tomato']) {
    assert.equal(isCommon(password, OWN), false, password)
  }
})

test('SEC-62 the names of the service and its host are common, whatever is around them', () => {
  for (const password of ['blue-heron', 'BlueHeron2026', 'blue heron 1!', 'app.example.com', 'Example99'])
    assert.equal(isCommon(password, OWN), true, password)
  for (const password of ['blue herons 12', '20262026!?', 'an example 99'])
    assert.equal(isCommon(password, OWN), false, password)
})
