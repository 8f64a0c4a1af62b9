import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerMapper } from './provider-mapper.ts'

test('SEC-26: an address counts as verified only where the provider says so explicitly', () => {
  const mapper = providerMapper({ email: {} })
  const email = 'ada@example.com'
  const verified = (email_verified: unknown) =>
    mapper({ claims: { email, email_verified } }).identity.verified_addresses
  assert.deepEqual(verified(true), [{ via: 'email', value: email }])
  for (const word of [false, 'true', 'false', 1, 0, null, undefined]) assert.deepEqual(verified(word), [])
  assert.deepEqual(mapper({ claims: { email_verified: true } }), { identity: { traits: {} } })
})

test('a new user finds the name filled in, whatever the trait is called', () => {
  const claims = { name: 'Ada Lovelace', given_name: 'Ada', family_name: 'Lovelace', nickname: 'ada' }
  const text = { type: 'string' }
  const traitsOf = (traits: Parameters<typeof providerMapper>[0]) =>
    providerMapper(traits)({ claims }).identity.traits
  assert.deepEqual(traitsOf({ name: text, team: text }), { name: 'Ada Lovelace' })
  assert.deepEqual(traitsOf({ fullName: { ...text, maxLength: 3 } }), { fullName: 'Ada' })
  assert.deepEqual(traitsOf({ first_name: text, lastName: text }), {
    first_name: 'Ada',
    lastName: 'Lovelace',
  })
  const name = { type: 'object', properties: { first: text, last: text, middle: text } }
  assert.deepEqual(traitsOf({ name }), { name: { first: 'Ada', last: 'Lovelace' } })
  // A value of another kind would end the registration.
  assert.deepEqual(traitsOf({ name: { type: 'number' }, full_name: { type: 'object' } }), {})
  const emoji = providerMapper({ name: { ...text, maxLength: 1 }, nickname: text })
  const odd = providerMapper({ name: text })
  assert.deepEqual(odd({ claims: { name: 'Ada\0 Lovelace\r\n' } }).identity.traits, { name: 'Ada Lovelace' })
  assert.deepEqual(emoji({ claims: { name: '🦊🦊', nickname: '' } }).identity.traits, { name: '🦊' })
})
