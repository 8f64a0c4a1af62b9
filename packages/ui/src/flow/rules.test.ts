import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { adviceFor } from './password-advice.tsx'
import { parseCode } from './rules.ts'

test.each([
  ['', /^At least 6 characters\. Several words/],
  ['12345', /^At least 6 characters\.$/],
  ['aaaaaaaa', /weak/],
  ['passw0rd', /weak/],
  ['password123', /^Strength: fair/],
  ['blue-garden', /^Strength: fair/],
  ['correct horse battery', /^Strength: strong/],
  ['k7v-93x_hq2!wze4ru-mp', /^Strength: strong/],
  ['пароль из слов', /^Strength: fair/],
])('%j', (password, advice) => {
  expect(adviceFor(password)).toMatch(advice)
})

test('praises no password that the service refuses as common', () => {
  const list = join(import.meta.dirname, '../../../identity/src/strategies/password/common-passwords.txt.gz')
  const passwords = gunzipSync(readFileSync(list)).toString().trimEnd().split('\n')
  expect(passwords).toContain('password123')
  const praise = adviceFor('correct horse battery')
  expect(passwords.filter((password) => adviceFor(password) === praise)).toEqual([])
})

test.each([
  ['123456', '123456'],
  ['12', '12'],
  ['12a3', '123'],
  ['123 456', '123456'],
  ['123\u200b456', '123456'],
  ['Your code is 123-456. It works for 10 minutes.', '123456'],
  ['Order 2024: 654321', '654321'],
  ['١٢٣ ۴۵۶', '123456'],
  ['１２３４５６', '123456'],
  ['no digits', ''],
  ['1234567890', '123456'],
])('%j is %j', (text, code) => {
  expect(parseCode(text)).toBe(code)
})
