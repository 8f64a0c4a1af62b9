import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from './checks/config-error.ts'
import { parseConfig } from './config.ts'
import type { IdentityConfigInput } from './schema.ts'

const minimal = {
  dsn: 'memory',
  dev: true,
  secrets: { default: ['a-secret-of-the-tests'] },
  selfservice: { default_browser_return_url: 'https://app.test/home/' },
  identity: { schemas: [{ id: 'default', schema: { type: 'object' } }] },
} satisfies IdentityConfigInput

const parse = (members: object = {}) => parseConfig({ ...minimal, ...members })
const flowsOf = (flows: object) =>
  parse({ selfservice: { ...minimal.selfservice, flows } }).config.selfservice.flows
const methods = (members: object) => ({ selfservice: { ...minimal.selfservice, methods: members } })
const template = (members: object) => ({
  session: { whoami: { tokenizer: { templates: { app: members } } } },
})
const production = (secrets: object) => ({ dev: false, secrets })

function issuesOf(members: unknown): string[] {
  try {
    parseConfig(members)
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    for (const { path, message } of error.issues)
      assert.ok(error.message.includes(`${path}: ${message}`) || path === '')
    return error.issues.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  }
  return []
}

test("uses Ory Kratos' defaults, or safer ones", () => {
  const { config, warnings } = parse()
  assert.deepEqual(warnings, [])
  assert.equal(config.session.lifespan, 24 * 3_600_000)
  assert.equal(config.selfservice.flows.registration.style, 'profile_first')
  assert.equal(config.session.earliest_possible_extend, 24 * 3_600_000)
  assert.equal(config.session.cookie.name, 'ory_kratos_session')
  assert.equal(config.selfservice.flows.login.lifespan, 3_600_000)
  assert.equal(config.selfservice.methods.password.config.min_password_length, 8)
  assert.equal(config.selfservice.methods.code.config.max_submissions, 5)
  assert.equal(config.serve.public.port, 4433)
  assert.equal(config.courier.message_retries, 5)
  assert.equal(config.serve.admin.host, '127.0.0.1')
  assert.deepEqual(config.hashers.argon2, {
    memory: 19 * 1024 * 1024,
    iterations: 2,
    parallelism: 1,
    salt_length: 16,
    key_length: 32,
  })
})

test('SEC-05 limits the lifespan of codes to fifteen minutes, ten by default', () => {
  const lifespan = (value: string) => methods({ code: { config: { lifespan: value } } })
  assert.equal(parse().config.selfservice.methods.code.config.lifespan, 600_000)
  assert.deepEqual(parse(lifespan('15m')).warnings, [])
  const { config, warnings } = parse(lifespan('1h'))
  assert.equal(config.selfservice.methods.code.config.lifespan, 900_000)
  assert.match(warnings[0]!, /^selfservice\.methods\.code\.config\.lifespan: using 15m/)
  const strict = { ...minimal, ...production({ default: ['f'.repeat(32)] }) }
  assert.deepEqual(issuesOf({ ...strict, ...lifespan('1h') }), [])
})

test('SEC-55 requires secrets that are long and no samples', () => {
  const issues = (secrets: object) => issuesOf({ ...minimal, ...production(secrets) })
  assert.match(issues({})[0]!, /^secrets\.default: is missing/)
  assert.match(issues({ default: ['x'.repeat(31)] })[0]!, /^secrets\.default\[0\]: expected at least 32/)
  assert.match(issues({ default: ['x'.repeat(15)] })[0]!, /^secrets\.default\[0\]: expected at least 16/)
  assert.match(issues({ default: [`please-change-me-${'x'.repeat(32)}`] })[0]!, /sample/)
  assert.match(issues({ default: ['x'.repeat(32)], cookie: ['y'.repeat(20)] })[0]!, /^secrets\.cookie\[0\]/)
  assert.deepEqual(issues({ default: ['x'.repeat(32)] }), [])
  for (const issue of issues({ default: ['hush-hush-hush-hush'] })) assert.doesNotMatch(issue, /hush/)
})

test('SEC-55 generates missing secrets in dev mode, with a warning', () => {
  const [one, other] = [parse({ secrets: {} }), parse({ secrets: {} })]
  assert.match(one.warnings[0]!, /secrets\.default is not set/)
  assert.ok(one.config.secrets.default[0]!.length >= 43)
  assert.notDeepEqual(one.config.secrets.default, other.config.secrets.default)
})

test('reads durations and sizes as Ory Kratos writes them', () => {
  const lifespan = (value: unknown) => parse({ session: { lifespan: value } }).config.session.lifespan
  assert.equal(lifespan('1h30m'), 5_400_000)
  assert.equal(lifespan('720h'), 720 * 3_600_000)
  assert.equal(lifespan('1m500ms'), 60_500)
  assert.equal(lifespan('5000us'), 5)
  for (const wrong of ['', '1d', '1.5h', '10', 'h', '1h 30m', '-1h', '1hx']) {
    assert.match(
      issuesOf({ ...minimal, session: { lifespan: wrong } })[0]!,
      /^session\.lifespan: expected a duration/,
    )
  }
  const memory = (value: string) =>
    parse({ hashers: { argon2: { memory: value } } }).config.hashers.argon2.memory
  assert.equal(memory('1MB'), 1024 * 1024)
  assert.equal(memory('512KB'), 512 * 1024)
  for (const wrong of ['1MiB', '1.5MB', 'MB', '64'])
    assert.throws(() => memory(wrong), /hashers\.argon2\.memory: expected a size/)
  assert.throws(() => memory('5GB'), /at most 4GB/)
})

test('rejects an unknown key and suggests the nearest one', () => {
  const flows = { login: { lifespn: '1h' } }
  const issues = issuesOf({
    ...minimal,
    sesion: {},
    lifespan: '1h',
    nonsense_of_mine: 1,
    selfservice: { ...minimal.selfservice, flows },
    ...template({ tll: '1m' }),
  })
  assert.deepEqual(issues.sort(), [
    'lifespan: unknown key. Did you mean session.lifespan?',
    issues.find((issue) =>
      issue.startsWith(
        'nonsense_of_mine: unknown key. Known keys: dsn, version, dev, dev_disable_api_flow_enforcement, revision',
      ),
    )!,
    'selfservice.flows.login.lifespn: unknown key. Did you mean selfservice.flows.login.lifespan?',
    'sesion: unknown key. Did you mean session?',
    'session.whoami.tokenizer.templates.app.tll: unknown key. Did you mean session.whoami.tokenizer.templates.app.ttl?',
  ])
})

test('SEC-89 refuses a password in a URL without quoting it', () => {
  const issues = issuesOf({ ...minimal, serve: { public: { base_url: 'https://ada:geheim@id.example/' } } })
  assert.match(issues.join(), /^serve\.public\.base_url: expected .* without a user name and password$/)
  assert.doesNotMatch(issues.join(), /geheim/)
})

test('reports all invalid values at once, with their paths', () => {
  assert.deepEqual(
    issuesOf({
      ...minimal,
      dev: 'yes',
      dsn: 'memory',
      session: { cookie: { same_site: 'lax' } },
      serve: { public: { base_url: 'my-app', port: 70_000, tls: { cert: {} } } },
      identity: { schemas: [] },
      courier: { smtp: { connection_uri: 'localhost:25' } },
    }).map((issue) => issue.replace(/: .*/, '')),
    [
      'dev',
      'serve.public.base_url',
      'serve.public.port',
      'serve.public.tls',
      'session.cookie.same_site',
      'identity.schemas',
      'courier.smtp.connection_uri',
    ],
  )
  assert.deepEqual(issuesOf({ ...minimal, selfservice: {} }), [
    'selfservice.default_browser_return_url: is missing. Expected a string',
  ])
  assert.deepEqual(issuesOf('nothing'), ['expected an object with settings'])
})

test('rejects a hook that the flow does not support', () => {
  const after = { password: { hooks: [{ hook: 'sesion' }] } }
  const issues = issuesOf({
    ...minimal,
    selfservice: { ...minimal.selfservice, flows: { registration: { after } } },
  })
  assert.match(
    issues[0]!,
    /^selfservice\.flows\.registration\.after\.password\.hooks\[0\]\.hook: expected session, or/,
  )
})

test('advises on the notices that replace a hook of later Kratos versions', () => {
  const hooks = [{ hook: 'notify_previous_addresses', config: { recipients: 'all' } }]
  const flows = { settings: { after: { profile: { hooks } } } }
  const { warnings } = parse({ selfservice: { ...minimal.selfservice, flows } })
  assert.match(warnings.join('\n'), /notify_previous_addresses.*security\.notices\.enabled/)
})

test('ignores unsupported Ory Kratos settings with a warning each', () => {
  const b2b_sso = { hook: 'b2b_sso', config: {} }
  const { config, warnings } = parse({
    version: 'v26.2.0',
    tracing: { provider: 'otel' },
    serve: { public: { tls: {}, socket: { mode: 432, owner: 'kratos' } } },
    selfservice: {
      ...minimal.selfservice,
      methods: { webauthn: { enabled: false }, b2b: { config: {} } },
      flows: { registration: { after: { password: { hooks: [b2b_sso, { hook: 'session' }, b2b_sso] } } } },
    },
  })
  const named = warnings.map((warning) => warning.replace(/ .*/, ''))
  assert.deepEqual(named.sort(), [
    'selfservice.flows.registration.after.password.hooks',
    'selfservice.methods.b2b',
    'serve.public.socket.owner',
    'tracing',
  ])
  assert.deepEqual(config.selfservice.flows.registration.after.password?.hooks, [{ hook: 'session' }])
})

test('leaves the input unchanged', () => {
  const given = methods({ b2b: { config: {} } })
  parse(given)
  assert.deepEqual(given, methods({ b2b: { config: {} } }))
})

test('falls back to the common cookie settings, except for Secure', () => {
  const cookies = { domain: 'app.test', path: '/id', same_site: 'Strict', secure: 'true' }
  const { config } = parse({ cookies, session: { cookie: { path: '/' } } })
  const { domain, path, same_site, secure } = config.session.cookie
  assert.deepEqual(
    { domain, path, same_site, secure },
    { domain: 'app.test', path: '/', same_site: 'Strict', secure: false },
  )
  assert.equal(config.cookies.secure, true)
  const strict = parse(production({ default: ['x'.repeat(32)] })).config
  assert.equal(strict.session.cookie.secure, true)
  assert.equal(strict.cookies.secure, true)
})

test('places pages below the default return URL', () => {
  const flows = flowsOf({ login: { ui_url: 'https://app.test/sign-in' } })
  assert.equal(flows.login.ui_url, 'https://app.test/sign-in')
  assert.equal(flows.verification.ui_url, 'https://app.test/home/verification')
})

test('rejects an unsupported database URL', () => {
  for (const dsn of ['mysql://x', 'cockroach://x', '']) {
    assert.match(issuesOf({ ...minimal, dsn })[0]!, /^dsn: expected memory/)
  }
  const known = ['memory', 'sqlite:///var/lib/id.sqlite?_fk=true', 'data/id.sqlite', 'postgres://db/my-app']
  for (const dsn of known) {
    assert.deepEqual(issuesOf({ ...minimal, dsn }), [])
  }
})

test('derives the base URL from host and port', () => {
  assert.equal(parse().config.serve.public.base_url, 'http://localhost:4433/')
  const serve = {
    public: { host: '127.0.0.1', port: 80, base_url: 'https://id.test/x' },
    admin: { host: '::1' },
  }
  const { config } = parse({ serve })
  assert.equal(config.serve.public.base_url, 'https://id.test/x')
  assert.equal(config.serve.admin.base_url, 'http://[::1]:4434/')
})

test('requires a default schema', () => {
  const schema = { type: 'object' }
  const identity = (members: object) => issuesOf({ ...minimal, identity: members })
  assert.match(
    identity({ schemas: [{ id: 'person', schema }] })[0]!,
    /unknown schema default\. Name one of person/,
  )
  assert.deepEqual(identity({ schemas: [{ id: 'default' }] }), ['identity.schemas[0].url: is missing'])
})

test('freezes the parsed configuration', () => {
  const { config } = parse()
  assert.throws(() => Object.assign(config.selfservice.flows.login, { lifespan: 1 }), TypeError)
  assert.throws(
    () => (config.selfservice.allowed_return_urls as string[]).push('https://evil.test'),
    TypeError,
  )
})

test('ignores unknown keys where Ory Kratos accepts any', () => {
  const security = { account_enumeration: { mitigate: true, enabled: true } }
  const { config, warnings } = parseConfig({ ...minimal, security } as never)
  assert.equal(config.security.account_enumeration.mitigate, true)
  assert.deepEqual(
    warnings.filter((one) => one.startsWith('security')),
    ['security.account_enumeration.enabled: unknown key, ignored'],
  )
})

test('warns about an origin that allows nothing', () => {
  const cors = {
    enabled: true,
    allowed_origins: ['https://app.test', 'https://*.app.test', 'https://*.test', '*'],
  }
  assert.deepEqual(parse({ serve: { public: { cors } } }).warnings, [
    'serve.public.cors.allowed_origins: https://*.test, * allows no origin. Write origins as https://app.example or https://*.app.example',
  ])
})
