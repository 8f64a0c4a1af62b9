import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError } from './checks/config-error.ts'
import { parseConfig } from './config.ts'
import { completeOptions, type IdentityOptions } from './defaults.ts'

const at = (base_url: string): IdentityOptions => ({ serve: { public: { base_url } } })
const PUBLIC = at('https://accounts.example/')
const parse = (options: IdentityOptions, environment?: string) =>
  parseConfig(completeOptions(options, undefined, environment ?? 'test')).config

test('defaults to dev mode and a database in memory on the loopback interface only', () => {
  for (const options of [{}, at('http://127.0.0.1:4000/'), at('http://[::1]:4000/identity')]) {
    const { dev, dsn, secrets } = parse(options)
    assert.deepEqual([dev, dsn, secrets.default.length], [true, 'memory', 1])
  }
  assert.equal(completeOptions(PUBLIC, undefined, 'test').dev, false)
  assert.equal(completeOptions(at('http://localhost:3000/'), undefined, 'production').dev, false)
})

test('names every missing key outside of dev mode', () => {
  const missing = (options: IdentityOptions, environment?: string) => {
    try {
      parse(options, environment)
    } catch (error) {
      return error instanceof ConfigError ? error.issues.map(({ path }) => path).toSorted() : error
    }
    return []
  }
  const all = ['dsn', 'secrets.default', 'serve.public.base_url']
  assert.deepEqual(missing({}, 'production'), all)
  assert.deepEqual(missing({ dev: false }), all)
  const secrets = { default: ['a secret of the tests, long enough to be one'] }
  assert.deepEqual(missing({ ...PUBLIC, secrets }), ['dsn'])
  assert.deepEqual(missing({ ...PUBLIC, dsn: 'accounts.sqlite', secrets }), [])
  assert.deepEqual(missing({ dsn: 'memory', secrets }, 'production'), ['serve.public.base_url'])
})

test('keys that are undefined keep their defaults', () => {
  const { dsn, selfservice } = parse({ dsn: undefined, selfservice: { methods: undefined } })
  assert.deepEqual([dsn, selfservice.methods.passkey.enabled], ['memory', true])
})

test('a native app recovers an account without a browser', () => {
  assert.equal(parse({}).feature_flags.use_continue_with_transitions, true)
  const feature_flags = { use_continue_with_transitions: false }
  assert.equal(parse({ feature_flags }).feature_flags.use_continue_with_transitions, false)
})

test('offers no passkeys for an IP address', () => {
  assert.equal(parse(at('http://127.0.0.1:4000/')).selfservice.methods.passkey.enabled, false)
})
