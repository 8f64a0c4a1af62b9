import type { AuthorizationServer } from 'oauth4webapi'
import type { Config } from '../../../config/config.ts'
import type { Context } from '../../../contract/contract.ts'
import { badRequest, FormError, ProtocolError } from '../../../errors/errors.ts'
import { messages } from '../../../ui/messages.ts'
import type { Claims } from '../claims.ts'

export type ProviderConfig = Config['selfservice']['methods']['oidc']['config']['providers'][number]

export type Fetch = (url: string, sending?: Sending) => Promise<Response>

interface Sending {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: URLSearchParams | string | undefined
}

/** For requests to a provider. */
export interface ProviderCall {
  readonly config: ProviderConfig
  readonly server: AuthorizationServer
  readonly fetch: Fetch
  readonly now: Date
}

export interface ProviderKind {
  /** OpenID Connect only. */
  issuer?(config: ProviderConfig): string
  /** Replaces discovery. */
  metadata?(config: ProviderConfig): AuthorizationServer
  /** Takes the issuer from the discovery document, wherever that is. */
  documentsIssuer?(config: ProviderConfig): boolean
  /** Expected in the ID token if that is another issuer. `claims` are not verified yet. */
  tokenIssuer?(config: ProviderConfig, claims: Claims): string | undefined
  /** Further hosts named in the provider's documents. */
  readonly hosts?: readonly string[]
  /** Defaults to the configured scopes, and for OpenID Connect `openid`. */
  scope?(config: ProviderConfig): readonly string[]
  /** `refresh` requires a new sign-in at the provider. */
  parameters?(config: ProviderConfig, refresh: boolean): Readonly<Record<string, string>>
  /** The provider accepts no PKCE from a client with a secret. */
  readonly ignoresPkce?: true
  /** The ID token does not repeat the nonce. */
  readonly ignoresNonce?: true
  /** Kratos compatibility: the redirect URL does not name the provider, unless `pkce: never`. */
  readonly sharesCallback?: true
  /** Replaces `client_secret`. */
  secret?(config: ProviderConfig, now: Date): Promise<string>
  /** Sent with the code. */
  readonly tokenParameters?: Readonly<Record<string, string>>
  /** The ID token lacks the claim `auth_time`, which its discovery document lists. */
  readonly omitsAuthTime?: true
  /** The ID token lacks claims. */
  readonly readsUserInfo?: true
  adapt?(
    claims: Claims,
    call: ProviderCall,
    answer: { readonly query: URLSearchParams; readonly access_token: string },
  ): Claims | Promise<Claims>
  /** Identifies the user without an ID token. */
  readonly api?: UserApi
  /** OAuth 1.0a. */
  readonly signed?: {
    requestToken(call: ProviderCall, callback: string): Promise<RequestToken>
    claims(call: ProviderCall, answer: URLSearchParams, requested: RequestToken | undefined): Promise<Claims>
  }
  /** A mapper may verify addresses, as in Ory Kratos. */
  readonly mapperVerifies?: true
  /** Accepts ID tokens from apps or FedCM. */
  readonly takesTokens?: true
  /** Reads tokens of other formats. Throws `ProtocolError`. */
  readToken?(ctx: Context, token: string): Claims
}

export interface UserApi {
  /** Defaults to the issuer. */
  iss?(server: AuthorizationServer): string
  /** In the response of `userinfo_endpoint`. */
  readonly claims: Mapping
  /** Skipped if the user or the app lacks the permission. */
  readonly also?: { url(userUrl: string): string; readonly claims: Mapping }
  headers?(access_token: string): Readonly<Record<string, string>>
  query?(config: ProviderConfig, access_token: string): Readonly<Record<string, string>>
  /** Users may deny scopes on the provider's page. */
  readonly needsScopes?: true
  /** Replaces the token request of OAuth. Throws `FormError` and `ProtocolError`. */
  requestToken?(call: ProviderCall, answer: URLSearchParams): Promise<Granted>
}

/** Paths such as `data.id`, or functions. */
export type Mapping = Readonly<Record<string, string | ((document: Claims, granted: Granted) => unknown)>>

export interface Granted {
  readonly access_token: string
  readonly refresh_token?: string | undefined
  readonly scope: string
  readonly [more: string]: unknown
}

/** Between the redirect to the provider and the return. */
export interface RequestToken {
  readonly oauth_token: string
  readonly oauth_token_secret: string
}

export function labelOf({ label, id }: ProviderConfig): string {
  return label || id
}

/** `why` is only logged. */
export function unusable(config: ProviderConfig, reason: string, cause?: unknown): ProtocolError {
  return new ProtocolError({
    id: 'upstream_error',
    status: 502,
    reason: `${labelOf(config)} could not be reached or sent an invalid response. Please try again in a minute.`,
    cause: new Error(`${config.id}: ${reason}`, { cause }),
  })
}

export function providerError(config: ProviderConfig, reason: string): FormError {
  return new FormError(messages.generic(`${labelOf(config)}: ${reason}`))
}

export function askedBefore(config: ProviderConfig): FormError {
  return providerError(config, 'It did not ask you to log in again. Please try again.')
}

export function notOwnAuthorization(): ProtocolError {
  return badRequest(
    'This login was started in another browser, was already used or has expired. Please start again.',
  )
}
