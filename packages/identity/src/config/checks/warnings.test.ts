import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseConfig } from '../config.ts'

const parse = (members: object) =>
  parseConfig({
    dsn: 'memory',
    dev: true,
    secrets: { default: ['a-secret-of-the-tests'] },
    selfservice: { default_browser_return_url: 'https://app.test/home/' },
    identity: { schemas: [{ id: 'default', schema: { type: 'object' } }] },
    ...members,
  })

test('raises a low Argon2 memory with a warning', () => {
  const { config, warnings } = parse({ hashers: { argon2: { memory: '1KB' } } })
  assert.equal(config.hashers.argon2.memory, 64 * 1024)
  assert.match(warnings[0]!, /^hashers\.argon2\.memory: 1024B is less than Argon2 needs.*64KB/)
})

test('uses the first of two schemas with the same id, with a warning', () => {
  const schemas = [
    { id: 'default', schema: { title: 'first' } },
    { id: 'default', schema: { title: 'second' } },
  ]
  const { config, warnings } = parse({ identity: { schemas } })
  assert.deepEqual(config.identity.schemas, [
    { id: 'default', selfservice_selectable: false, schema: { title: 'first' } },
  ])
  assert.match(warnings[0]!, /^identity\.schemas: the id default is duplicated/)
})

test('warns about lifted limits only', () => {
  const { warnings } = parse({ limits: { flow: { total: 'off', reserve: 'off' }, notice: 'off' } })
  assert.deepEqual(warnings, [
    'limits.notice.account is off: attempts at one account are not limited',
    'limits.flow.total is off: attempts of all clients together are not limited',
  ])
})

test('names what it ignores of a provider, and does not offer one of an organization', () => {
  const mapper = () => ({})
  const common = { provider: 'google', client_id: 'my-app', client_secret: 'a secret', mapper }
  const providers = [
    { ...common, id: 'one', account_linking_mode: 'confirm_with_existing_credential' },
    { ...common, id: 'two', account_linking_mode: 'automatic', net_id_token_origin_header: 'https://a.test' },
    { ...common, id: 'three', organization_id: '5c4f8b1e-6d0e-4d2c-9a3b-000000000000' },
  ]
  const { config, warnings } = parse({
    selfservice: {
      default_browser_return_url: 'https://app.test/',
      methods: { oidc: { enabled: true, config: { providers } } },
    },
  })
  const path = 'selfservice.methods.oidc.config.providers'
  assert.deepEqual(
    config.selfservice.methods.oidc.config.providers.map(({ id }) => id),
    ['one', 'two'],
  )
  assert.deepEqual(warnings, [
    `${path}[1].account_linking_mode (automatic) ignored: this service does not support it`,
    `${path}[1].net_id_token_origin_header (https://a.test) ignored: this service does not support it`,
    `${path}: three is not offered: this service has no organizations. Remove organization_id to offer it to everyone`,
  ])
})

test('names the methods whose hooks replace a general one that can refuse', () => {
  const hook = (config: object) => ({
    hook: 'web_hook',
    config: { url: 'https://hook.test/', method: 'POST', body: () => ({}), ...config },
  })
  const warningsFor = (kind: string, own: object, config: object) =>
    parse({
      selfservice: {
        default_browser_return_url: 'https://app.test/',
        flows: { [kind]: { after: { hooks: [hook(config)], password: { hooks: [own] }, code: {} } } },
      },
    }).warnings
  const refusing = { can_interrupt: true }
  const [warning] = warningsFor('login', { hook: 'revoke_active_sessions' }, refusing)
  assert.match(warning ?? '', /^selfservice\.flows\.login\.after\.hooks: .* not called after password, /)
  assert.equal(warningsFor('registration', hook(refusing), { response: { parse: true } }).length, 1)
  assert.deepEqual(warningsFor('registration', { hook: 'session' }, refusing), [])
  assert.deepEqual(warningsFor('login', { hook: 'revoke_active_sessions' }, {}), [])
})
