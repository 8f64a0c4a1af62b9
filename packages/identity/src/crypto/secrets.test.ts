import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSecrets, type SecretLists } from './secrets.ts'

const OLD = 'an-older-secret-of-the-tests-0123456789'
const NEW = 'a-newer-secret-of-the-tests-0123456789'

const secretsOf = (lists: Partial<SecretLists> = {}) =>
  createSecrets({ default: [NEW], cookie: [], cipher: [], pagination: [], ...lists })

test('decrypts its own ciphertext, which differs each time', () => {
  const secrets = secretsOf()
  const [one, two] = [secrets.encrypt('mail', 'Grüße 123456'), secrets.encrypt('mail', 'Grüße 123456')]
  assert.notEqual(one, two)
  assert.equal(secrets.decrypt('mail', one), 'Grüße 123456')
  assert.equal(secrets.decrypt('mail', two), 'Grüße 123456')
  assert.equal(secrets.decrypt('mail', secrets.encrypt('mail', '')), '')
})

test('does not decrypt for another purpose', () => {
  const secrets = secretsOf()
  const sealed = secrets.encrypt('mail', 'hello')
  assert.throws(() => secrets.decrypt('memo', sealed), /\(memo\) cannot be decrypted/)
})

test('rejects modified ciphertext without quoting it', () => {
  const secrets = secretsOf()
  const sealed = Buffer.from(secrets.encrypt('mail', 'hello'), 'base64url')
  for (let place = 0; place < sealed.length; place++) {
    const changed = Buffer.from(sealed)
    changed[place]! ^= 1
    const text = changed.toString('base64url')
    assert.throws(
      () => secrets.decrypt('mail', text),
      (error: Error) => !error.message.includes(text) && !error.message.includes('hello'),
    )
  }
  for (const text of ['', 'x', '!!!', sealed.subarray(0, 20).toString('base64url')]) {
    assert.throws(() => secrets.decrypt('mail', text))
  }
})

test('accepts older secrets and uses the first for new values', () => {
  const [before, rotated, after] = [
    secretsOf({ default: [OLD] }),
    secretsOf({ default: [NEW, OLD] }),
    secretsOf({ default: [NEW] }),
  ]
  assert.equal(rotated.decrypt('mail', before.encrypt('mail', 'hello')), 'hello')
  assert.equal(after.decrypt('mail', rotated.encrypt('mail', 'hello')), 'hello')
  assert.ok(rotated.verifyMac('code', '123456', before.mac('code', '123456')))
  assert.equal(rotated.mac('code', '123456'), after.mac('code', '123456'))
  assert.throws(() => after.decrypt('mail', before.encrypt('mail', 'hello')))
  assert.equal(after.verifyMac('code', '123456', before.mac('code', '123456')), false)
})

test('verifies a MAC for its text and purpose only', () => {
  const secrets = secretsOf()
  const mac = secrets.mac('code', 'flow-1 123456')
  assert.ok(secrets.verifyMac('code', 'flow-1 123456', mac))
  assert.equal(secrets.verifyMac('code', 'flow-2 123456', mac), false)
  assert.equal(secrets.verifyMac('link', 'flow-1 123456', mac), false)
  for (const wrong of ['', 'x', mac.slice(0, -2), `${mac}AAAA`]) {
    assert.equal(secrets.verifyMac('code', 'flow-1 123456', wrong), false)
  }
})

test('uses the secrets for cookies, page tokens and stored data', () => {
  const all = secretsOf({ cookie: ['c'.repeat(32)], cipher: ['d'.repeat(32)], pagination: ['p'.repeat(32)] })
  const fallback = secretsOf()
  for (const purpose of ['cookie csrf', 'pagination']) {
    assert.notEqual(all.mac(purpose, 'x'), fallback.mac(purpose, 'x'))
    assert.throws(() => fallback.decrypt(purpose, all.encrypt(purpose, 'x')))
  }
  assert.throws(() => fallback.decrypt('mail', all.encrypt('mail', 'x')))
  assert.equal(all.mac('code', 'x'), fallback.mac('code', 'x'))
})

test('decrypts text from before a cipher secret was configured', () => {
  const sealed = secretsOf().encrypt('mail', 'hello')
  assert.equal(secretsOf({ cipher: ['d'.repeat(32)] }).decrypt('mail', sealed), 'hello')
})

test('rejects an empty list of secrets', () => {
  assert.throws(() => secretsOf({ default: [] }))
})
