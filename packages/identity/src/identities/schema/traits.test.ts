import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normaliseIdentifier } from '../../input/identifier.ts'
import type { JsonObject } from '../../wire/identity.ts'
import { compileSchema } from './schema.ts'
import { deriveFromTraits } from './traits.ts'

function schemaOf(properties: object) {
  return compileSchema('s', { properties: { traits: { type: 'object', properties } } })
}

const EVERYTHING = {
  credentials: {
    password: { identifier: true },
    code: { identifier: true, via: 'email' },
    webauthn: { identifier: true },
    passkey: { display_name: true },
    totp: { account_name: true },
  },
  verification: { via: 'email' },
  recovery: { via: 'email' },
}

test('an email address becomes identifiers and addresses, in lower case without blanks', () => {
  const schema = schemaOf({
    email: { type: 'string', 'ory.sh/kratos': EVERYTHING },
    name: { type: 'string' },
  })
  const address = [{ via: 'email', value: 'ada@example.com' }]
  assert.deepEqual(deriveFromTraits(schema, { email: ' Ada@Example.COM ', name: 'Ada' }), {
    identifiers: { password: ['ada@example.com'], code: ['ada@example.com'], webauthn: ['ada@example.com'] },
    verifiable: address,
    recovery: address,
  })
})

test('every list entry counts, and each address once', () => {
  const schema = schemaOf({
    email: { type: 'string', 'ory.sh/kratos': { verification: { via: 'email' } } },
    others: { type: 'array', items: { type: 'string', 'ory.sh/kratos': { verification: { via: 'email' } } } },
  })
  const { verifiable } = deriveFromTraits(schema, { email: 'a@b', others: ['A@b', 'c@d'] })
  assert.deepEqual(
    verifiable.map(({ value }) => value),
    ['a@b', 'c@d'],
  )
})

test('entries of a list may be objects', () => {
  const mark = { 'ory.sh/kratos': { credentials: { password: { identifier: true } } } }
  const schema = schemaOf({ mails: { type: 'array', items: { properties: { value: mark } } } })
  const traits: JsonObject = { mails: [{ value: 'a@b' }, { kind: 'none' }, 'c@d', null] }
  assert.deepEqual(deriveFromTraits(schema, traits).identifiers.password, ['a@b'])
})

test('a phone number is stored in E.164', () => {
  const sms = { credentials: { code: { identifier: true, via: 'sms' } }, verification: { via: 'sms' } }
  const schema = schemaOf({ phone: { type: 'string', format: 'tel', 'ory.sh/kratos': sms } })
  const derived = deriveFromTraits(schema, { phone: ' +44 20 7946 0958' })
  assert.deepEqual(derived.identifiers.code, ['+442079460958'])
  assert.deepEqual(derived.verifiable, [{ via: 'sms', value: '+442079460958' }])
})

test('missing, empty and mistyped traits yield nothing', () => {
  const schema = schemaOf({ email: { 'ory.sh/kratos': EVERYTHING } })
  const all: JsonObject[] = [
    {},
    { email: '' },
    { email: '  ' },
    { email: 42 },
    { email: null },
    { email: { a: 'b' } },
  ]
  for (const traits of all) {
    const { identifiers, verifiable, recovery } = deriveFromTraits(schema, traits)
    assert.deepEqual([identifiers.password, verifiable, recovery], [[], [], []])
  }
})

test('a disabled mark has no effect', () => {
  const schema = schemaOf({ a: { 'ory.sh/kratos': { credentials: { password: { identifier: false } } } } })
  assert.deepEqual(deriveFromTraits(schema, { a: 'ada' }).identifiers.password, [])
})

const SPELLINGS: [string, string, string][] = [
  ['password', ' Ada@Example.com\t', 'ada@example.com'],
  ['webauthn', 'ADA', 'ada'],
  ['code', ' Ada@Example.com ', 'ada@example.com'],
  ['code', ' +44 20 7946 0958 ', '+442079460958'],
  ['oidc', ' Google:Abc ', ' Google:Abc '],
  ['password', 'ａｄａ', 'ａｄａ'],
  ['password', '\ufeffa\u200bd\u00ada\ufe0f\u3164\u0007', 'ada'],
  ['code', '\u202d+44 20 7946 0958\u202c', '+442079460958'],
  ['password', 'straße', 'straße'],
]

for (const [type, typed, stored] of SPELLINGS) {
  test(`SEC-07 looks up a ${type} identifier typed as ${JSON.stringify(typed)} as ${JSON.stringify(stored)}`, () => {
    assert.equal(normaliseIdentifier(type, typed), stored)
  })
}
