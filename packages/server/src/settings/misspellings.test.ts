import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMisspellings } from './misspellings.ts'

const SETTINGS = ['DATABASE_URL', 'ADMIN_TOKEN', 'SECRETS', 'PORT', 'SMTP_URL']

function of(...names: string[]): string[] {
  return findMisspellings(Object.fromEntries(names.map((name) => [name, 'x'])), SETTINGS)
}

test('names the setting that was meant', () => {
  for (const [written, meant] of [
    ['DATABASE_URI', 'DATABASE_URL'],
    ['smtp_url', 'SMTP_URL'],
    ['SMPT_URL', 'SMTP_URL'],
    ['DATABASE_URI_FILE', 'DATABASE_URL_FILE'],
    ['ADMIN_TOKN_FILE', 'ADMIN_TOKEN_FILE'],
    ['SECRET_FILE', 'SECRETS_FILE'],
  ] as const)
    assert.deepEqual(of(written), [`${written} is not a setting. Did you mean ${meant}?`])
})

test('takes no variable of another program for a setting', () => {
  assert.deepEqual(of('HOME', 'PROFILE', 'LOG_FILE', 'SECRETS_FILE'), [])
  assert.deepEqual(of('DATABASE_URI', 'DATABASE_URL'), [])
})
