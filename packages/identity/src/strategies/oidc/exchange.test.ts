import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/input/sample.ts'
import type { Config } from '../../config/config.ts'
import type { Context } from '../../contract/contract.ts'
import { createOnce } from '../../contract/once.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import { METRICS } from '../../metrics/catalogue.ts'
import { createMetrics } from '../../metrics/metrics.ts'
import { exchange } from './exchange.ts'
import type { ProviderConfig } from './providers/provider.ts'
import { loadRemote } from './remote.ts'

const ISSUER = 'https://acme.test'
const STATE = 'a-state'

const unsigned = (claims: object) =>
  [{ alg: 'RS256', kid: 'one' }, claims, 'x']
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')

const CLAIMS = { iss: ISSUER, sub: 'one', aud: 'my-app', iat: 1_700_000_000, exp: 4_000_000_000 }

const right: Readonly<Record<string, unknown>> = {
  '/.well-known/openid-configuration': {
    issuer: ISSUER,
    authorization_endpoint: `${ISSUER}/authorize`,
    token_endpoint: `${ISSUER}/token`,
    userinfo_endpoint: `${ISSUER}/userinfo`,
    jwks_uri: `${ISSUER}/jwks`,
  },
  '/token': { access_token: 'token', token_type: 'Bearer', id_token: unsigned(CLAIMS) },
  '/jwks': { keys: [{ kty: 'RSA', kid: 'one', n: 'AQAB', e: 'AQAB' }] },
  '/userinfo': { sub: 'one' },
  '/login/oauth/access_token': { access_token: 'token', token_type: 'bearer', scope: 'user:email' },
  '/user': { id: 7, login: 'octo', name: 'Octo', updated_at: '2031-04-02T09:00:00Z' },
  '/user/emails': [{ email: 'octo@example.com', primary: true, verified: true }],
}

/** Replaces one member, or the whole response. */
const mutation = fc.record({
  path: fc.constantFrom(...Object.keys(right)),
  member: fc.nat(9),
  value: fc.oneof(fc.jsonValue(), fc.string(), fc.constant(undefined)),
  whole: fc.boolean(),
  status: fc.constantFrom(200, 200, 200, 200, 201, 204, 400, 401, 403, 404, 500),
  type: fc.constantFrom('application/json', 'application/json', 'text/html', 'application/jwt', ''),
})

test('FUZ-09 turns any GitHub response into a user or a readable error', async () => {
  await fc.assert(fc.asyncProperty(mutation, run({ provider: 'github', scope: ['user:email'] })), {
    numRuns: runs(500, 2500),
  })
})

test('FUZ-09 turns any OpenID response into a user or a readable error', async () => {
  await fc.assert(fc.asyncProperty(mutation, run({ provider: 'generic', issuer_url: ISSUER })), {
    numRuns: runs(500, 2500),
  })
})

function run(more: object) {
  return async (changed: Mutation) => {
    const config = { id: 'acme', client_id: 'my-app', client_secret: 's', scope: [], pkce: 'auto', ...more }
    const answer = new URLSearchParams({ code: 'a-code', state: STATE })
    const kept = { state: STATE, redirect_uri: 'https://id.test/callback', verifier: 'v'.repeat(43) }
    try {
      const remote = await loadRemote(contextWith(changed), config as unknown as ProviderConfig)
      const { sub, email_verified } = (await exchange(remote, answer, kept)).claims
      assert.ok(typeof sub === 'string' && sub !== '')
      assert.ok(email_verified === undefined || email_verified === true)
    } catch (error) {
      assert.ok(error instanceof FormError || error instanceof ProtocolError, String(error))
    }
  }
}

type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never

function contextWith(changed: Mutation): Context {
  const fetch = async (url: string) => {
    const { pathname } = new URL(url)
    if (pathname !== changed.path) return Response.json(right[pathname] ?? {})
    const { status, type } = changed
    const body = status === 204 ? null : JSON.stringify(mutated(right[pathname], changed))
    return new Response(body, { status, headers: type === '' ? {} : { 'content-type': type } })
  }
  const now = () => new Date('2031-04-02T09:00:00.000Z')
  // Provider metadata is cached per configuration.
  const config = {} as Config
  return {
    fetch,
    now,
    config,
    once: createOnce(config),
    metrics: createMetrics(METRICS),
  } as unknown as Context
}

function mutated(answer: unknown, { whole, value, member }: Mutation): unknown {
  if (whole) return value ?? null
  const inner = Array.isArray(answer) ? answer[0] : answer
  const name = Object.keys(inner as object)[member % Object.keys(inner as object).length] ?? ''
  const changed = { ...(inner as object), [name]: value }
  return Array.isArray(answer) ? [changed] : changed
}
