import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { testOn } from '../kit/databases.ts'
import { createTestIdentity } from '../kit/kit.ts'
import { type BrokenProvider, idToken, json, startBrokenProvider } from './broken-provider.ts'
import type { Claims, Mapping } from './oidc-kit.ts'
import { askProvider, callbackWith, parts, providerEntry, vouchingMapper, withProviders } from './oidc-kit.ts'

export const MAIL = 'grace@example.com'
export const SECRET = 'the secret of the client'
export const PICTURE = 'https://images.test/grace.png'

export type Reply = object | ((request: IncomingMessage, body: string) => object)

/** The documentation of a provider, and the claims that its mapper gets. */
export interface Documented {
  readonly config?: object
  readonly authorize: string
  /** Parameters of the authorization request, `undefined` if absent. */
  readonly asks?: Readonly<Record<string, string | undefined>>
  readonly idToken?: Claims
  readonly algorithm?: 'ES256'
  readonly replies: Readonly<Record<string, Reply>>
  readonly claims: Claims
}

/** Answered with an access token and the ID token. */
export const TOKENS = {}
/** Answered with the keys of the ID token. */
export const KEYS = {}
export const OAUTH = { access_token: 'token', token_type: 'bearer', expires_in: 3600 }
export const NAMES = { name: 'Grace Hopper', given_name: 'Grace', family_name: 'Hopper' }
export const PERSON = { sub: 'user-1', ...NAMES, email: MAIL, email_verified: true, picture: PICTURE }

export function testDocumented(kinds: Readonly<Record<string, Documented>>): void {
  for (const [name, documented] of Object.entries(kinds)) {
    testOn('SQLite', `${name} identifies the user by its documented responses`, () => check(name, documented))
  }
}

async function check(name: string, documented: Documented): Promise<void> {
  const broken = await startDocumented(documented)
  let seen: Claims = {}
  const mapper = (mapping: Mapping) => {
    seen = mapping.claims
    // SEC-26: it may verify addresses of `generic` only.
    return vouchingMapper(mapping)
  }
  const entry = { provider: name, client_secret: SECRET, mapper, ...documented.config }
  const identity = await createTestIdentity(withProviders([providerEntry('acme', entry)]), parts(broken))
  const browser = identity.browser()
  const asked = await askProvider(browser, broken)
  assert.equal(`${asked.origin}${asked.pathname}`, documented.authorize)
  for (const [parameter, value] of Object.entries(documented.asks ?? {}))
    assert.equal(asked.searchParams.get(parameter) ?? undefined, value, parameter)
  await browser.navigate(callbackWith(asked, 'a-code'))
  const { nonce: _, raw_claims: __, ...claims } = seen
  assert.deepEqual(claims, documented.claims)
  const [account] = (await identity.admin('GET', '/admin/identities?include_credential=oidc')).body
  assert.deepEqual(account.credentials.oidc.identifiers, [`acme:${documented.claims.sub}`])
  const [{ value, verified }] = account.verifiable_addresses
  assert.deepEqual([value, verified], [MAIL, documented.claims.email_verified === true])
}

async function startDocumented(documented: Documented): Promise<BrokenProvider> {
  const replies = Object.entries(documented.replies).map(([url, reply]) => [new URL(url), reply] as const)
  const broken = await startBrokenProvider(replies.map(([{ origin }]) => origin))
  if (documented.algorithm) useEllipticKey(broken)
  broken.claims = documented.idToken ?? {}
  for (const [{ pathname }, reply] of replies) {
    broken.replies.set(pathname, (request, body) => {
      const content = typeof reply === 'function' ? reply(request, body) : reply
      if (content === KEYS) return json({ keys: broken.keys })
      return json(content === TOKENS ? { ...OAUTH, id_token: idToken(broken) } : content)
    })
  }
  return broken
}

function useEllipticKey(broken: BrokenProvider): void {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  broken.signWith = privateKey
  broken.header = { alg: 'ES256', kid: 'ec' }
  broken.keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'ec', use: 'sig', alg: 'ES256' }]
}
