import assert from 'node:assert/strict'
import { test } from 'node:test'
import { userSchema } from '../../test/kit/kit.ts'
import { ConfigError } from './checks/config-error.ts'
import { parseConfig } from './config.ts'
import type { IdentityConfigInput } from './schema.ts'

const WORKING = { url: 'https://hook.test/secret-path', method: 'post', body: () => ({}) }

function parse(config?: object) {
  const hooks = [{ hook: 'web_hook', ...(config ? { config } : {}) }]
  const selfservice = {
    default_browser_return_url: 'http://app.test/',
    flows: { login: { before: { hooks } } },
  }
  const identity = { schemas: [{ id: 'default', schema: userSchema }] }
  const input = { dsn: 'memory', dev: true, selfservice, identity } as unknown as IdentityConfigInput
  return parseConfig(input).config.selfservice.flows.login.before.hooks[0]?.config
}

test("uses Ory Kratos' defaults for web hooks", () => {
  const { auth, headers, method, response, can_interrupt } = parse(WORKING)!
  assert.deepEqual([auth, headers, method], [undefined, {}, 'POST'])
  assert.deepEqual([response, can_interrupt], [{ ignore: false, parse: false }, false])
})

test('rejects a web hook that cannot work', () => {
  const { body: _, ...bodiless } = WORKING
  assert.throws(() => parse(), /login\.before\.hooks\[0\]\.config: is missing/)
  assert.throws(() => parse(bodiless), /config\.body: expected file:\/\//)
  assert.throws(() => parse({ ...WORKING, url: 'ftp://hook.test/' }), /config\.url: expected an absolute/)
  assert.throws(() => parse({ ...WORKING, method: 'TRACE' }), /config\.method: expected an HTTP method/)
  assert.throws(
    () => parse({ ...WORKING, headers: { 'content-type': 'text/plain' } }),
    /headers: expected a Content-Type/,
  )
  for (const ignoring of [
    { response: { ignore: true, parse: true } },
    { response: { ignore: true }, can_interrupt: true },
  ]) {
    assert.throws(() => parse({ ...WORKING, ...ignoring }), /an ignored response/)
  }
})

test('does not quote secrets in web hook errors', () => {
  const auth = { type: 'basic_auth', config: { user: 'service', password: 'secret', pass: 'a secret' } }
  assert.throws(
    () => parse({ ...WORKING, url: 'nowhere/secret', headers: { 'X-Key': ['secret'] }, auth }),
    (error) => error instanceof ConfigError && error.issues.length >= 3 && !/secret/.test(error.message),
  )
})
