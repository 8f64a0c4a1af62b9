import { expect, test } from 'vitest'
import { adviceFor } from './password-advice.tsx'
import { parseCode } from './rules.ts'

test.each([
  ['', /^At least 6 characters\. Several words/],
  ['12345', /^At least 6 characters\.$/],
  ['aaaaaaaa', /weak/],
  ['passw0rd', /weak/],
  ['blue-garden', /fair/],
  ['correct horse battery', /strong\.$/],
  ['пароль из слов', /fair|strong/],
])('%j', (password, advice) => {
  expect(adviceFor(password)).toMatch(advice)
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
