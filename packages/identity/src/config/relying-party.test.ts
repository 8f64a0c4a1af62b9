import assert from 'node:assert/strict'
import { test } from 'node:test'
import { userSchema } from '../../test/kit/kit.ts'
import { parseConfig } from './config.ts'
import type { IdentityConfigInput } from './schema.ts'

const RP = { id: 'app.test', display_name: 'My App' }

function parse(passkey: object) {
  return parseConfig({
    dsn: 'memory',
    dev: true,
    selfservice: { default_browser_return_url: 'http://app.test/start', methods: { passkey } },
    identity: { schemas: [{ id: 'default', schema: userSchema }] },
  } as unknown as IdentityConfigInput)
}

test('by default the origin of passkeys is that of the default return URL', () => {
  const { rp } = parse({ enabled: true, config: { rp: RP } }).config.selfservice.methods.passkey.config
  assert.deepEqual(rp, { ...RP, origins: ['http://app.test'] })
})

test('a single origin and a list of origins are both accepted', () => {
  const originsOf = (more: object) =>
    parse({ enabled: true, config: { rp: { ...RP, ...more } } }).config.selfservice.methods.passkey.config.rp
      .origins
  const app = 'android:apk-key-hash:9Yx'
  assert.deepEqual(originsOf({ origin: 'https://app.test' }), ['https://app.test'])
  assert.deepEqual(originsOf({ origins: ['https://app.test', app] }), ['https://app.test', app])
})

test('the relying party of passkeys must be configured', () => {
  assert.throws(() => parse({ enabled: true }), /passkey\.config\.rp.*is missing/)
})

test('an origin with a path would never match, so it is refused', () => {
  const config = { rp: { ...RP, origins: ['https://app.test/'] } }
  assert.throws(() => parse({ enabled: true, config }), /expected an origin/)
})

test('a passkey must verify its user, unless the operator decides otherwise', () => {
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
