import assert from 'node:assert/strict'
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { newDsn, openTestDatabase, test } from '../../test/kit/databases.ts'
import { parseConfig } from '../config/config.ts'
import type { Context } from '../contract/contract.ts'
import { createOnce } from '../contract/once.ts'
import { newSigningKey } from '../crypto/jwt.ts'
import { createSecrets } from '../crypto/secrets.ts'
import { ProtocolError } from '../errors/errors.ts'
import { deleteOldRows } from '../storage/old-rows.ts'
import type { Session } from '../wire/session.ts'
import { publicKeys, tokenize } from './tokenize.ts'

const START = Date.parse('2031-04-02T09:15:30.250Z')
const DAY = 24 * 3_600_000

async function service(
  templates: object,
  { dsn, secret = 'a-secret-of-the-tests', db }: { dsn?: string; secret?: string; db?: Context['db'] } = {},
) {
  const { config } = parseConfig({
    dsn: 'memory',
    dev: true,
    serve: { public: { base_url: 'https://id.test:8443/.ory/' } },
    secrets: { default: [secret] },
    selfservice: { default_browser_return_url: 'https://app.test/' },
    identity: { schemas: [{ id: 'default', schema: {} }] },
    session: { whoami: { tokenizer: { templates } } },
  })
  const clock = { now: START }
  const warnings: string[] = []
  const ctx = {
    db: db ?? (await openTestDatabase(dsn)),
    config,
    once: createOnce(config),
    secrets: createSecrets(config.secrets),
    now: () => new Date(clock.now),
    log: { debug() {}, info() {}, error() {}, warn: (_: object, message: string) => warnings.push(message) },
  } as unknown as Context
  return { ctx, clock, warnings }
}

function sessionOf(members: Partial<Session> = {}, identity: object = {}): Session {
  return {
    id: '3f2e1d0c-9b8a-4776-8554-433221100fff',
    active: true,
    expires_at: new Date(START + DAY).toISOString(),
    authenticated_at: new Date(START).toISOString(),
    authenticator_assurance_level: 'aal1',
    authentication_methods: [],
    issued_at: new Date(START).toISOString(),
    identity: {
      id: '0a0b0c0d-1111-4a1a-8b2b-3c3c3c3c3c3c',
      schema_id: 'default',
      schema_url: 'https://id.test:8443/.ory/schemas/ZGVmYXVsdA',
      state: 'active',
      traits: { email: 'ada@example.test' },
      metadata_public: null,
      created_at: new Date(START).toISOString(),
      updated_at: new Date(START).toISOString(),
      organization_id: null,
      ...identity,
    },
    devices: [],
    ...members,
  }
}

const verify = async (ctx: Context, token: string) =>
  (
    await jwtVerify(token, createLocalJWKSet((await publicKeys(ctx)) as JSONWebKeySet), {
      currentDate: ctx.now(),
      algorithms: ['ES256'],
    })
  ).payload

const refused = (promise: Promise<unknown>, words: RegExp) =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof ProtocolError)
    assert.equal(error.parts.status, 400)
    assert.equal(error.parts.id, undefined)
    assert.match(error.parts.reason ?? '', words)
    return true
  })

test('a token has issuer, subject, audience and times only', async () => {
  const { ctx } = await service({ app: { ttl: '10m' } })
  const token = await tokenize(ctx, sessionOf(), 'app')
  const { jti, ...claims } = await verify(ctx, token)
  const now = Math.floor(START / 1000)
  assert.deepEqual(claims, {
    iss: 'https://id.test:8443/.ory/',
    sub: '0a0b0c0d-1111-4a1a-8b2b-3c3c3c3c3c3c',
    aud: 'https://id.test:8443',
    sid: '3f2e1d0c-9b8a-4776-8554-433221100fff',
    iat: now,
    nbf: now,
    exp: now + 600,
  })
  assert.match(jti!, /^[0-9a-f-]{36}$/)
  assert.notEqual(decodeJwt(await tokenize(ctx, sessionOf(), 'app')).jti, jti)
  const { alg, typ, kid } = decodeProtectedHeader(token)
  assert.deepEqual([alg, typ], ['ES256', 'JWT'])
  assert.equal((await publicKeys(ctx)).keys[0]!.kid, kid)
})

test('SEC-54 a token expires with its session at the latest', async () => {
  const { ctx } = await service({ long: { ttl: '240h' }, plain: {} })
  const session = sessionOf({ expires_at: new Date(START + 90_500).toISOString() })
  assert.equal(decodeJwt(await tokenize(ctx, session, 'long')).exp, Math.floor((START + 90_500) / 1000))
  // In Kratos such a token is already expired.
  assert.equal(decodeJwt(await tokenize(ctx, session, 'plain')).exp, Math.floor(START / 1000) + 60)
})

test("SEC-54 a mapper cannot override the service's claims", async () => {
  const reserved = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti', 'sid']
  const claims_mapper = ({ session, claims }: { session: Session; claims: object }) => {
    Object.assign(session, { id: 'changed' })
    return {
      claims: {
        email: session.identity!.traits.email,
        seen: Object.keys(claims),
        ...Object.fromEntries(reserved.map((name) => [name, 'of the mapper'])),
      },
    }
  }
  const { ctx } = await service({ app: { claims_mapper, audience: ['https://a.test', 'https://b.test'] } })
  const session = sessionOf()
  const claims = await verify(ctx, await tokenize(ctx, session, 'app'))
  assert.equal(claims.email, 'ada@example.test')
  assert.deepEqual((claims.seen as string[]).sort(), reserved.sort())
  for (const name of reserved) assert.notEqual(claims[name], 'of the mapper')
  assert.deepEqual(claims.aud, ['https://a.test', 'https://b.test'])
  assert.equal(claims.sid, session.id)
})

test('SEC-54 returns 400 however a mapper fails', async () => {
  const results: unknown[] = [
    undefined,
    null,
    1,
    'x',
    [],
    {},
    { claims: null },
    { claims: [] },
    { claims: 'x' },
  ]
  for (const result of results) {
    const { ctx } = await service({ app: { claims_mapper: () => result } })
    await refused(tokenize(ctx, sessionOf(), 'app'), /returned no object/)
  }
  for (const claims_mapper of [
    () => {
      throw new Error('broken')
    },
    () => Promise.reject(new Error('broken')),
  ]) {
    const { ctx, warnings } = await service({ app: { claims_mapper } })
    await refused(tokenize(ctx, sessionOf(), 'app'), /mapper failed/)
    assert.equal(warnings.length, 1)
  }
  const circle: Record<string, unknown> = {}
  circle.circle = circle
  for (const claims of [{ big: 1n }, circle]) {
    const { ctx } = await service({ app: { claims_mapper: async () => ({ claims }) } })
    await refused(tokenize(ctx, sessionOf(), 'app'), /cannot be used for signing/)
  }
})

test('returns 400 for a template that is unknown or needs missing data', async () => {
  const { ctx } = await service({ external: { subject_source: 'external_id' } })
  for (const name of ['nope', '', 'constructor', '__proto__']) {
    await refused(tokenize(ctx, sessionOf(), name), /Unknown token template/)
  }
  await refused(tokenize(ctx, sessionOf(), 'external'), /no external_id/)
  const token = await tokenize(ctx, sessionOf({}, { external_id: 'ext-1' }), 'external')
  assert.equal(decodeJwt(token).sub, 'ext-1')
})

test('signs with the first configured key and publishes all', async () => {
  const [one, two] = [await newSigningKey(), await newSigningKey()]
  const secret = { kty: 'oct', k: 'c2VjcmV0', kid: 'symmetric', alg: 'HS256' }
  const { ctx } = await service({
    app: { ttl: '1m', jwks: { keys: [{ ...one, kid: 'first' }, two, secret] } },
  })
  const token = await tokenize(ctx, sessionOf(), 'app')
  assert.equal(decodeProtectedHeader(token).kid, 'first')
  assert.equal((await verify(ctx, token)).aud, 'https://id.test:8443')
  const { keys } = await publicKeys(ctx)
  assert.deepEqual(
    keys.map((key) => key.kid),
    ['first', two.kid],
  )
  assert.doesNotMatch(JSON.stringify(keys), /"(d|k|p|q)":/)
})

test('returns 400 for a key without an algorithm', async () => {
  const { alg: _, ...key } = await newSigningKey()
  const { ctx } = await service({ app: { jwks: { keys: [key] } } })
  await refused(tokenize(ctx, sessionOf(), 'app'), /cannot be used for signing/)
})

test('SEC-54 publishes a key until its last token expires', async () => {
  const { ctx, clock } = await service({ app: { ttl: '10m' } })
  const session = sessionOf({ expires_at: new Date(START + 400 * DAY).toISOString() })
  const kidOf = async () => decodeProtectedHeader(await tokenize(ctx, session, 'app')).kid!
  const published = async () => (await publicKeys(ctx)).keys.map((key) => key.kid)
  const first = await kidOf()
  clock.now = START + 30 * DAY - 1
  const last = await tokenize(ctx, session, 'app')
  assert.equal(decodeProtectedHeader(last).kid, first)
  clock.now = START + 30 * DAY
  const second = await kidOf()
  assert.notEqual(second, first)
  assert.deepEqual(await published(), [second, first])
  clock.now = START + 30 * DAY + 9 * 60_000
  await verify(ctx, last)
  clock.now = START + 31 * DAY
  assert.deepEqual(await published(), [second])
  assert.equal(await deleteOldRows(ctx.db, 'signing_keys', ctx.now().toISOString(), 100), 1)
  assert.equal(await kidOf(), second)
  // The signing key must be published even without recent tokens.
  clock.now = START + 200 * DAY
  const third = await kidOf()
  assert.equal((await published())[0], third)
  assert.equal(new Set([first, second, third]).size, 3)
})

test("encrypts a key's private part", async () => {
  const { ctx } = await service({ app: {} })
  await tokenize(ctx, sessionOf(), 'app')
  const rows = await ctx.db.selectFrom('signing_keys').selectAll().execute()
  assert.equal(rows.length, 1)
  assert.doesNotMatch(rows[0]!.private_jwk, /kty/)
  assert.doesNotMatch(rows[0]!.public_jwk, /"d":/)
  assert.match(ctx.secrets.decrypt('signing-key', rows[0]!.private_jwk), /"d":/)
})

test('replicas that start together sign with one key', async () => {
  const dsn = await newDsn({ shared: true })
  const replicas = [await service({ app: {} }, { dsn }), await service({ app: {} }, { dsn })]
  const tokens = await Promise.all(
    Array.from({ length: 20 }, (_, index) => tokenize(replicas[index % 2]!.ctx, sessionOf(), 'app')),
  )
  assert.equal(new Set(tokens.map((token) => decodeProtectedHeader(token).kid)).size, 1)
  for (const replica of replicas) replica.clock.now = START + 30 * DAY
  const session = sessionOf({ expires_at: new Date(START + 60 * DAY).toISOString() })
  const later = await Promise.all(
    Array.from({ length: 20 }, (_, index) => tokenize(replicas[index % 2]!.ctx, session, 'app')),
  )
  assert.equal(new Set(later.map((token) => decodeProtectedHeader(token).kid)).size, 1)
  assert.equal((await publicKeys(replicas[0]!.ctx)).keys.length, 2)
})

test('replaces a key whose secret is lost, but publishes it', async () => {
  const { ctx } = await service({ app: {} })
  const before = await tokenize(ctx, sessionOf(), 'app')
  const { ctx: restarted, warnings } = await service(
    { app: {} },
    { secret: 'another-secret-of-the-tests', db: ctx.db },
  )
  const after = await tokenize(restarted, sessionOf(), 'app')
  assert.notEqual(decodeProtectedHeader(after).kid, decodeProtectedHeader(before).kid)
  await verify(restarted, before)
  await verify(restarted, after)
  assert.equal(warnings.length, 1)
})

test('uses a key per template', async () => {
  const { ctx } = await service({ one: {}, two: {} })
  const { keys } = await publicKeys(ctx)
  assert.equal(keys.length, 2)
  const kid = decodeProtectedHeader(await tokenize(ctx, sessionOf(), 'two')).kid
  assert.ok(keys.some((key) => key.kid === kid))
})
