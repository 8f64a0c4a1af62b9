import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { IdentityConfigInput } from '@ostiary/identity'
import { merge } from '@ostiary/identity/serving'
import { serviceProcesses, settings } from '@ostiary/identity/testing/servers/service-processes'
import { stringify } from 'yaml'
import { compareWithKratos } from '../src/command/differences.ts'

const { folder, file, startWith, start } = serviceProcesses()

const base64 = (text: string) => `base64://${Buffer.from(text).toString('base64')}`
const trait = (kratos: object, format = 'email') => ({
  properties: {
    traits: { type: 'object', properties: { contact: { type: 'string', format, 'ory.sh/kratos': kratos } } },
  },
})
const contact = { credentials: { password: { identifier: true } }, recovery: { via: 'email' } }
const person = join(folder, 'identity.schema.json')
writeFileSync(person, JSON.stringify(trait(contact)))

/** Common to the quickstarts of Ory Kratos. */
const quickstart = {
  version: 'v0.13.0',
  dsn: 'memory',
  serve: {
    public: { base_url: 'http://127.0.0.1:4433/', cors: { enabled: true } },
    admin: { base_url: 'http://kratos:4434/' },
  },
  selfservice: {
    default_browser_return_url: 'http://127.0.0.1:4455/welcome',
    allowed_return_urls: ['http://127.0.0.1:4455', 'exp://localhost:8081/--/Callback'],
    methods: { password: { enabled: true } },
    flows: {
      error: { ui_url: 'http://127.0.0.1:4455/error' },
      settings: { ui_url: 'http://127.0.0.1:4455/settings', privileged_session_max_age: '15m' },
      recovery: { enabled: true, ui_url: 'http://127.0.0.1:4455/recovery', use: 'code' },
      verification: { enabled: true, ui_url: 'http://127.0.0.1:4455/verification', use: 'code' },
      logout: { after: { default_browser_return_url: 'http://127.0.0.1:4455/login' } },
      login: { ui_url: 'http://127.0.0.1:4455/login', lifespan: '10m' },
      registration: {
        enable_legacy_one_step: false,
        ui_url: 'http://127.0.0.1:4455/registration',
        after: { password: { hooks: [{ hook: 'session' }, { hook: 'show_verification_ui' }] } },
      },
    },
  },
  log: { level: 'debug', format: 'text', leak_sensitive_values: true },
  secrets: {
    cookie: ['PLEASE-CHANGE-ME-I-AM-VERY-INSECURE'],
    cipher: ['32-LONG-SECRET-NOT-SECURE-AT-ALL'],
  },
  ciphers: { algorithm: 'xchacha20-poly1305' },
  hashers: { algorithm: 'bcrypt', bcrypt: { cost: 8 } },
  identity: {
    default_schema_id: 'preset://email',
    schemas: [{ id: 'preset://email', url: `file://${person}` }],
  },
  courier: { smtp: { connection_uri: 'smtps://test:test@mailslurper:1025/?skip_ssl_verify=true' } },
  feature_flags: { use_continue_with_transitions: true },
}

const rp = { id: 'localhost', display_name: 'Ory', origins: ['http://localhost:4455'] }
const sms = {
  url: 'https://sms.test/',
  method: 'POST',
  body: base64('function(ctx) { To: ctx.recipient, Body: ctx.body }'),
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  auth: { type: 'basic_auth', config: { user: 'a', password: 'b' } },
}
const github = {
  id: 'github',
  provider: 'github',
  client_id: 'a',
  client_secret: 'b',
  scope: ['user:email'],
  mapper_url: base64(
    "local claims = std.extVar('claims'); { identity: { traits: { [if 'email' in claims then 'contact' else null]: claims.email } } }",
  ),
}

const kinds =
  'generic amazon apple auth0 dingtalk discord facebook fedcm-test github github-app gitlab google lark line ' +
  'linkedin linkedin_v2 microsoft netid patreon salesforce slack spotify uaepass vk x yandex'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const providers = kinds.split(' ').map((provider) => ({
  ...github,
  id: provider,
  provider,
  label: provider,
  pkce: 'auto',
  account_linking_mode: 'automatic',
  issuer_url: 'https://issuer.test/',
  ...(provider === 'microsoft' && { microsoft_tenant: 'contoso.onmicrosoft.com', subject_source: 'me' }),
  ...(provider === 'netid' && { net_id_token_origin_header: 'https://app.test' }),
  ...(provider === 'apple' && {
    apple_team_id: 'KP76DQS54M',
    apple_private_key_id: 'UX56C66723',
    apple_private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }),
}))

/** By the quickstart or the profile of Kratos' tests with these keys. */
const configurations: Readonly<Record<string, object>> = {
  'email and password': {
    selfservice: {
      methods: {
        totp: { enabled: true, config: { issuer: 'Kratos' } },
        lookup_secret: { enabled: true },
        link: { enabled: true, config: { lifespan: '1h' } },
        code: { enabled: true, config: { lifespan: '1h' } },
      },
    },
  },
  'passkeys and security keys': {
    session: { whoami: { required_aal: 'aal1' } },
    selfservice: {
      methods: {
        passkey: { enabled: true, config: { rp } },
        webauthn: {
          enabled: true,
          config: { passwordless: true, rp: { ...rp, origins: undefined, origin: 'http://localhost:4455' } },
        },
      },
    },
  },
  'phone and password': {
    identity: {
      default_schema_id: 'phone',
      schemas: [{ id: 'phone', url: base64(JSON.stringify(trait({ verification: { via: 'sms' } }, 'tel'))) }],
    },
    courier: { channels: [{ id: 'sms', type: 'http', request_config: sms }] },
  },
  'every kind of provider': { selfservice: { methods: { oidc: { enabled: true, config: { providers } } } } },
  'a password migration': {
    selfservice: {
      methods: {
        password: { config: { migrate_hook: { enabled: true, config: { url: 'https://old.test/' } } } },
      },
    },
  },
  'test profiles': {
    hashers: { algorithm: 'argon2', argon2: { memory: '1KB', iterations: 1, parallelism: 1 } },
    feature_flags: { legacy_require_verified_login_error: true },
  },
}

const of = (name: string) => merge(quickstart, configurations[name]!) as IdentityConfigInput

for (const name of Object.keys(configurations)) {
  test(`reads Kratos' configuration for ${name}`, async () => {
    const { issues, ignored } = await compareWithKratos({ ...of(name), dev: true })
    assert.deepEqual([issues, ignored.filter(({ isNoticedByClients }) => isNoticedByClients)], [[], []])
  })
}

test("starts with the command of Kratos' container", async () => {
  const path = join(folder, 'kratos.yml')
  writeFileSync(path, stringify(of('phone and password')))
  const variables = { SERVE_PUBLIC_PORT: '0', SERVE_PUBLIC_HOST: '127.0.0.1', SERVE_ADMIN_PORT: '0' }
  const service = startWith(variables, 'serve', '-c', path, '--dev', '--watch-courier', '--sqa-opt-out')
  const port = await service.shown(/Public port: 127\.0\.0\.1:(\d+)/)
  const flow = await fetch(`http://127.0.0.1:${port}/self-service/registration/api`)
  assert.equal(flow.status, 200)
})

test('check reports every problem and every change for clients', async () => {
  const path = file('changes.json', {
    selfservice: {
      ...settings.selfservice,
      methods: { oidc: { config: { providers: [{ ...github, mapper_url: 'file://nowhere.jsonnet' }] } } },
      flows: { login: { lifespn: '1h' }, verification: { enabled: true } },
    },
    identity: { schemas: [{ id: 'default', url: 'file://nowhere.json' }] },
    enterprise: { license: 'none' },
    profiling: 'cpu',
  })
  const service = start('check', '--config', path)
  assert.equal(await service.ended, 2)
  for (const line of [
    /^Invalid.*\n {2}identity\.schemas\[0\]\.url: .*the file does not exist$/m,
    /providers\[0\]\.mapper_url: .*the file does not exist$/m,
    /selfservice\.flows\.login\.lifespn: unknown key\. Did you mean selfservice\.flows\.login\.lifespan\?$/m,
    /^Unsupported, and clients notice:\n {2}enterprise ignored/m,
    /^Unsupported, and only operators notice:\n {2}profiling \(cpu\) ignored/m,
    /^ {2}D68 \(step\) selfservice\.flows\.verification\.enabled/m,
    /^Clients would notice a change\.$/m,
  ])
    assert.match(service.output(), line)
})

test('check succeeds if no client would notice a change', async () => {
  const service = start('check', '--config', file('same.json'))
  assert.equal(await service.ended, 0)
  assert.match(service.output(), /Supported: the other \d+ settings\.\nNo client would notice a change\.\n$/)
})

test('check names what a mapper and the admin port change, and nothing else about them', async () => {
  const differences = async (serve: object, provider: string, code: string) => {
    const one = { ...github, id: provider, provider, mapper_url: base64(code) }
    const methods = { oidc: { enabled: true, config: { providers: [one] } } }
    const compared = await compareWithKratos(
      merge(quickstart, { serve, selfservice: { methods } }) as IdentityConfigInput,
    )
    return compared.differences.map(({ id }) => id).filter((id) => ['D19', 'D65', 'D117'].includes(id))
  }
  const [open, closed] = [{ host: '0.0.0.0', token: 'x'.repeat(32) }, { host: '127.0.0.1' }]
  const plain = "{ identity: { traits: { contact: std.extVar('claims').email } } }"
  const verifying = `local claims = std.extVar('claims');
    { identity: { traits: {}, verified_addresses: [{ via: 'email', value: claims.email }] } }`
  assert.deepEqual(await differences({}, 'github', plain), ['D19'])
  assert.deepEqual(await differences({ admin: closed }, 'github', plain), [])
  assert.deepEqual(await differences({ admin: open }, 'github', verifying), ['D65', 'D117'])
  assert.deepEqual(await differences({ admin: closed }, 'generic', verifying), [])
  assert.deepEqual(await differences({ admin: closed }, 'github', "{ identity: std.extVar('claims').x }"), [
    'D65',
  ])
})

const EXIT_CODES: Readonly<Record<string, number>> = {
  'email and password': 0,
  'passkeys and security keys': 0,
  'phone and password': 1,
}

for (const [name, code] of Object.entries(EXIT_CODES)) {
  test(`check ends with ${code} for ${name}`, async () => {
    const path = file(
      `${name}.json`,
      merge(of(name), { secrets: { default: ['x'.repeat(32)] }, serve: { admin: { host: '127.0.0.1' } } }),
    )
    assert.equal(await start('check', '--config', path).ended, code)
  })
}

test('differences have the costs of the document', async () => {
  const document = readFileSync(
    join(import.meta.dirname, '../../../docs/differences-from-ory-kratos.md'),
    'utf8',
  )
  const rows = [...document.matchAll(/^\| (D\d+) \|.*\| (\w+) \|$/gm)]
  const costs = new Map(rows.map(([, id, cost]) => [id, cost]))
  assert.equal(costs.size, rows.length, 'each id is used once')
  const all = Object.keys(configurations).map(async (name) => (await compareWithKratos(of(name))).differences)
  const differences = (await Promise.all(all)).flat()
  assert.ok(differences.length > 20)
  for (const { id, cost } of differences) assert.equal(cost, costs.get(id), id)
})
