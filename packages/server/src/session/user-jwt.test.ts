import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { assertCheap } from '@ostiary/identity/testing/input/processor-time'
import { createUserJwtVerifier } from './user-jwt.ts'

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' })
const jwk = { ...ec.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }
const pem = ec.publicKey.export({ format: 'pem', type: 'spki' }).toString()
const der = ec.publicKey.export({ format: 'der', type: 'spki' })

const time = Date.parse('2031-01-01T00:00:00Z') / 1000
const goodHeader = { alg: 'ES256', typ: 'JWT', kid: 'one' }
const goodClaims = {
  iss: 'http://localhost:3000/.ory',
  aud: 'http://localhost:3000',
  sub: 'person',
  sid: 'session',
  iat: time,
  nbf: time,
  exp: time + 600,
}

const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

function token(header: object = {}, claims: object | string = {}, key = ec.privateKey): string {
  const body = typeof claims === 'string' ? claims : { ...goodClaims, ...claims }
  const input = `${encode({ ...goodHeader, ...header })}.${encode(body)}`
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

function hmacToken(secret: string | Buffer): string {
  const input = `${encode({ ...goodHeader, alg: 'HS256' })}.${encode(goodClaims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

function setUp(loadKeys: () => Promise<{ keys: unknown[] }> = async () => ({ keys: [jwk] })) {
  const clock = { now: time * 1000 }
  const verify = createUserJwtVerifier({
    issuer: async () => goodClaims.iss,
    audience: goodClaims.aud,
    now: () => new Date(clock.now),
    loadKeys,
  })
  return { verify, clock }
}

test('accepts our token', async () => {
  const { verify } = setUp()
  assert.deepEqual(await verify(token()), { sub: 'person', sid: 'session' })
})

const [h = '', c = '', s = ''] = token().split('.')
const forged: Record<string, string> = {
  'alg none': `${encode({ ...goodHeader, alg: 'none' })}.${c}.`,
  'alg None with a signature': `${encode({ ...goodHeader, alg: 'None' })}.${c}.${s}`,
  'HS256 with the PEM as secret': hmacToken(pem),
  'HS256 with the JWK as secret': hmacToken(JSON.stringify(jwk)),
  'HS256 with the DER as secret': hmacToken(der),
  'HS256 with x as secret': hmacToken(jwk.x ?? ''),
  'another key': token({}, {}, other.privateKey),
  'another curve': token({ alg: 'ES384' }, {}, p384.privateKey),
  'RS256 named over our key': token({ alg: 'RS256' }),
  'lower-case alg': token({ alg: 'es256' }),
  'no alg': token({ alg: undefined }),
  'a jwk in the header': token({ jwk: other.publicKey.export({ format: 'jwk' }) }, {}, other.privateKey),
  'a jku': token({ jku: 'https://evil.example/jwks.json' }),
  'an x5u': token({ x5u: 'https://evil.example/cert.pem' }),
  'an x5c': token({ x5c: ['MIIB'] }),
  'a crit': token({ crit: ['b64'], b64: false }),
  'an empty crit': token({ crit: [] }),
  'an unknown kid': token({ kid: 'two' }),
  'a path as kid': token({ kid: '../../dev/null' }),
  'SQL as kid': token({ kid: "' OR 1=1 --" }),
  'a number as kid': token({ kid: 1 }),
  'no kid': token({ kid: undefined }),
  'another typ': token({ typ: 'at+jwt' }),
  'no typ': token({ typ: undefined }),
  'no signature': `${h}.${c}.`,
  'two parts': `${h}.${c}`,
  'a signature of zeros': `${h}.${c}.${Buffer.alloc(64).toString('base64url')}`,
  'a DER signature': `${h}.${c}.${sign('sha256', Buffer.from(`${h}.${c}`), ec.privateKey).toString('base64url')}`,
  'a cut signature': `${h}.${c}.${s.slice(0, -4)}`,
  'a signature with padding': `${h}.${c}.${s}==`,
  'two dots more': `${h}.${c}.${s}..`,
  'white space around': ` ${h}.${c}.${s} `,
  'claims of another token': `${h}.${encode({ ...goodClaims, sub: 'another-user' })}.${s}`,
  'claims that are not an object': token({}, '"text"'),
  'claims that are not JSON': token({}, '{'),
  'another issuer': token({}, { iss: 'https://evil.example' }),
  'an issuer that only begins like ours': token({}, { iss: `${goodClaims.iss}/x` }),
  'another audience': token({}, { aud: 'http://localhost:3001' }),
  'no audience': token({}, { aud: undefined }),
  'an empty list of audiences': token({}, { aud: [] }),
  'no subject': token({}, { sub: undefined }),
  'no session': token({}, { sid: undefined }),
}
for (const [name, value] of Object.entries(forged)) {
  test(`SEC-50 a token with ${name} authenticates no one`, async () => {
    const { verify } = setUp()
    assert.equal(await verify(value), undefined)
  })
}

test('SEC-50 a published key of another type verifies nothing', async () => {
  const secret = Buffer.alloc(32, 7)
  const oct = { kty: 'oct', kid: 'one', alg: 'HS256', k: secret.toString('base64url') }
  const { verify } = setUp(async () => ({ keys: [oct] }))
  assert.equal(await verify(hmacToken(secret)), undefined)
})

for (const name of ['exp', 'nbf', 'iat']) {
  for (const value of ['0', '-1', '"9e9"', '1e400', 'null', '[]', 'true', `${time + 0.5}`]) {
    test(`SEC-51 refuses ${name} ${value}`, async () => {
      const { verify } = setUp()
      const json = JSON.stringify({ ...goodClaims, [name]: 'X' }).replace('"X"', value)
      assert.equal(await verify(token({}, json)), undefined)
    })
  }
}
const times: Record<string, [object, boolean]> = {
  'no exp': [{ exp: undefined }, false],
  'no iat': [{ iat: undefined }, false],
  'an exp of now': [{ exp: time }, false],
  'an exp in the next second': [{ exp: time + 1 }, true],
  'an iat a minute ahead, as of a fast clock': [{ iat: time + 60, nbf: undefined }, true],
  'an iat 61 seconds ahead': [{ iat: time + 61 }, false],
  'an nbf 61 seconds ahead': [{ nbf: time + 61 }, false],
}
for (const [name, [claims, accepted]] of Object.entries(times)) {
  test(`SEC-51 a token with ${name} is ${accepted ? 'taken' : 'refused'}`, async () => {
    const { verify } = setUp()
    assert.equal((await verify(token({}, claims))) !== undefined, accepted)
  })
}

test('SEC-53 refuses encrypted, oversized and costly tokens before any cryptography', async () => {
  const { verify } = setUp()
  const costly = encode({
    alg: 'PBES2-HS512+A256KW',
    enc: 'A256GCM',
    p2c: 2_000_000_000,
    p2s: 'x',
    kid: 'one',
  })
  const hostile = [
    `${costly}.a.b.c.d`,
    `${encode({ ...goodHeader, zip: 'DEF' })}.${c}.${s}`,
    `${h}.${encode({ ...goodClaims, filler: 'x'.repeat(4096) })}.${s}`,
    'x'.repeat(100_000),
    '.'.repeat(4000),
    token({ kid: 'unknown' }),
    token({}, { exp: time - 1 }),
  ]
  await verify(token())
  for (const one of hostile)
    await assertCheap(one.slice(0, 60), async () => {
      for (let n = 0; n < 100; n++) assert.equal(await verify(one), undefined)
    })
})

test('SEC-53 unknown clients cannot make us fetch keys repeatedly', async () => {
  let loads = 0
  const { verify, clock } = setUp(async () => {
    loads++
    return { keys: [jwk] }
  })
  await verify(token())
  await Promise.all(Array.from({ length: 100 }, (_, index) => verify(token({ kid: `k${index}` }))))
  assert.equal(loads, 1)
  clock.now += 11_000
  await Promise.all(Array.from({ length: 100 }, (_, index) => verify(token({ kid: `k${index}` }))))
  assert.equal(loads, 2)
})

test('finds a new key soon, and keeps the old ones during an outage', async () => {
  const published: { keys: object[] } = { keys: [jwk] }
  let down = false
  const { verify, clock } = setUp(async () => {
    if (down) throw new Error('no answer')
    return published
  })
  await verify(token())
  published.keys.push({ ...other.publicKey.export({ format: 'jwk' }), kid: 'two', alg: 'ES256' })
  clock.now += 11_000
  assert.ok(await verify(token({ kid: 'two' }, {}, other.privateKey)))
  down = true
  clock.now += 301_000
  assert.ok(await verify(token()))
})

test('until the keys have been loaded once, every call reports the outage, and none refuses a good token', async () => {
  let loads = 0
  const { verify, clock } = setUp(async () => {
    loads++
    if (loads === 1) throw new Error('no answer')
    return { keys: [jwk] }
  })
  for (let call = 0; call < 3; call++) await assert.rejects(verify(token()), /no answer/)
  assert.equal(loads, 1)
  clock.now += 11_000
  assert.ok(await verify(token()))
})

test('a published key with the same id and another use does not displace the signing key', async () => {
  const encryption = { ...other.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'enc' }
  for (const keys of [
    [jwk, encryption],
    [encryption, jwk],
  ]) {
    const { verify } = setUp(async () => ({ keys }))
    assert.ok(await verify(token()))
    assert.equal(await verify(token({}, {}, other.privateKey)), undefined)
  }
})
