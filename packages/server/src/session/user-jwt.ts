import { readFile } from 'node:fs/promises'
import { jsonOrText, shareRun } from '@ostiary/identity/serving'
import { compactVerify, createLocalJWKSet, type JWK } from 'jose'
import { z } from 'zod'
import { ProductError } from '../http/errors.ts'
import type { IdentityGateway } from '../identity-gateway/identity-gateway.ts'

export interface UserJwtRules {
  /** Without a trailing slash. Only for tokens that are otherwise valid. */
  readonly issuer: () => Promise<string>
  readonly audience: string
  readonly now: () => Date
  /** Called again if a token names an unknown key. */
  readonly loadKeys: () => Promise<KeyList>
}

interface UserJwtClaims {
  readonly sub: string
  readonly sid: string
}

/** Undefined unless the token is ours and valid now. */
export type VerifyUserJwt = (token: string) => Promise<UserJwtClaims | undefined>

const maxTokenLength = 4096
// Three parts. Five would be an encrypted token, whose sender chooses the cost of decrypting.
const compactForm = /^([\w-]+)\.([\w-]+)\.[\w-]+$/
const leewaySeconds = 60
// Bounds reloading, because an attacker can name a new key in each request.
const reloadAfterMs = 10_000
const reloadAlwaysMs = 300_000

const jwks = z.object({ keys: z.array(z.unknown()) })
type KeyList = z.infer<typeof jwks>

const publicKey = z.looseObject({
  kid: z.string().min(1),
  kty: z.enum(['EC', 'RSA', 'OKP']),
  alg: z.enum(['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519', 'RS256', 'PS256']),
})

// Strict, because `jwk`, `jku`, `x5u`, `x5c` and `crit` would let the sender choose the key or the rules.
const tokenHeader = z.strictObject({ alg: z.string(), kid: z.string(), typ: z.literal('JWT') })

const time = z.int().positive()
const tokenClaims = z.looseObject({
  iss: z.string(),
  sub: z.string().min(1),
  sid: z.string().min(1),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: time,
  iat: time,
  nbf: time.optional(),
})

/** The signature comes last, so that worthless tokens stay cheap. The key fixes the algorithm. */
export function createUserJwtVerifier(rules: UserJwtRules): VerifyUserJwt {
  const findKey = createKeyFinder(rules)
  return async (token) => {
    const [, headerPart = '', claimsPart = ''] =
      (token.length <= maxTokenLength && compactForm.exec(token)) || []
    const header = tokenHeader.safeParse(decodePart(headerPart))
    const claims = tokenClaims.safeParse(decodePart(claimsPart))
    if (!header.success || !claims.success || !isMeantForUsNow(claims.data, rules)) return undefined
    const key = await findKey(header.data.kid)
    if (!key) return undefined
    // Some services add the slash of their base URL.
    if (claims.data.iss.replace(/\/$/, '') !== (await rules.issuer())) return undefined
    const { sub, sid } = claims.data
    return compactVerify(token, key).then(
      () => ({ sub, sid }),
      () => undefined,
    )
  }
}

function isMeantForUsNow(claims: z.infer<typeof tokenClaims>, { audience, now }: UserJwtRules): boolean {
  const seconds = Math.floor(now().getTime() / 1000)
  const audiences = typeof claims.aud === 'string' ? [claims.aud] : claims.aud
  return (
    audiences.includes(audience) &&
    claims.exp > seconds &&
    claims.iat <= seconds + leewaySeconds &&
    (claims.nbf ?? 0) <= seconds + leewaySeconds
  )
}

type KeySet = ReturnType<typeof createLocalJWKSet>

function createKeyFinder({ loadKeys, now }: UserJwtRules): (kid: string) => Promise<KeySet | undefined> {
  let keys = new Map<string, KeySet>()
  let loadedAt = Number.NEGATIVE_INFINITY
  let failure: unknown
  const load = shareRun(async () => {
    try {
      keys = keysIn(await loadKeys())
      failure = undefined
    } catch (error) {
      failure = error
    } finally {
      loadedAt = now().getTime()
    }
  })
  return async (kid) => {
    // Absolute, in case the clock was set back.
    const age = Math.abs(now().getTime() - loadedAt)
    if (age > reloadAlwaysMs || (age > reloadAfterMs && !keys.has(kid))) await load()
    // Cached keys still verify tokens. Without any, a good token must not look like a wrong one.
    if (failure && keys.size === 0) throw failure
    return keys.get(kid)
  }
}

function keysIn(published: KeyList): Map<string, KeySet> {
  // Other keys, above all symmetric ones, must not verify a `user_jwt`.
  const usable = published.keys.flatMap((key) => publicKey.safeParse(key).data ?? [])
  const byId = Map.groupBy(usable, ({ kid }) => kid)
  return new Map([...byId].map(([kid, keys]) => [kid, createLocalJWKSet({ keys: keys as JWK[] })]))
}

function decodePart(part: string): unknown {
  return jsonOrText(Buffer.from(part, 'base64url').toString('utf8'))
}

const timeoutMs = 5_000

/**
 * Loads the keys from the identity service, or from the configured URL because Ory Kratos does not publish
 * its keys. Throws a `ProductError`.
 */
export async function loadUserJwtKeys(
  identity_jwks_url: string | undefined,
  gateway: Pick<IdentityGateway, 'call'>,
): Promise<KeyList> {
  try {
    if (identity_jwks_url !== undefined) return jwks.parse(await loadKeySet(new URL(identity_jwks_url)))
    const response = await gateway.call('/.well-known/jwks.json', new Headers(JSON_ONLY))
    return jwks.parse(await response.json())
  } catch (cause) {
    if (cause instanceof ProductError) throw cause
    const message = 'The keys that check the token cannot be read'
    throw new ProductError('identity_unavailable', 502, message, { cause, retryAfter: 5 })
  }
}

const JSON_ONLY = { accept: 'application/json' }

/** @param url http, https or file */
export async function loadKeySet(url: URL): Promise<unknown> {
  if (url.protocol === 'file:') return JSON.parse(await readFile(url, 'utf8'))
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, { headers: JSON_ONLY, redirect: 'error', signal })
  return response.json()
}
