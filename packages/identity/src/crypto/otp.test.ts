import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  checkTotp,
  fromBase32,
  newBackupCodes,
  newTotpSecret,
  secretOfTotpUrl,
  totpCode,
  totpUrl,
} from './otp.ts'

const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const at = (seconds: number) => new Date(seconds * 1000)

test('matches the test vectors of RFC 6238, appendix B', () => {
  const key = Buffer.from('12345678901234567890')
  assert.deepEqual(fromBase32(SECRET), key)
  const known = [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ] as const
  for (const [seconds, code] of known) assert.equal(totpCode(key, Math.floor(seconds / 30)), code)
})

test('SEC-58 accepts codes one time step away', () => {
  const code = totpCode(fromBase32(SECRET), 100)
  const kinds = [98, 99, 100, 101, 102].map((step) => checkTotp(SECRET, code, at(step * 30)).kind)
  assert.deepEqual(kinds, ['wrong', 'right', 'right', 'right', 'wrong'])
})

test('SEC-58 rejects the last used time step and earlier ones', () => {
  const code = totpCode(fromBase32(SECRET), 100)
  assert.equal(checkTotp(SECRET, code, at(3000), 99).kind, 'right')
  assert.equal(checkTotp(SECRET, code, at(3000), 100).kind, 'used')
  assert.equal(checkTotp(SECRET, code, at(3000), 101).kind, 'used')
})

test('rejects input that is not a code', () => {
  for (const typed of ['', '28708', '2870820', '２８７０８２', '28 7082', 'abcdef']) {
    assert.equal(checkTotp(SECRET, typed, at(59)).kind, 'wrong')
  }
})

test('creates 160-bit secrets that round-trip through the otpauth URL', () => {
  const secret = newTotpSecret()
  assert.match(secret, /^[A-Z2-7]{32}$/)
  assert.notEqual(newTotpSecret(), secret)
  const url = totpUrl(secret, 'Example App & more', 'ada@example.com')
  assert.equal(secretOfTotpUrl(url), secret)
  assert.equal(new URL(url).searchParams.get('issuer'), 'Example App & more')
  assert.equal(decodeURIComponent(new URL(url).pathname), '/Example App & more:ada@example.com')
})

test('SEC-59 creates twelve 50-bit backup codes without similar letters', () => {
  const codes = newBackupCodes()
  assert.equal(new Set(codes).size, 12)
  for (const code of codes) assert.match(code, /^[a-kmnp-z2-9]{10}$/)
  const letters = new Set(Array.from({ length: 200 }, newBackupCodes).flat().join(''))
  assert.equal(letters.size, 32)
})
