import type { Config } from '../../../config/config.ts'
import type { Context } from '../../../contract/contract.ts'
import type { Claims } from '../claims.ts'
import type { Fetch } from '../outgoing.ts'

export type ProviderConfig = Config['selfservice']['methods']['oidc']['config']['providers'][number]

export interface ProviderKind {
  /** OpenID Connect only. */
  issuer?(config: ProviderConfig): string
  /** OAuth only. */
  endpoints?(config: ProviderConfig): Endpoints
  /** Further hosts named in the provider's documents. */
  readonly hosts: readonly string[]
  scope(config: ProviderConfig): readonly string[]
  parameters?(config: ProviderConfig): Readonly<Record<string, string>>
  /** Used without an ID token. Throws `FormError` and `ProtocolError`. */
  claims?(config: ProviderConfig, granted: Granted, fetch: Fetch): Promise<Claims>
  /** Ignores addresses that a mapper verifies. */
  readonly onlyProviderVerifies?: true
  /** Accepts ID tokens from apps or FedCM. */
  readonly takesTokens?: true
  /** For tokens of other formats. Throws `ProtocolError`. */
  readToken?(ctx: Context, token: string): Claims
}

export interface Endpoints {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly api: string
}

export interface Granted {
  readonly access_token: string
  readonly scope: string
}

export function labelOf({ label, id }: ProviderConfig): string {
  return label || id
}
