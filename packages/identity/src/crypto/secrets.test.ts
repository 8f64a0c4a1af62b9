import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SecretLists } from './secrets.ts'
import { createSecrets } from './secrets.ts'

const OLD = 'an-older-secret-of-the-tests-0123456789'
const NEW = 'a-newer-secret-of-the-tests-0123456789'

const secretsOf = (lists: Partial<SecretLists> = {}) =>
  createSecrets({ default: [NEW], cookie: [], cipher: [], pagination: [], ...lists })

test('an encrypted text can be decrypted, and looks different each time', () => {
  const secrets = secretsOf()
  const [one, two] = [secrets.encrypt('mail', 'Grüße 123456'), secrets.encrypt('mail', 'Grüße 123456')]
  assert.notEqual(one, two)
  assert.equal(secrets.decrypt('mail', one), 'Grüße 123456')
  assert.equal(secrets.decrypt('mail', two), 'Grüße 123456')
  assert.equal(secrets.decrypt('mail', secrets.encrypt('mail', '')), '')
})

test('an encrypted text cannot be decrypted for another purpose', () => {
  const secrets = secretsOf()
  const sealed = secrets.encrypt('mail', 'hello')
  assert.throws(() => secrets.decrypt('memo', sealed), /\(memo\) cannot be decrypted/)
})

test('an encrypted text that was modified cannot be decrypted, and the error does not quote it', () => {
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

test('after a rotation older secrets still decrypt and verify, and the first one encrypts and signs', () => {
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

test('a MAC verifies for its text and its purpose only', () => {
  const secrets = secretsOf()
  const mac = secrets.mac('code', 'flow-1 123456')
  assert.ok(secrets.verifyMac('code', 'flow-1 123456', mac))
  assert.equal(secrets.verifyMac('code', 'flow-2 123456', mac), false)
  assert.equal(secrets.verifyMac('link', 'flow-1 123456', mac), false)
  for (const wrong of ['', 'x', mac.slice(0, -2), `${mac}AAAA`]) {
    assert.equal(secrets.verifyMac('code', 'flow-1 123456', wrong), false)
  }
})

test('cookies, page tokens and data at rest use the secrets that were configured for them', () => {
  const all = secretsOf({ cookie: ['c'.repeat(32)], cipher: ['d'.repeat(32)], pagination: ['p'.repeat(32)] })
  const fallback = secretsOf()
  for (const purpose of ['cookie csrf', 'pagination']) {
    assert.notEqual(all.mac(purpose, 'x'), fallback.mac(purpose, 'x'))
    assert.throws(() => fallback.decrypt(purpose, all.encrypt(purpose, 'x')))
  }
  assert.throws(() => fallback.decrypt('mail', all.encrypt('mail', 'x')))
  assert.equal(all.mac('code', 'x'), fallback.mac('code', 'x'))
})

test('a text encrypted before a cipher secret was configured can still be decrypted', () => {
  const sealed = secretsOf().encrypt('mail', 'hello')
  assert.equal(secretsOf({ cipher: ['d'.repeat(32)] }).decrypt('mail', sealed), 'hello')
})

test('an empty list of secrets is refused', () => {
  assert.throws(() => secretsOf({ default: [] }))
})
