import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSettings } from '../../test/settings.ts'
import { adviseOn } from './advice.ts'

const goodSecret = randomBytes(32).toString('base64url')
const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://app.example',
  SECRETS: goodSecret,
  SMTP_URL: 'smtp://mail.example:587',
}

test('one report names every invalid setting, conflict and unreadable file', () => {
  const wrong = {
    ...{ ...production, SECRETS: '', PORT: 'web', ADMIN_HOST: '0.0.0.0', GITHUB_CLIENT_ID: 'id' },
    SMTP_URL: '',
    SMTP_URL_FILE: '/nowhere',
  }
  assert.throws(() => readSettings(wrong), {
    message: [
      "SMTP_URL_FILE cannot be used: ENOENT: no such file or directory, open '/nowhere'. Change it.",
      'PORT must be a number from 1 to 65535. Change it, or remove it to use the default.',
      'SECRETS is missing. Make one with `openssl rand -base64 48` and set SECRETS to it; keep it.',
      'GITHUB_CLIENT_SECRET is missing although GITHUB_CLIENT_ID is set. Set all of them, or none.',
      'ADMIN_HOST opens the admin API to other machines. Set ADMIN_TOKEN to a secret (`openssl rand -base64 48`), or remove ADMIN_HOST.',
    ].join('\n'),
  })
})

test('reads any setting from a file', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'my-app-secrets-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secrets')
  writeFileSync(file, `${goodSecret}\n`)
  const { SECRETS, ...others } = production
  assert.deepEqual(readSettings({ ...others, SECRETS_FILE: file }).secrets, [goodSecret])
  assert.equal(readSettings({ ADMIN_TOKEN_FILE: file }).admin_token, goodSecret)
  assert.throws(
    () => readSettings({ ...others, SECRETS, SECRETS_FILE: file }),
    /^StartError: SECRETS_FILE cannot be used: SECRETS is set too\. Remove one of them\.$/,
  )
  writeFileSync(file, '\n')
  for (const [SECRETS_FILE, problem] of [
    [file, 'secrets is empty'],
    ['/nope', "ENOENT: .*'/nope'"],
  ])
    assert.throws(
      () => readSettings({ ...others, SECRETS_FILE }),
      new RegExp(`^StartError: SECRETS_FILE cannot be used: .*${problem}\\. Change it\\.$`),
    )
  assert.ok(readSettings({ SSL_CERT_FILE: '/nowhere' }))
})

test('ADMIN_TOKENS names operators with a role, and replaces ADMIN_TOKEN', () => {
  const ADMIN_TOKENS = `ada:support:${goodSecret}, ci:read:${goodSecret}x`
  assert.deepEqual(readSettings({ ADMIN_HOST: '0.0.0.0', ADMIN_TOKENS }).admin_tokens, [
    { name: 'ada', role: 'support', token: goodSecret },
    { name: 'ci', role: 'read', token: `${goodSecret}x` },
  ])
  for (const wrong of ['ada', 'ada:root:x', `ada:${goodSecret}`, 'ada:full:short', `ada:full:${goodSecret},`])
    assert.throws(
      () => readSettings({ ADMIN_TOKENS: wrong }),
      (error: Error) => /^ADMIN_TOKENS must be/.test(error.message) && !error.message.includes(goodSecret),
    )
})

test('SEC-55 refuses a token that is a repeated letter', () => {
  const token = 'a'.repeat(40)
  for (const env of [{ ADMIN_TOKEN: token }, { ADMIN_TOKENS: `ada:full:${token}` }])
    assert.throws(() => readSettings(env), /^StartError: ADMIN_TOKENS? holds a token that is easy to guess/)
})

test('warns about origins of another site', () => {
  const adviceFor = (CORS_ORIGINS: string) =>
    adviseOn(readSettings({ ...production, TRUSTED_PROXIES: '1', CORS_ORIGINS }))
  assert.deepEqual(adviceFor('https://admin.app.example'), [])
  assert.match(
    adviceFor('https://admin.app.example,https://app.test').join(),
    /^CORS_ORIGINS names https:\/\/app.test,/,
  )
})
