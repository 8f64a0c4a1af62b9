import * as oauth from 'oauth4webapi'
import type { Context, SubmittedToken } from '../../contract/contract.ts'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import type { AuthorizedUser } from './authorization.ts'
import { type Claims, normaliseClaims, readUnverified } from './claims.ts'
import { CLOCK_TOLERANCE_S, isSubject, verifySignature, withProviderErrors } from './exchange.ts'
import type { Intent } from './intent.ts'
import { allProviders, getProvider, kindOf } from './providers/all.ts'
import { askedBefore, type ProviderConfig } from './providers/provider.ts'
import { loadRemote, type Remote } from './remote.ts'

/**
 * The user of an app that sent an ID token; undefined without one. Throws like `verifyIdToken`, and `FormError`
 * for a re-authentication with a token from before the form (SEC-101).
 */
export async function findAuthorized(
  ctx: Context,
  intent: Intent,
  form?: Pick<Flow, 'refresh' | 'issued_at'>,
): Promise<AuthorizedUser | undefined> {
  const { id_token, traits, transient_payload } = intent
  if (id_token === undefined) return undefined
  const provider = getProvider(ctx, intent.provider)
  const verified = await verifyIdToken(ctx, provider, id_token, intent.id_token_nonce)
  if (form?.refresh && isOlder(readUnverified(id_token), form)) throw askedBefore(provider)
  return { provider, ...verified, traits, transient_payload }
}

function isOlder({ auth_time, iat }: Claims, { issued_at }: Pick<Flow, 'issued_at'>): boolean {
  const signedIn = Number(auth_time ?? iat) + CLOCK_TOLERANCE_S
  return !(signedIn >= Date.parse(issued_at) / 1000)
}

type Verified = Pick<AuthorizedUser, 'claims' | 'tokens'> & Required<Pick<AuthorizedUser, 'token'>>

/** Throws `ProtocolError` 400 without ID tokens or with another nonce, 403 if not genuine. */
async function verifyIdToken(
  ctx: Context,
  config: ProviderConfig,
  token: string,
  nonce: string | undefined,
): Promise<Verified> {
  const kind = kindOf(config)
  if (!kind.takesTokens)
    throw invalidToken('This provider gives no ID tokens to apps. Please log in on its page.')
  const claims = kind.readToken
    ? kind.readToken(ctx, token)
    : await verify(await loadRemote(ctx, config), token)
  if (typeof claims.nonce === 'string' && claims.nonce !== nonce) {
    throw invalidToken('The nonce of the ID token does not match.')
  }
  const named = normaliseClaims(claims, claims)
  if (!isSubject(named.sub)) throw invalidToken('The ID token has no valid subject.')
  return { claims: named, tokens: { id_token: token }, token: singleUse(token, claims) }
}

const CLOCK_SKEW_MS = 60_000
const DAY_MS = 86_400_000

function singleUse(token: string, { exp, iat }: Claims): SubmittedToken {
  const content = token.split('.', 2).join('.')
  const lifetime = Number(exp) * 1000 - Number(iat) * 1000 + CLOCK_SKEW_MS
  return { content, lifetime: lifetime > CLOCK_SKEW_MS ? lifetime : DAY_MS }
}

async function verify(remote: Remote, token: string): Promise<Claims> {
  const audiences = [remote.config.client_id, ...remote.config.additional_id_token_audiences]
  const { nonce, ...claims } = readUnverified(token)
  const aud = audiencesOf(claims)
  const client_id = audiences.find((one) => aud.includes(one))
  if (client_id === undefined) throw notGenuine()
  try {
    return await withProviderErrors(remote, async () => {
      const response = answerWith(token)
      const expected = typeof nonce === 'string' ? { expectedNonce: nonce } : {}
      const { server } = remote
      const tokens = await oauth.processAuthorizationCodeResponse(server, { client_id }, response, expected)
      await verifySignature(remote, response)
      return oauth.getValidatedIdTokenClaims(tokens) ?? {}
    })
  } catch (error) {
    throw error instanceof FormError ? notGenuine() : error
  }
}

function audiencesOf({ aud }: Claims): readonly unknown[] {
  return Array.isArray(aud) ? aud : [aud]
}

function answerWith(id_token: string): Response {
  const body = JSON.stringify({ access_token: 'none', token_type: 'bearer', id_token })
  return new Response(body, { headers: { 'content-type': 'application/json' } })
}

function notGenuine(): ProtocolError {
  return new ProtocolError({
    status: 403,
    reason: 'The ID token is not from this provider, not for this site, or expired. Please log in again.',
  })
}

/** The caller sent the token, so the provider is not at fault. */
function invalidToken(reason: string): ProtocolError {
  return new ProtocolError({ id: 'upstream_error', status: 400, reason })
}

/** FedCM. Kratos only lists the providers. */
export function fedcmProviders(ctx: Context, csrfSecret: string) {
  return dialogs(ctx).map(({ fedcm_config_url, client_id, id }) => ({
    config_url: fedcm_config_url,
    client_id,
    nonce: nonceFor(ctx, id, csrfSecret),
  }))
}

/** Throws `ProtocolError`. */
export async function verifyFedcmToken(
  ctx: Context,
  token: string,
  csrfSecret: string,
): Promise<AuthorizedUser> {
  const unverified = readUnverified(token)
  const provider = dialogs(ctx).find((one) => isFrom(one, unverified))
  if (!provider)
    throw new ProtocolError({ status: 403, reason: 'This token is from no provider of this site.' })
  const nonce = nonceFor(ctx, provider.id, csrfSecret)
  const verified = await verifyIdToken(ctx, provider, token, nonce)
  if (verified.claims.nonce !== nonce) {
    throw new ProtocolError({ status: 403, reason: 'This token was issued for another login.' })
  }
  return { provider, ...verified, traits: {}, transient_payload: {} }
}

function dialogs(ctx: Context): readonly ProviderConfig[] {
  const { enabled } = ctx.config.selfservice.methods.oidc
  if (!enabled) return []
  return allProviders(ctx).filter((one) => one.fedcm_config_url !== undefined && kindOf(one).takesTokens)
}

/** Binds the token to its browser. */
function nonceFor(ctx: Context, provider: string, csrfSecret: string): string {
  return ctx.secrets.mac('fedcm nonce', `${provider} ${csrfSecret}`)
}

function isFrom(provider: ProviderConfig, claims: Claims): boolean {
  const { iss } = claims
  const kind = kindOf(provider)
  if (kind.readToken) return iss === undefined || iss === kind.tokenIssuer?.(provider, claims)
  const audiences = [provider.client_id, ...provider.additional_id_token_audiences]
  return iss === kind.issuer?.(provider) && audiences.some((one) => audiencesOf(claims).includes(one))
}
