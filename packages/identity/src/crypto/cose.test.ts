import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { test } from 'node:test'
import { ALGORITHMS, isUsableKey } from './webauthn.ts'

const bytes = (text: string | undefined) => Buffer.from(text ?? '', 'base64url')

function elliptic(algorithm: number, namedCurve: string, crv: number) {
  const { x, y } = generateKeyPairSync('ec', { namedCurve }).publicKey.export({ format: 'jwk' })
  return new Map<number, unknown>([
    [1, 2],
    [3, algorithm],
    [-1, crv],
    [-2, bytes(x)],
    [-3, bytes(y)],
  ])
}

function rsa(algorithm: number, publicKey: KeyObject) {
  const { n, e } = publicKey.export({ format: 'jwk' })
  return new Map<number, unknown>([
    [1, 3],
    [3, algorithm],
    [-1, bytes(n)],
    [-2, bytes(e)],
  ])
}

function edwards() {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  return new Map<number, unknown>([
    [1, 1],
    [3, -8],
    [-1, 6],
    [-2, bytes(x)],
  ])
}

test('accepts a key of each requested algorithm', () => {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const keys = [
    elliptic(-7, 'P-256', 1),
    elliptic(-35, 'P-384', 2),
    elliptic(-36, 'P-521', 3),
    ...[-257, -258, -259, -37, -38, -39].map((algorithm) => rsa(algorithm, publicKey)),
    edwards(),
  ]
  assert.deepEqual(
    keys.map((key) => key.get(3)),
    ALGORITHMS,
  )
  assert.deepEqual(
    keys.map((key) => isUsableKey(key)),
    keys.map(() => true),
  )
})

const rsa2048 = () => rsa(-257, generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)
const without = (key: Map<number, unknown>, label: number) => {
  key.delete(label)
  return key
}

const unusable: readonly (readonly [what: string, key: () => ReadonlyMap<number, unknown>])[] = [
  ['nothing', () => new Map()],
  ['an algorithm that was not requested', () => elliptic(-47, 'P-256', 1)],
  ['a point beside its curve', () => elliptic(-7, 'P-256', 1).set(-3, Buffer.alloc(32, 1))],
  ['half a point', () => without(elliptic(-7, 'P-256', 1), -3)],
  ['a compressed point', () => elliptic(-7, 'P-256', 1).set(-3, true)],
  ['another curve than its algorithm has', () => elliptic(-36, 'P-256', 1)],
  ['another name than that of its curve', () => elliptic(-7, 'P-384', 1)],
  ['the algorithm of another kind', () => elliptic(-257, 'P-256', 1)],
  ['the algorithm of another curve', () => edwards().set(3, -7)],
  ['too few bytes', () => edwards().set(-2, Buffer.alloc(31))],
  ['a short RSA modulus', () => rsa(-257, generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey)],
  ['an RSA modulus of 4,104 bits (SEC-65)', () => rsa2048().set(-1, Buffer.alloc(513, 0xff))],
  ['an RSA exponent of 33 bits (SEC-65)', () => rsa2048().set(-2, Buffer.from('0100000001', 'hex'))],
  ['an RSA exponent of 2,048 bits (SEC-65)', () => rsa2048().set(-2, Buffer.alloc(256, 0x7f))],
  ['an RSA exponent of one, with which every client can sign', () => rsa2048().set(-2, Buffer.from([1]))],
  ['an RSA modulus of zero', () => rsa2048().set(-1, Buffer.alloc(256))],
  ['no RSA exponent', () => without(rsa2048(), -2)],
]
for (const [what, key] of unusable) {
  test(`rejects a key of ${what}`, () => {
    assert.equal(isUsableKey(key()), false)
  })
}
