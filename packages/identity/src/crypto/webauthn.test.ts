import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { assertCheap } from '../../test/input/processor-time.ts'
import { readAssertion, readAttestation } from '../authenticators/answers.ts'
import { FormError } from '../errors/errors.ts'
import { Authenticator, cborBytes, type Lie, RP } from '../testing/authenticator.ts'
import { newChallenge, verifyAssertion, verifyAttestation } from './webauthn.ts'

const EXPECTED = { challenge: newChallenge(), rp: RP, user_verification: true }
const OPTIONS = { publicKey: { challenge: EXPECTED.challenge, user: { id: 'AAAA' } } }

async function attested(lie: Lie) {
  const authenticator = new Authenticator()
  const key = await verifyAttestation(readAttestation(authenticator.create(OPTIONS, lie)), EXPECTED)
  return { authenticator, key }
}

test('accepts a 4,096-bit RSA key', async () => {
  const { authenticator, key } = await attested({ rsaBits: 4096 })
  assert.ok(key)
  const assertion = readAssertion(authenticator.get(OPTIONS))
  assert.deepEqual(await verifyAssertion(assertion, EXPECTED, key), { sign_count: 1 })
})

test('SEC-65 rejects longer RSA keys at registration', async () => {
  assert.equal((await attested({ rsaBits: 4104 })).key, undefined)
})

test('SEC-65 rejects a stored longer RSA key at sign-in', async () => {
  const { authenticator, key } = await attested({ rsaBits: 2048 })
  assert.ok(key)
  const long = generateKeyPairSync('rsa', { modulusLength: 4104 })
  const modulus = Buffer.from(long.publicKey.export({ format: 'jwk' }).n ?? '', 'base64url')
  const cose = Buffer.concat([
    Buffer.from('a401030339010020', 'hex'),
    cborBytes(modulus),
    Buffer.from('2143010001', 'hex'),
  ])
  const assertion = readAssertion(authenticator.get(OPTIONS, { key: long.privateKey }))
  const stored = { ...key, public_key: cose.toString('base64url') }
  assert.equal(await verifyAssertion(assertion, EXPECTED, stored), undefined)
})

test('SEC-65 ignores attestation certificates', async () => {
  const chain = Buffer.alloc(2_000, 0x40)
  const statement = Buffer.concat([Buffer.from('a1637835639907d0', 'hex'), chain])
  const { key } = await attested({ attestation: { fmt: 'packed', statement } })
  assert.equal(key?.attestation_type, 'packed')
  assert.equal((await attested({ attestation: { fmt: 'unheard-of', statement } })).key, undefined)
})

test('SEC-65 handles a large or deeply nested attestation cheaply', async () => {
  const nested = Buffer.alloc(24_000, 0x81)
  const many = Buffer.concat([Buffer.from('995dc0', 'hex'), Buffer.alloc(24_000, 0)])
  for (const statement of [nested, many]) {
    const answer = readAttestation(
      new Authenticator().create(OPTIONS, { attestation: { fmt: 'packed', statement } }),
    )
    await assertCheap('an attestation', () => verifyAttestation(answer, EXPECTED))
  }
})

const LONG = Buffer.alloc(40_000, 1).toString('base64url')
for (const part of ['attestationObject', 'clientDataJSON'])
  test(`SEC-65 leaves a registration with 40,000 bytes of ${part} unread`, () => {
    const { response, ...rest } = JSON.parse(new Authenticator().create(OPTIONS))
    const text = JSON.stringify({ ...rest, response: { ...response, [part]: LONG } })
    assert.throws(() => readAttestation(text), FormError)
  })

for (const part of ['authenticatorData', 'clientDataJSON', 'signature', 'userHandle'])
  test(`SEC-65 leaves a login with 40,000 bytes of ${part} unread`, () => {
    const authenticator = new Authenticator()
    authenticator.create(OPTIONS)
    const { response, ...rest } = JSON.parse(authenticator.get(OPTIONS))
    const text = JSON.stringify({ ...rest, response: { ...response, [part]: LONG } })
    assert.throws(() => readAssertion(text), FormError)
  })
