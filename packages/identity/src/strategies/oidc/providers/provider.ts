import type { Config } from '../../../config/config.ts'
import type { Context } from '../../../contract/contract.ts'
import type { Claims } from '../claims.ts'
import type { Fetch } from '../outgoing.ts'

/** An entry of `selfservice.methods.oidc.config.providers`. */
export type ProviderConfig = Config['selfservice']['methods']['oidc']['config']['providers'][number]

/** What is specific to a kind of provider; `strategies/oidc` does the rest. */
export interface ProviderKind {
  /** For OpenID Connect. Exactly one of this and `endpoints` is defined. */
  issuer?(config: ProviderConfig): string
  /** For OAuth only. */
  endpoints?(config: ProviderConfig): Endpoints
  /** Further hosts that the provider's documents refer to. */
  readonly hosts: readonly string[]
  scope(config: ProviderConfig): readonly string[]
  /** Additional parameters of the authorization request. */
  parameters?(config: ProviderConfig): Readonly<Record<string, string>>
  /** The user's claims, if there is no ID token. Throws `FormError` and `ProtocolError`. */
  claims?(config: ProviderConfig, granted: Granted, fetch: Fetch): Promise<Claims>
  /** An address is verified only if the provider itself says so, whatever a mapper returns. */
  readonly onlyProviderVerifies?: true
  /** Accepts an ID token from an app or the browser's account chooser. */
  readonly takesTokens?: true
  /** Parses such a token if it is not an OpenID Connect token. Throws `ProtocolError`. */
  readToken?(ctx: Context, token: string): Claims
}

export interface Endpoints {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly api: string
}

/** The token endpoint's response. */
export interface Granted {
  readonly access_token: string
  readonly scope: string
}

/** The display name. */
export function labelOf({ label, id }: ProviderConfig): string {
  return label || id
}
