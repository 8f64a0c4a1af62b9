import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import * as config from '../../../../app.config.ts'
import { readSettings } from '../../test/settings.ts'
import { StartError } from '../http/errors.ts'
import type { ProductConfig } from '../product/product.ts'
import { databaseDsn, identityDefaults } from './identity.config.ts'

const goodSecret = randomBytes(32).toString('base64url')
const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://app.example',
  SECRETS: goodSecret,
  SMTP_URL: 'smtp://mail.example:587',
}

test('without settings it is a demo on localhost:3000', () => {
  const settings = readSettings({})
  assert.equal(settings.demo, true)
  assert.equal(settings.public_url, 'http://localhost:3000')
  assert.match(settings.database_file ?? '', /data[/\\]my-app\.sqlite$/)
})

test('another port is part of the public URL', () => {
  assert.equal(readSettings({ PORT: '8080' }).public_url, 'http://localhost:8080')
})

test('a session ends after eight idle hours, another time, or its lifespan', () => {
  const idle = (SESSION_IDLE_TIMEOUT?: string) => {
    const settings = readSettings({ DATA_DIR: '/tmp', ...(SESSION_IDLE_TIMEOUT && { SESSION_IDLE_TIMEOUT }) })
    return identityDefaults(config, settings).session
  }
  assert.deepEqual(
    [idle(), idle('30m'), idle('7d'), idle('off')].map(({ idle_timeout }) => idle_timeout),
    ['8h', '30m', '168h', undefined],
  )
  for (const wrong of ['0', '0m', 'never', '8', '1w'])
    assert.throws(() => idle(wrong), /SESSION_IDLE_TIMEOUT must be a time such as 30m, 8h or 7d, or off/)
})

test('a product names the page after a login', () => {
  const pageAfter = (product: ProductConfig) => {
    const { login } = identityDefaults(product, readSettings({})).selfservice?.flows ?? {}
    return login?.after?.default_browser_return_url
  }
  assert.equal(pageAfter(config), 'http://localhost:3000/dashboard')
  assert.equal(pageAfter({ ...config, afterLogin: '/crew' }), 'http://localhost:3000/crew')
})

test('sign-in by code or link is off by default, and needs emails and the embedded service', () => {
  for (const [env, expected] of [
    [{}, false],
    [{ SIGN_IN_CODES: 'on' }, true],
  ] as const) {
    const { code } = identityDefaults(config, readSettings(env)).selfservice.methods
    assert.deepEqual([code.passwordless_enabled, code.config.login_link_enabled], [expected, expected])
  }
  assert.throws(
    () => readSettings({ SIGN_IN_CODES: 'on', SMTP_URL: 'off' }),
    /SIGN_IN_CODES is on although no email is sent/,
  )
  const elsewhere = { SIGN_IN_CODES: 'on', IDENTITY_URL: 'http://127.0.0.1:4433' }
  assert.throws(() => readSettings(elsewhere), /passwordless_enabled of the service at IDENTITY_URL/)
  assert.throws(() => readSettings({ SIGN_IN_CODES: 'yes' }), /SIGN_IN_CODES must be on or off/)
})

test('the admin API listens beyond this machine with a token only', () => {
  for (const ADMIN_HOST of ['0.0.0.0', '::', '10.0.0.7']) {
    assert.throws(() => readSettings({ ADMIN_HOST }), /^StartError: ADMIN_HOST opens.*ADMIN_TOKEN/)
    assert.equal(readSettings({ ADMIN_HOST, ADMIN_TOKEN: goodSecret }).admin_token, goodSecret)
  }
  assert.throws(
    () => readSettings({ ADMIN_TOKEN: 'short' }),
    /^StartError: ADMIN_TOKEN must have at least 32/,
  )
})

test('an empty variable counts as unset', () => {
  assert.equal(readSettings({ SMTP_URL: '', PORT: '' }).port, 3000)
})

test('proxies are a count or their networks', () => {
  for (const value of ['0', '2', '10.0.0.0/8, fd00::/8', '192.0.2.1'])
    assert.equal(readSettings({ TRUSTED_PROXIES: value }).trusted_proxies, value)
  for (const value of ['yes', '-1', '33', 'proxy.example', '10.0.0.0/99'])
    assert.throws(() => readSettings({ TRUSTED_PROXIES: value }), /^StartError: TRUSTED_PROXIES must be/)
})

test('a cookie may be for the host and its parent domains', () => {
  for (const COOKIE_DOMAIN of ['app.shop.example', 'shop.example', '.Shop.example'])
    assert.ok(readSettings({ ...production, PUBLIC_URL: 'https://app.shop.example', COOKIE_DOMAIN }))
})

test('secrets keep their order', () => {
  const second = [...goodSecret].reverse().join('')
  assert.deepEqual(readSettings({ ...production, SECRETS: `${goodSecret}, ${second}` }).secrets, [
    goodSecret,
    second,
  ])
})

test('a database file is a path', () => {
  assert.equal(
    readSettings({ DATABASE_URL: 'sqlite:///var/lib/app.sqlite' }).database_file,
    '/var/lib/app.sqlite',
  )
  assert.equal(readSettings({ DATABASE_URL: 'memory:' }).database_file, undefined)
})

test("PostgreSQL's URL reaches the identity service unchanged", () => {
  const url = 'postgres://ada:secret@db:5432/app?sslmode=disable'
  const settings = readSettings({ DATABASE_URL: url })
  assert.equal(settings.database_file, undefined)
  assert.equal(databaseDsn(settings), url)
  assert.throws(
    () => readSettings({ DATABASE_URL: 'mysql://ada:secret@db/app' }),
    (error: Error) => /^DATABASE_URL must be `postgres:/.test(error.message) && !/secret/.test(error.message),
  )
})

const refusals: [string, NodeJS.ProcessEnv, RegExp][] = [
  ['a port out of range', { PORT: '70000' }, /^PORT must be a number from 1 to 65535\./],
  ['workers that are no number', { WORKERS: 'many' }, /^WORKERS must be a number from 1 to 99, or/],
  ['the same port twice', { PORT: '4434' }, /^PORT and ADMIN_PORT are both 4434\./],
  [
    'a misspelt mail server in production',
    { ...production, SMTP_URL: '', SMPT_URL: 'smtp://x' },
    /^SMTP_URL is missing.*\nSMPT_URL is not a setting\. Did you mean SMTP_URL\?$/,
  ],
  ['a mail server without a host', { SMTP_URL: 'smtp://' }, /^SMTP_URL must look like smtp:/],
  [
    'a mail server over http',
    { SMTP_URL: 'http://mail.example' },
    /^SMTP_URL must look like .* or be off\. Change it, or remove it/,
  ],
  [
    'a misspelt parameter of the mail server',
    { SMTP_URL: 'smtp://mail:1025/?disable_startls=true' },
    /^SMTP_URL has an unknown parameter\. The known ones are disable_starttls, skip_ssl_verify, server_name\./,
  ],
  [
    'an unclear parameter of the mail server',
    { ...production, SMTP_URL: 'smtp://mail:1025/?disable_starttls=yes' },
    /^SMTP_URL must have true or false for \w+\. Change it\.$/,
  ],
  [
    'a mail password with an unescaped percent sign',
    { SMTP_URL: 'smtp://ada:100%SECRET@mail.example' },
    /^SMTP_URL has a user name or password with special characters: write % as %25(?!.*100%)/,
  ],
  ['a public address with a path', { PUBLIC_URL: 'https://a.example/app' }, /^PUBLIC_URL must be an origin/],
  ['a public URL without http', { PUBLIC_URL: 'app.example' }, /^PUBLIC_URL must be an address/],
  ['a URL that is a script', { IDENTITY_URL: 'javascript:alert(1)' }, /^IDENTITY_URL must be/],
  ['SEC-89 a URL with a password', { IDENTITY_URL: 'https://ada:SECRET@id.example' }, /not contain a user/],
  ['SEC-89 one with a user', { IDENTITY_JWKS_URL: 'https://SECRET@id.example' }, /not contain a user/],
  ['a loop', { IDENTITY_URL: 'http://localhost:3000/.ory/' }, /^IDENTITY_URL is this app itself\./],
  [
    'keys without a service',
    { IDENTITY_JWKS_URL: 'https://id.example/keys' },
    /^IDENTITY_JWKS_URL goes with/,
  ],
  [
    'keys with an unsupported scheme',
    { IDENTITY_URL: 'https://id.example', IDENTITY_JWKS_URL: 'base64://e30' },
    /^IDENTITY_JWKS_URL must be an https:, http: or file: address/,
  ],
  ['a database of another kind', { DATABASE_URL: 'mysql://x:secret@db/app' }, /^DATABASE_URL must be/],
  [
    'a cookie for another domain',
    { ...production, PUBLIC_URL: 'https://app.example', COOKIE_DOMAIN: 'elsewhere.example' },
    /^COOKIE_DOMAIN is elsewhere\.example, which app\.example of PUBLIC_URL does not belong to\./,
  ],
  ['an unknown mode', { NODE_ENV: 'prod' }, /^NODE_ENV must be development, test or production\./],
  ['a log level of another program', { LOG_LEVEL: 'verbose' }, /^LOG_LEVEL must be/],
  [
    'half of a client at GitHub',
    { GITHUB_CLIENT_ID: 'id' },
    /^GITHUB_CLIENT_SECRET is missing although GITHUB_CLIENT_ID is set\./,
  ],
  [
    'half of a client at Google',
    { GOOGLE_CLIENT_SECRET: 'geheim' },
    /^GOOGLE_CLIENT_ID is missing(?!.*geheim)/,
  ],
  ['SEC-55 production without secrets', { ...production, SECRETS: '' }, /^SECRETS is missing\./],
  [
    'SEC-55 a short secret',
    { ...production, SECRETS: 'k3Jf8sLq0ZxW7vB2' },
    /^SECRETS holds a secret that is too short/,
  ],
  ['SEC-55 a secret from the tests', { ...production, SECRETS: `TEST_ONLY_${goodSecret}` }, /from the tests/],
  ['SEC-55 a repeated letter', { ...production, SECRETS: 'a'.repeat(40) }, /easy to guess/],
  [
    'SEC-55 a short one among good ones',
    { ...production, SECRETS: `${goodSecret},short` },
    /^SECRETS holds a secret/,
  ],
  ['SEC-55 production without a public URL', { ...production, PUBLIC_URL: '' }, /^PUBLIC_URL is missing\./],
  [
    'SEC-55 production over http',
    { ...production, PUBLIC_URL: 'http://app.example' },
    /^PUBLIC_URL must begin with https/,
  ],
]
for (const [name, env, message] of refusals) {
  test(`refuses ${name} and says what to do`, () => {
    assert.throws(
      () => readSettings(env),
      (error) => {
        assert.ok(error instanceof StartError, String(error))
        assert.match(error.message, message)
        assert.match(error.message, /[.?]$/)
        for (const value of Object.values(env).filter(
          (text) => (text ?? '').length > 12 && /SECRET/.test(text ?? ''),
        ))
          assert.ok(!error.message.includes(value ?? ''))
        return true
      },
    )
  })
}

test('production on this machine may use http', () => {
  for (const PUBLIC_URL of ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])
    assert.equal(readSettings({ ...production, PUBLIC_URL }).production, true)
})

const misspelt: [string, NodeJS.ProcessEnv, string][] = [
  ['a swapped letter', { SMPT_URL: 'smtp://x' }, 'SMPT_URL is not a setting. Did you mean SMTP_URL?'],
  ['a missing letter', { MAIL_FRM: 'a@b.example' }, 'MAIL_FRM is not a setting. Did you mean MAIL_FROM?'],
  ['a swapped letter in a short name', { PROT: '99' }, 'PROT is not a setting. Did you mean PORT?'],
  ['lower case', { public_url: 'http://x' }, 'public_url is not a setting. Did you mean PUBLIC_URL?'],
  ['the nearest', { ADMIN_TOKNS: 'x' }, 'ADMIN_TOKNS is not a setting. Did you mean ADMIN_TOKENS?'],
  [
    'another abbreviation',
    { DATABASE_URI: 'x' },
    'DATABASE_URI is not a setting. Did you mean DATABASE_URL?',
  ],
  ['a file', { SECRET_FILE: 'x' }, 'SECRET_FILE is not a setting. Did you mean SECRETS_FILE?'],
  ['singular', { TRUSTED_PROXY: '1' }, 'TRUSTED_PROXY is not a setting. Did you mean TRUSTED_PROXIES?'],
]
for (const [name, env, misspelling] of misspelt) {
  test(`points out ${name} in a setting's name`, () => {
    assert.deepEqual(readSettings(env).misspellings, [misspelling])
  })
}

test('production refuses a misspelled setting that names its data', () => {
  const DATABSE_URL = 'postgres://db.example/app'
  assert.throws(() => readSettings({ ...production, DATABSE_URL }), {
    message: 'DATABSE_URL is not a setting. Did you mean DATABASE_URL?',
  })
  assert.ok(readSettings({ ...production, DATABSE_URL, DATABASE_URL: 'sqlite:app.sqlite' }).production)
})

test('says that quotes are part of a value', () => {
  const message = /^PUBLIC_URL .+\. Remove the quotes around its value\.$/m
  assert.throws(() => readSettings({ PUBLIC_URL: '"https://app.example"' }), { message })
})

test('ignores a near miss if the real setting is present', () => {
  const { secrets, misspellings } = readSettings({ SECRET: 'x', SECRETS: goodSecret })
  assert.deepEqual([secrets.length, misspellings], [1, []])
  assert.deepEqual(readSettings({ HOME: 'x', PROFILE: 'x', LOG_FILE: 'x' }).misspellings, [])
})

test("Kubernetes' variable for a service called admin is not the admin port", () => {
  const links = {
    ADMIN_PORT: 'tcp://10.0.0.1:80',
    ADMIN_PORT_80_TCP: 'tcp://10.0.0.1:80',
    ADMIN_SERVICE_PORT: '80',
  }
  assert.equal(readSettings(links).admin_port, 4434)
})

test('ignores trace variables without an exporter', () => {
  const agents = {
    OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
    OTEL_TRACES_SAMPLER: 'xray',
    OTEL_TRACES_SAMPLER_ARG: 'x',
  }
  assert.equal(readSettings(agents).tracing, undefined)
  const exported = { ...agents, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }
  assert.throws(
    () => readSettings(exported),
    /^StartError: OTEL_EXPORTER_OTLP_PROTOCOL must be .*\nOTEL_TRACES_SAMPLER must be/,
  )
})
