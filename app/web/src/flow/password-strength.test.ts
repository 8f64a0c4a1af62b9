import { expect, test } from 'vitest'
import { adviceFor } from './password-strength.ts'

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
