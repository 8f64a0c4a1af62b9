import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { parseConfig } from '@ostiary/identity/serving'
import { ENVIRONMENTS } from '@ostiary/identity/testing/input/environments'
import { withEnvironment } from './load-config.ts'

const file = {
  dsn: '',
  dev: true,
  secrets: { default: ['a-secret-of-the-tests'] },
  selfservice: { default_browser_return_url: 'https://app.test/', flows: { login: { lifespan: '10m' } } },
  identity: { schemas: [{ id: 'default', schema: { type: 'object' } }] },
}

const places: [name: string, text: string, steps: string, value: unknown][] = [
  ['DSN', 'memory', 'dsn', 'memory'],
  [
    'SELFSERVICE_FLOWS_SETTINGS_UI_URL',
    'https://app.test/s',
    'selfservice.flows.settings.ui_url',
    'https://app.test/s',
  ],
  ['SERVE_PUBLIC_PORT', '4500', 'serve.public.port', 4500],
  ['SELFSERVICE_METHODS_TOTP_ENABLED', 'true', 'selfservice.methods.totp.enabled', true],
  ['SELFSERVICE_METHODS_TOTP_ENABLED', '0', 'selfservice.methods.totp.enabled', false],
  ['COOKIES_SECURE', 'false', 'cookies.secure', 'false'],
  [
    'SELFSERVICE_ALLOWED_RETURN_URLS',
    'https://a.test/, https://b.test/',
    'selfservice.allowed_return_urls',
    ['https://a.test/', 'https://b.test/'],
  ],
  [
    'SELFSERVICE_ALLOWED_RETURN_URLS',
    '["https://a.test/"]',
    'selfservice.allowed_return_urls',
    ['https://a.test/'],
  ],
  ['IDENTITY_SCHEMAS_0_ID', 'person', 'identity.schemas.0.id', 'person'],
  ['IDENTITY_SCHEMAS_1_URL', 'base64://e30=', 'identity.schemas.1.url', 'base64://e30='],
  [
    'SELFSERVICE_FLOWS_LOGIN_AFTER_HOOKS',
    '[{"hook":"revoke_active_sessions"}]',
    'selfservice.flows.login.after.hooks.0.hook',
    'revoke_active_sessions',
  ],
  ['SESSION_COOKIE_NAME', 'mine', 'session.cookie.name', 'mine'],
  ['COURIER_TEMPLATE_OVERRIDE_PATH', '/templates', 'courier.template_override_path', '/templates'],
]

for (const [name, text, path, value] of places) {
  test("reads Ory's switch for tests from its own variable", () => {
    const config = withEnvironment({}, { DEV_DISABLE_API_FLOW_ENFORCEMENT: 'true' })
    assert.deepEqual(config, { dev_disable_api_flow_enforcement: true })
  })

  test(`reads ${name}=${text} as ${path}`, () => {
    const read = withEnvironment(file, { [name]: text })
    const found = path
      .split('.')
      .reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], read)
    assert.deepEqual(found, value)
  })
}

test('a variable overrides the file', () => {
  const read = withEnvironment(file, { DSN: 'memory', IDENTITY_SCHEMAS_0_SELFSERVICE_SELECTABLE: 'true' })
  const { config } = parseConfig(read)
  assert.equal(config.dsn, 'memory')
  assert.equal(config.selfservice.flows.login.lifespan, 600_000)
  assert.deepEqual(config.identity.schemas[0]?.selfservice_selectable, true)
  assert.equal(file.dsn, '')
})

for (const [where, environment] of Object.entries(ENVIRONMENTS)) {
  test(`variables of ${where} change nothing`, () => {
    assert.deepEqual(withEnvironment(file, environment), file)
  })
}

test('an empty variable changes nothing', () => {
  assert.deepEqual(withEnvironment(file, { DSN: '' }), file)
})

test('refuses a value of the wrong type with its path', () => {
  const read = withEnvironment(file, { DSN: 'memory', SERVE_PUBLIC_PORT: 'high' })
  assert.throws(() => parseConfig(read), /serve\.public\.port: expected/)
})

test('reads a value from the file that NAME_FILE names', (t) => {
  const path = join(mkdtempSync(join(tmpdir(), 'identity-variables-')), 'dsn')
  t.after(() => rmSync(dirname(path), { recursive: true }))
  writeFileSync(path, 'memory\n')
  assert.deepEqual(withEnvironment({}, { DSN_FILE: path }), { dsn: 'memory' })
  assert.throws(
    () => withEnvironment({}, { DSN_FILE: '/no' }),
    /^ConfigError: DSN_FILE: cannot be used: ENOENT/,
  )
})
