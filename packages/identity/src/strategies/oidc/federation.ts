import type { Context } from '../../contract/contract.ts'
import { ProtocolError } from '../../errors/errors.ts'
import type { AuthorizedUser } from './authorization.ts'
import { type Claims, readUnverified } from './claims.ts'
import { audiencesOf, verifyIdToken } from './id-token.ts'
import { allProviders, kindOf } from './providers/all.ts'
import type { ProviderConfig } from './providers/provider.ts'

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
