import { expect, test } from 'vitest'
import { parseCode } from './parse-code.ts'

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
