import type { Config } from '../../../config.ts'
import type { Context } from '../../../contract.ts'
import type { Claims } from '../claims.ts'
import type { Fetch } from '../outgoing.ts'

/** One entry of `selfservice.methods.oidc.config.providers`. */
export type ProviderConfig = Config['selfservice']['methods']['oidc']['config']['providers'][number]

/** What is special about a kind of provider; `strategies/oidc` does the rest. */
export interface ProviderKind {
  /** Where it speaks OpenID Connect. Exactly one of this and `endpoints`. */
  issuer?(config: ProviderConfig): string
  /** Where it speaks OAuth only. */
  endpoints?(config: ProviderConfig): Endpoints
  /** Hosts beside that of the issuer, to which its own documents point. */
  readonly hosts: readonly string[]
  scope(config: ProviderConfig): readonly string[]
  /** Parameters of the authorization request beside those of every provider. */
  parameters?(config: ProviderConfig): Readonly<Record<string, string>>
  /** Who somebody is, where no ID token says so. Throws `FormError` and `ProtocolError`. */
  claims?(config: ProviderConfig, granted: Granted, fetch: Fetch): Promise<Claims>
  /** An address is proven only where this provider itself says so, whatever a mapper lists. */
  readonly ownWord?: true
  /** Takes an ID token that an app or the browser's own dialog got. */
  readonly takesTokens?: true
  /** Reads such a token, where it is none of OpenID Connect. Throws `ProtocolError`. */
  readToken?(ctx: Context, token: string): Claims
}

export interface Endpoints {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly api: string
}

/** What the token endpoint gave. */
export interface Granted {
  readonly access_token: string
  readonly scope: string
}
