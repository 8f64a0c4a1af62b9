import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import type { UiText } from '@ostiary/identity/wire'
import product from '../../../../app/server.ts'
import { readSettings } from '../../test/settings.ts'
import { StartError } from '../http/errors.ts'
import type { Product } from '../product/product.ts'
import { describeSettings } from './report.ts'
import { findStartProblems } from './start-problems.ts'

const secret = randomBytes(32).toString('base64url')
const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://app.test',
  SECRETS: secret,
  SMTP_URL: 'smtp://mail.test',
}
const rsa = String(
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
)
const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'
const apple = { APPLE_CLIENT_ID: 'app', APPLE_TEAM_ID: 'team', APPLE_KEY_ID: 'key' }
const oidc = { OIDC_CLIENT_ID: 'me', OIDC_CLIENT_SECRET: 'geheim', OIDC_ISSUER_URL: 'https://id.test' }
const github = { GITHUB_CLIENT_ID: 'me', GITHUB_CLIENT_SECRET: 'geheim' }
const microsoft = { MICROSOFT_CLIENT_ID: 'me', MICROSOFT_CLIENT_SECRET: 'geheim' }
const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }

/** Wrong values of each setting, with those that it needs. */
const WRONG: Readonly<Record<string, readonly NodeJS.ProcessEnv[]>> = {
  ...wrong('NODE_ENV', ['prod', 'Production']),
  ...wrong('DEMO', ['no']),
  ...wrong('PORT', ['x', '0', '65536', '3000.5']),
  ...wrong('ADMIN_PORT', ['x', '-1']),
  ...wrong('LISTEN_HOST', ['app.test', '300.1.1.1']),
  ...wrong('ADMIN_HOST', ['app.test', '0.0.0.0/0', '0.0.0.0']),
  ...wrong('ADMIN_TOKEN', ['short', 'a'.repeat(40)]),
  ...wrong('ADMIN_TOKENS', ['ada', `ada:root:${secret}`, `ada:full:${'a'.repeat(40)}`]),
  ...wrong('ADMIN_UI', ['true']),
  ...wrong('PUBLIC_URL', ['app.test', 'https://app.test/x', 'https://a:b@app.test', 'http://app.test'], {
    ...production,
  }),
  ...wrong('HSTS', ['off']),
  ...wrong('IDENTITY_URL', ['id.test', 'https://a:b@id.test', 'http://localhost:3000/.ory']),
  ...wrong('IDENTITY_JWKS_URL', ['id.test', 'base64://e30', 'https://a:b@id.test', 'https://id.test/keys']),
  ...wrong('TRUSTED_PROXIES', ['yes', '33', '10.0.0.0/99']),
  ...wrong('DATABASE_URL', [
    ...[
      'mysql://db/app',
      'data/app.sqlite',
      'sqlite:',
      'postgres://db/app?foo=bar',
      'postgres://db/app?max_con=5',
    ],
    ...['0', '-1', 'abc', '1.5'].map((value) => `postgres://a:geheim?@db1,db2/app?max_conns=${value}`),
    ...[
      'statement_timeout=abc',
      'connect_timeout=abc',
      'connect_timeout=0',
      'pooler=session',
      'sslmode=on',
    ].map((parameter) => `postgres://db/app?sslrootcert=system&${parameter}`),
  ]),
  ...wrong('MIGRATE', ['no']),
  ...wrong('SECRETS', ['short', 'change-me-change-me-change-me-change-me-1234567890'], production),
  ...wrong('SMTP_URL', ['mail.test', 'smtp://', 'smtp://a:100%@mail.test', 'smtp://mail.test/?x=1']),
  ...wrong('MAIL_FROM', ['ada', 'Ada <ada@app.test>', '@app.test']),
  ...wrong('SIGN_IN_CODES', ['yes']),
  ...wrong('COOKIE_DOMAIN', ['localhost', 'https://app.test', 'other.test'], production),
  ...wrong('CORS_ORIGINS', ['*', 'app.test', 'https://app.test/x', 'https://app.test,,']),
  ...wrong('DASHBOARD_USER', ['-x', 'a/b']),
  ...wrong('CODE_HOST_URL', ['api.test', 'ftp://api.test']),
  ...wrong('SESSION_IDLE_TIMEOUT', ['8', '0h', '30s', '1.5h']),
  ...wrong('UNVERIFIED_ACCOUNTS', ['7', '1w']),
  ...wrong('LIMITS', [
    'off',
    '[]',
    '{"passwrd":{}}',
    '{"password":{"clint":{"burst":2}}}',
    '{"password":{"client":{"burst":0}}}',
    '{"password":{"client":{"refill":"1 minute"}},"code":1}',
  ]),
  ...wrong('MAX_CONNECTIONS', ['0', 'many']),
  ...wrong('MAX_CONNECTIONS_PER_ADDRESS', ['0', 'many']),
  ...wrong('WORKERS', ['0', '100', 'all']),
  ...wrong('DRAIN_MS', ['12s', '-1', '600001']),
  ...wrong('SECURITY_CONTACT', ['security@app.test', 'http://app.test']),
  ...wrong('LOG_LEVEL', ['verbose']),
  ...wrong('OTEL_EXPORTER_OTLP_ENDPOINT', ['localhost:4318', 'grpc://localhost']),
  ...wrong('OTEL_EXPORTER_OTLP_HEADERS', ['Authorization', 'a=%'], traces),
  ...wrong('OTEL_EXPORTER_OTLP_PROTOCOL', ['grpc'], traces),
  ...wrong('OTEL_RESOURCE_ATTRIBUTES', ['x'], traces),
  ...wrong('OTEL_TRACES_SAMPLER', ['xray'], traces),
  ...wrong('OTEL_TRACES_SAMPLER_ARG', ['2', 'x'], traces),
  ...wrong('APPLE_PRIVATE_KEY', ['AuthKey.p8', '-----BEGIN PRIVATE KEY-----\nx', rsa, certificate], apple),
  ...wrong('GITLAB_URL', ['git.test', 'https://a:b@git.test']),
  ...wrong('MICROSOFT_TENANT', ['contoso', '-'.repeat(36)], microsoft),
  ...wrong('OIDC_ISSUER_URL', ['id.test', 'https://a:b@id.test', 'http://id.test'], {
    ...production,
    ...oidc,
  }),
  ...wrong('OIDC_ID', ['my id', 'a'.repeat(65), 'github'], { ...oidc, ...github }),
}

/** Any text is valid. */
const FREE = [
  ...['DATA_DIR', 'GITHUB_TOKEN', 'OTEL_SERVICE_NAME', 'OIDC_LABEL', 'APPLE_TEAM_ID', 'APPLE_KEY_ID'],
  ...['APPLE', 'DISCORD', 'GITHUB', 'GITLAB', 'GOOGLE', 'MICROSOFT', 'OIDC', 'SLACK'].flatMap((name) => [
    `${name}_CLIENT_ID`,
    ...(name === 'APPLE' ? [] : [`${name}_CLIENT_SECRET`]),
  ]),
]

function wrong(name: string, values: readonly string[], needed: NodeJS.ProcessEnv = {}) {
  return { [name]: values.map((value) => ({ ...needed, [name]: value })) }
}

async function refusalOf(env: NodeJS.ProcessEnv): Promise<string> {
  try {
    return (await findStartProblems(product, readSettings(env), [env.SECRETS ?? secret])).join('\n')
  } catch (error) {
    assert.ok(error instanceof StartError, String(error))
    return error.message
  }
}

test('every setting has a wrong value here, or is listed as free', () => {
  const names = describeSettings(product)
    .split('\n')
    .map((line) => line.trim().split(' ')[0] ?? '')
  assert.deepEqual([...Object.keys(WRONG), ...FREE].sort(), names.sort())
})

for (const [name, environments] of Object.entries(WRONG))
  test(`FLT-41 a refusal of ${name} names it, and no setting of the identity service`, async () => {
    for (const env of environments) {
      const refusal = await refusalOf(env)
      for (const line of refusal.split('\n')) {
        assert.match(line, new RegExp(`^${name}\\b.*[.?!]$`), JSON.stringify(env[name]))
        assert.doesNotMatch(line, /\b(selfservice|courier|serve|limits|session|retention)\.|geheim/)
      }
    }
  })

test('FLT-41 accepts each parameter of DATABASE_URL in docs/operations.md', async () => {
  for (const parameters of ['max_conns=20&pooler=transaction', 'connect_timeout=1.5', 'sslmode=verify-full'])
    assert.equal(await refusalOf({ DATABASE_URL: `postgres://a:b@db1:5432,db2/app?${parameters}` }), '')
})

test('a Go template needs kratos in defineProduct', async () => {
  const subject = `base64://${Buffer.from('{{ .To }}').toString('base64')}`
  const templates = { login_code: { valid: { email: { subject } } } }
  const withTemplate: Product = {
    ...product,
    identity: (defaults) => ({ ...defaults, courier: { ...defaults.courier, templates } }),
  }
  const problemsOf = (product: Product) => findStartProblems(product, readSettings({}), [secret])
  assert.deepEqual(await problemsOf(withTemplate), [
    'identity in app/server.ts: courier.templates.login_code.valid.email.subject: a Go template needs @ostiary/kratos. Install it, and pass its `kratos` to createIdentity, or in a product to defineProduct.',
  ])
  const kratos = {
    compileGoTemplate: async (source: string) => () => source,
    compileJsonnet: async () => async () => ({}),
    loadProvider: async () => ({}),
    loadTexts: async () => ({ message: (message: UiText) => message, error: () => ({}) }),
  }
  assert.deepEqual(await problemsOf({ ...withTemplate, kratos }), [])
})
