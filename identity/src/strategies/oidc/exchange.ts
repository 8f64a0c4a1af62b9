import * as oauth from 'oauth4webapi'
import type { ProviderTokens } from '../../identities/provider-tokens.ts'
import type { Claims } from './claims.ts'
import { normaliseClaims } from './claims.ts'
import { refusal, unusable } from './problems.ts'
import { kindOf } from './providers/all.ts'
import type { Remote } from './remote.ts'
import { asking, verifySignature } from './signature.ts'

/** What we kept when somebody left for the provider. */
export interface Kept {
  readonly state: string
  readonly redirect_uri: string
  readonly verifier?: string
  readonly nonce?: string
}

/** Who came, and what the provider gave with it. */
export interface Exchanged {
  readonly claims: Claims
  readonly tokens: ProviderTokens
}

/**
 * Turns the provider's answer into who somebody is: the code for tokens, those for claims, each of them verified.
 * Throws `FormError` where the answer cannot be believed or says no, `ProtocolError` 502 where there is none.
 */
export async function exchange(remote: Remote, answer: URLSearchParams, kept: Kept): Promise<Exchanged> {
  const parameters = readAnswer(remote, answer, kept.state)
  const response = await asking(remote, () =>
    oauth.authorizationCodeGrantRequest(
      remote.server,
      remote.client,
      remote.authentication,
      parameters,
      kept.redirect_uri,
      kept.verifier ?? oauth.nopkce,
      remote.options,
    ),
  )
  const kind = kindOf(remote.config)
  const exchanged = kind.claims
    ? await claimsOfApi(remote, response)
    : await claimsOfIdToken(remote, response, kept.nonce)
  const { iss, sub } = exchanged.claims
  if (typeof iss !== 'string' || !isSubject(sub)) {
    throw unusable(remote.config, 'it does not say who somebody is')
  }
  return exchanged
}

/** OpenID Connect Core 2: at most 255 ASCII characters. */
export function isSubject(sub: unknown): sub is string {
  return typeof sub === 'string' && /^[\x20-\x7e]{1,255}$/.test(sub)
}

/** RFC 6749 4.1.2, RFC 9207: an error, the issuer, the code. */
function readAnswer(
  { server, client, config }: Remote,
  answer: URLSearchParams,
  state: string,
): URLSearchParams {
  let parameters: URLSearchParams
  try {
    parameters = oauth.validateAuthResponse(server, client, answer, state)
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      throw refusal(config, `${DENIED[error.error] ?? NOT_COMPLETED} (${ownWords(error)})`)
    }
    throw refusal(config, 'The answer did not come from where it should. Please try again.')
  }
  if (!parameters.get('code')) throw refusal(config, 'The answer was not complete. Please try again.')
  return parameters
}

/** What the provider itself says: text of its own, so it is shown as one short line. */
function ownWords({ error, error_description }: oauth.AuthorizationResponseError): string {
  const words = error_description === undefined ? error : `${error}: ${error_description}`
  return words.replace(/[\p{C}\s]+/gu, ' ').slice(0, LONGEST_WORDS)
}

const LONGEST_WORDS = 200
const NOT_COMPLETED = 'The sign-in was not completed. Please try again.'
const DENIED: Readonly<Record<string, string>> = {
  access_denied: 'You did not agree, so nothing was shared. Please try again, or choose another way.',
  temporarily_unavailable: 'It is busy at the moment. Please try again in a minute.',
  server_error: 'It made a mistake. Please try again in a minute.',
}

async function claimsOfApi(remote: Remote, response: Response): Promise<Exchanged> {
  const { config, server, client, fetch } = remote
  const tokens = await asking(remote, () => oauth.processAuthorizationCodeResponse(server, client, response))
  const { access_token, scope = '' } = tokens
  const claims = await kindOf(config).claims?.(config, { access_token, scope }, fetch)
  return { claims: normaliseClaims(claims ?? {}), tokens }
}

async function claimsOfIdToken(
  remote: Remote,
  response: Response,
  nonce: string | undefined,
): Promise<Exchanged> {
  const { config, server, client } = remote
  if (await hasNoIdToken(response))
    throw refusal(config, 'The answer did not say who you are. Please try again.')
  const tokens = await asking(remote, () =>
    oauth.processAuthorizationCodeResponse(
      server,
      client,
      response,
      nonce === undefined ? {} : { expectedNonce: nonce },
    ),
  )
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (!claims) throw unusable(config, 'there is no ID token')
  await verifySignature(remote, response)
  if (config.claims_source !== 'userinfo') return { claims: normaliseClaims(claims, claims), tokens }
  const info = await userInfo(remote, tokens.access_token, claims.sub)
  return { claims: normaliseClaims({ iss: claims.iss, ...info }, info), tokens }
}

/** Tokens, but none that says who somebody is: an OAuth provider that was taken for one of OpenID Connect. */
async function hasNoIdToken(response: Response): Promise<boolean> {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return typeof body === 'object' && body !== null && 'access_token' in body && !('id_token' in body)
}

/** OpenID Connect Core 5.3.2: it must speak of the same person. */
async function userInfo(remote: Remote, access_token: string, subject: string): Promise<Claims> {
  const { server, client, options } = remote
  return await asking(remote, async () => {
    const response = await oauth.userInfoRequest(server, client, access_token, options)
    return await oauth.processUserInfoResponse(server, client, subject, response)
  })
}
