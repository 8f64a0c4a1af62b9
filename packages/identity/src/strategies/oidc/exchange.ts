import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { FormError, ProtocolError } from '../../errors/errors.ts'
import type { ProviderTokens } from '../../identities/provider-accounts.ts'
import { isObject } from '../../input/json.ts'
import { type Claims, normaliseClaims, readUnverified } from './claims.ts'
import { kindOf } from './providers/all.ts'
import { readApi, readUser } from './providers/api.ts'
import type { Granted, RequestToken, UserApi } from './providers/provider.ts'
import { askedBefore, providerError, unusable } from './providers/provider.ts'
import type { Remote } from './remote.ts'

/** Stored before the redirect to the provider. */
export interface Kept {
  readonly state: string
  readonly redirect_uri: string
  readonly verifier?: string
  readonly nonce?: string
  readonly requested?: RequestToken
  /** Milliseconds since 1970. For a re-authentication, which must be later. */
  readonly renewed_since?: number
}

export interface Exchanged {
  readonly claims: Claims
  readonly tokens: ProviderTokens
}

/**
 * Throws `FormError` for an untrusted response or a rejection, `ProtocolError` 502 if the provider does not
 * respond.
 */
export async function exchange(remote: Remote, answer: URLSearchParams, keptState: Kept): Promise<Exchanged> {
  const exchanged = await claimsOf(remote, answer, keptState)
  const { iss, sub } = exchanged.claims
  if (typeof iss !== 'string' || !isSubject(sub)) {
    throw unusable(remote.config, 'it does not identify the user')
  }
  return exchanged
}

async function claimsOf(remote: Remote, answer: URLSearchParams, keptState: Kept): Promise<Exchanged> {
  const { api, signed } = kindOf(remote.config)
  if (signed) {
    const claims = await signed.claims(remote, answer, keptState.requested)
    return { claims: normaliseClaims(claims), tokens: {} }
  }
  const parameters = readAnswer(remote, answer, keptState.state)
  return api
    ? await claimsOfApi(remote, api, parameters, keptState)
    : await claimsOfIdToken(remote, parameters, keptState)
}

/** OpenID Connect Core 2: at most 255 ASCII characters. */
export function isSubject(sub: unknown): sub is string {
  return typeof sub === 'string' && /^[\x20-\x7e]{1,255}$/.test(sub)
}

/** RFC 6749 4.1.2, RFC 9207. */
function readAnswer({ server, client, config }: Remote, answer: URLSearchParams, state: string) {
  let parameters: URLSearchParams
  try {
    parameters = oauth.validateAuthResponse(server, client, answer, state)
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      throw providerError(config, `${DENIED[error.error] ?? NOT_COMPLETED} (${ownWords(error)})`)
    }
    throw providerError(config, 'The response came from the wrong issuer. Please try again.')
  }
  return parameters
}

async function requestToken(remote: Remote, parameters: URLSearchParams, keptState: Kept): Promise<Response> {
  const { config, server, client, options } = remote
  if (!parameters.get('code')) throw providerError(config, 'The response was incomplete. Please try again.')
  const additionalParameters = kindOf(config).tokenParameters ?? {}
  return await withProviderErrors(remote, async () =>
    oauth.authorizationCodeGrantRequest(
      server,
      client,
      await remote.authentication(),
      parameters,
      keptState.redirect_uri,
      keptState.verifier ?? oauth.nopkce,
      { ...options, additionalParameters },
    ),
  )
}

function ownWords({ error, error_description }: oauth.AuthorizationResponseError): string {
  const words = error_description === undefined ? error : `${error}: ${error_description}`
  return words.replace(/[\p{C}\s]+/gu, ' ').slice(0, LONGEST_WORDS)
}

const LONGEST_WORDS = 200
const NOT_COMPLETED = 'It did not confirm who you are. Please try again.'
const DENIED: Readonly<Record<string, string>> = {
  access_denied: 'You cancelled the login. Please try again, or choose another method.',
  temporarily_unavailable: 'It is busy at the moment. Please try again in a minute.',
  server_error: 'It had an internal error. Please try again in a minute.',
}

async function claimsOfApi(remote: Remote, api: UserApi, parameters: URLSearchParams, keptState: Kept) {
  const { config, server } = remote
  const granted: Granted = api.requestToken
    ? await api.requestToken(remote, parameters)
    : await readApi(
        config,
        server.token_endpoint ?? '',
        await requestToken(remote, parameters, keptState),
        tokenReply,
      )
  const { claims, raw } = await readUser(remote, api, granted)
  const { access_token, refresh_token } = granted
  return { claims: normaliseClaims(claims, raw), tokens: { access_token, refresh_token } }
}

/** Several providers leave out `token_type`, and some send an ID token too. */
const tokenReply = z.looseObject({
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  scope: z.string().catch(''),
})

async function claimsOfIdToken(remote: Remote, query: URLSearchParams, keptState: Kept): Promise<Exchanged> {
  const { config, client } = remote
  const kind = kindOf(config)
  const response = await requestToken(remote, query, keptState)
  const { access_token, id_token } = await peek(response)
  // The provider only supports OAuth, but is configured as OpenID Connect.
  if (access_token !== undefined && id_token === undefined)
    throw providerError(config, 'The response did not identify you. Please try again.')
  const issuer = kind.tokenIssuer?.(config, readUnverified(id_token)) ?? remote.server.issuer
  const server = { ...remote.server, issuer }
  const tokens = await withProviderErrors(remote, () =>
    oauth.processAuthorizationCodeResponse(
      server,
      client,
      response,
      keptState.nonce === undefined ? {} : { expectedNonce: keptState.nonce },
    ),
  )
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (!claims) throw unusable(config, 'there is no ID token')
  await verifySignature(remote, response)
  if (keptState.renewed_since !== undefined) assertSignedInSince(remote, claims, keptState.renewed_since)
  const completedClaims = await completeClaims(remote, claims, tokens.access_token)
  const all = { iss: claims.iss, ...completedClaims }
  const adapted = await kind.adapt?.(all, remote, { query, access_token: tokens.access_token })
  return { claims: normaliseClaims(adapted ?? all, completedClaims), tokens }
}

export const CLOCK_TOLERANCE_S = 60

/**
 * OpenID Connect Core 3.1.2.1: users can remove `prompt` and `max_age` from the request, not `auth_time` from the
 * token (SEC-101). Compares times of the provider's clock only.
 */
function assertSignedInSince({ config, server, now }: Remote, claims: oauth.IDToken, since: number): void {
  const { auth_time, iat } = claims
  const isPromised = server.claims_supported?.includes('auth_time') && !kindOf(config).omitsAuthTime
  const elapsed = (now.getTime() - since) / 1000 + CLOCK_TOLERANCE_S
  const isRecent = auth_time === undefined ? !isPromised : iat - auth_time <= elapsed
  if (!isRecent) throw askedBefore(config)
}

async function peek(response: Response): Promise<Claims> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return isObject(body) ? body : {}
}

/** OpenID Connect Core 5.4: claims requested by a scope may be at the UserInfo endpoint only. */
async function completeClaims(remote: Remote, claims: oauth.IDToken, access_token: string): Promise<Claims> {
  const { config, server } = remote
  if (config.claims_source === 'userinfo' || kindOf(config).readsUserInfo)
    return await userInfo(remote, access_token, claims.sub)
  if (config.claims_source === 'id_token' || claims.email || server.userinfo_endpoint === undefined)
    return claims
  const { email, email_verified, ...others } = await userInfo(remote, access_token, claims.sub)
  // An `email_verified` of the ID token would be about another address (SEC-26).
  return { ...others, ...claims, email, email_verified }
}

/** OpenID Connect Core 5.3.2: `sub` must match. */
async function userInfo(remote: Remote, access_token: string, subject: string): Promise<Claims> {
  const { server, client, options } = remote
  return await withProviderErrors(remote, async () => {
    const response = await oauth.userInfoRequest(server, client, access_token, options)
    return await oauth.processUserInfoResponse(server, client, subject, response)
  })
}

/** Fetches rotated keys once. */
export async function verifySignature(remote: Remote, response: Response): Promise<void> {
  const verify = (server: oauth.AuthorizationServer) =>
    oauth.validateApplicationLevelSignature(server, response, remote.options)
  await withProviderErrors(remote, async () => {
    try {
      await verify(remote.server)
    } catch (error) {
      const fresh = codeOf(error) === oauth.KEY_SELECTION ? remote.withFreshKeys() : undefined
      if (!fresh) throw error
      await verify(fresh)
    }
  })
}

export async function withProviderErrors<T>(
  { config }: Pick<Remote, 'config'>,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof FormError) throw error
    if (UNTRUSTED.has(codeOf(error)) || isWrongSignature(error)) {
      throw providerError(config, 'Its response could not be verified. Please try again.')
    }
    throw unusable(config, 'a request was rejected or its response is invalid', error)
  }
}

const UNTRUSTED: ReadonlySet<string> = new Set([
  oauth.JWT_CLAIM_COMPARISON,
  oauth.JWT_TIMESTAMP_CHECK,
  oauth.JSON_ATTRIBUTE_COMPARISON,
  oauth.KEY_SELECTION,
])

/** The library reports unreadable keys with the same code, but without a signature. */
function isWrongSignature(error: unknown): boolean {
  const cause: unknown = error instanceof oauth.OperationProcessingError ? error.cause : undefined
  return typeof cause === 'object' && cause !== null && 'signature' in cause
}

function codeOf(error: unknown): string {
  return error instanceof oauth.OperationProcessingError ? (error.code ?? '') : ''
}
