import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as config from '../../../../app.config.ts'
import { readSettings } from '../../test/settings.ts'

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://app.example',
  SECRETS: randomBytes(32).toString('hex'),
  SMTP_URL: 'smtp://mail.example:587',
}

test('DEMO=off, a mail server, another identity service or production disables the demo', () => {
  for (const env of [
    { DEMO: 'off' },
    { SMTP_URL: 'smtp://localhost:1025' },
    { IDENTITY_URL: 'http://127.0.0.1:4433' },
    production,
  ])
    assert.equal(readSettings(env).demo, false)
})

test('DEMO=off sends no email without a mail server, but production refuses that', () => {
  const { sends_mail, demo_providers } = readSettings({ DEMO: 'off' })
  assert.deepEqual([sends_mail, demo_providers], [false, []])
  const SMTP_URL = 'smtp://localhost:1025'
  assert.equal(readSettings({ DEMO: 'off', SMTP_URL }).smtp_url, SMTP_URL)
  assert.throws(
    () => readSettings({ ...production, SMTP_URL: undefined, DEMO: 'off' }),
    /SMTP_URL is missing/,
  )
})

test('a product without a demo needs a mail server in development too', () => {
  assert.throws(() => readSettings({}, { config }), /^StartError: SMTP_URL is missing/)
  assert.equal(readSettings({ SMTP_URL: 'off' }, { config }).demo, false)
})

test('SEC-55 refuses a demo beyond its machine and names both remedies', () => {
  for (const env of [
    { PUBLIC_URL: 'https://app.example' },
    { PUBLIC_URL: 'https://app.example', LISTEN_HOST: '0.0.0.0' },
    { LISTEN_HOST: '0.0.0.0' },
    { LISTEN_HOST: '::' },
    { PUBLIC_URL: 'http://127.0.0.1.example' },
    { PUBLIC_URL: 'http://192.168.0.7:3000' },
  ]) {
    assert.throws(() => readSettings(env), /Remove PUBLIC_URL and LISTEN_HOST.*or set SMTP_URL/)
    assert.equal(readSettings({ ...env, SMTP_URL: 'smtp://localhost:1025' }).demo, false)
  }
  for (const env of [
    { PUBLIC_URL: 'http://127.0.0.1:3000' },
    { LISTEN_HOST: '127.0.0.1' },
    { LISTEN_HOST: '::1' },
  ])
    assert.equal(readSettings(env).demo, true)
})

test('production without a mail server needs SMTP_URL=off', () => {
  const { SMTP_URL: _, ...without } = production
  assert.throws(() => readSettings(without), /^StartError: SMTP_URL is missing.*SMTP_URL=off/)
  const { sends_mail, smtp_url } = readSettings({ ...without, SMTP_URL: 'off' })
  assert.deepEqual([sends_mail, smtp_url], [false, undefined])
  assert.equal(readSettings({ ...without, IDENTITY_URL: 'https://id.example' }).demo, false)
  assert.equal(readSettings({ SMTP_URL: 'off' }).demo, false)
})
