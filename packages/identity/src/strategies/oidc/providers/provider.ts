import type { AuthorizationServer } from 'oauth4webapi'
import type { Config } from '../../../config/config.ts'
import type { Context } from '../../../contract/contract.ts'
import type { Claims } from '../claims.ts'

export type ProviderConfig = Config['selfservice']['methods']['oidc']['config']['providers'][number]

export type Fetch = (url: string, sending?: Sending) => Promise<Response>

interface Sending {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: URLSearchParams | undefined
}

export interface ProviderKind {
  /** OpenID Connect only. */
  issuer?(config: ProviderConfig): string
  /** Replaces discovery. */
  metadata?(config: ProviderConfig): AuthorizationServer
  /** Expected in the ID token if that is another issuer. `claims` are not verified yet. */
  tokenIssuer?(config: ProviderConfig, claims: Claims): string
  /** Further hosts named in the provider's documents. */
  readonly hosts?: readonly string[]
  /** Defaults to the configured scopes and `openid`. */
  scope?(config: ProviderConfig): readonly string[]
  /** `refresh` requires a new sign-in at the provider. */
  parameters?(config: ProviderConfig, refresh: boolean): Readonly<Record<string, string>>
  /** The provider accepts no PKCE from a client with a secret. The nonce binds the code instead. */
  readonly ignoresPkce?: true
  /** Replaces `client_secret`. */
  secret?(config: ProviderConfig, now: Date): Promise<string>
  /** The ID token lacks claims. */
  readonly readsUserInfo?: true
  adapt?(config: ProviderConfig, claims: Claims, answer: URLSearchParams): Claims
  /** Used without an ID token. Throws `FormError` and `ProtocolError`. */
  claims?(config: ProviderConfig, granted: Granted, fetch: Fetch): Promise<Claims>
  /** Ignores addresses that a mapper verifies. */
  readonly onlyProviderVerifies?: true
  /** Accepts ID tokens from apps or FedCM. */
  readonly takesTokens?: true
  /** Reads tokens of other formats. Throws `ProtocolError`. */
  readToken?(ctx: Context, token: string): Claims
}

export interface Granted {
  readonly access_token: string
  readonly scope: string
}

export function labelOf({ label, id }: ProviderConfig): string {
  return label || id
}
