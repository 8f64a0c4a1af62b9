import assert from 'node:assert/strict'
import { test } from 'node:test'
import { userSchema } from '../../test/kit/kit.ts'
import { parseConfig } from './config.ts'
import type { IdentityConfigInput } from './schema.ts'

const RP = { id: 'app.test', display_name: 'Example App' }

function parse(passkey: object) {
  return parseConfig({
    dsn: 'memory',
    dev: true,
    selfservice: { default_browser_return_url: 'http://app.test/start', methods: { passkey } },
    identity: { schemas: [{ id: 'default', schema: userSchema }] },
  } as unknown as IdentityConfigInput)
}

test("uses the default return URL's origin for passkeys", () => {
  const { rp } = parse({ enabled: true, config: { rp: RP } }).config.selfservice.methods.passkey.config
  assert.deepEqual(rp, { ...RP, origins: ['http://app.test'] })
})

test('accepts a single origin or a list', () => {
  const originsOf = (more: object) =>
    parse({ enabled: true, config: { rp: { ...RP, ...more } } }).config.selfservice.methods.passkey.config.rp
      .origins
  const app = 'android:apk-key-hash:9Yx'
  assert.deepEqual(originsOf({ origin: 'https://app.test' }), ['https://app.test'])
  assert.deepEqual(originsOf({ origins: ['https://app.test', app] }), ['https://app.test', app])
  assert.deepEqual(originsOf({ origins: ['https://Äpp.test:443'] }), ['https://xn--pp-uia.test'])
})

test('requires a relying party for passkeys', () => {
  assert.throws(() => parse({ enabled: true }), /passkey\.config\.rp.*is missing/)
})

test('rejects an origin with a path', () => {
  const config = { rp: { ...RP, origins: ['https://app.test/'] } }
  assert.throws(() => parse({ enabled: true, config }), /expected an origin/)
})

test('requires user verification by default', () => {
  const selectionOf = (authenticator_selection: object) => {
    const { config } = parse({ enabled: true, config: { rp: RP, authenticator_selection } })
    return config.selfservice.methods.passkey.config.authenticator_selection
  }
  assert.equal(selectionOf({}).user_verification, 'required')
  const { user_verification, attachment } = selectionOf({
    user_verification: 'preferred',
    attachment: 'cross-platform',
  })
  assert.deepEqual([user_verification, attachment], ['preferred', 'cross-platform'])
})
