import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify } from 'jose'
import { type Jwk, newSigningKey, publicJwk, signJwt } from './jwt.ts'

const PRIVATE = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k', 'oth']

test('a token names its key and verifies with its public part', async () => {
  const key = await newSigningKey()
  const token = await signJwt(key, { sub: 'ada' })
  assert.deepEqual(decodeProtectedHeader(token), { alg: 'ES256', typ: 'JWT', kid: key.kid })
  const { payload } = await jwtVerify(token, await importJWK(publicJwk(key) as JWK, 'ES256'))
  assert.equal(payload.sub, 'ada')
})

test('SEC-54 publishes no private part of any key type', async () => {
  const algorithms = ['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA']
  for (const alg of algorithms) {
    const { privateKey } = await generateKeyPair(alg, { extractable: true })
    const jwk = {
      ...(await exportJWK(privateKey)),
      kty: (await exportJWK(privateKey)).kty!,
      alg,
      kid: alg,
    } as Jwk
    assert.ok(PRIVATE.some((name) => name in jwk))
    const shown = publicJwk({ ...jwk, password: 'hush', oth: [{}] })!
    assert.deepEqual(
      Object.keys(shown).filter((name) => [...PRIVATE, 'password'].includes(name)),
      [],
    )
    await jwtVerify(await signJwt(jwk, {}), await importJWK(shown as JWK, alg))
  }
  assert.equal(publicJwk({ kty: 'oct', k: 'c2VjcmV0', alg: 'HS256' }), undefined)
})

test('does not sign without an algorithm', async () => {
  const { alg: _, ...key } = await newSigningKey()
  await assert.rejects(signJwt(key, {}), TypeError)
  await assert.rejects(signJwt({ ...key, alg: 'none' }, {}), TypeError)
  await assert.rejects(signJwt({ ...key, alg: 'RS256' }, {}))
  await assert.rejects(signJwt({ ...publicJwk(await newSigningKey())!, alg: 'ES256' }, {}))
})

test('gives each key an id', async () => {
  const [one, other] = [await newSigningKey(), await newSigningKey()]
  assert.notEqual(one.kid, other.kid)
})
