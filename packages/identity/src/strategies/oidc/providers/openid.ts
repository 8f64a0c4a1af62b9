import { below } from '../../../config/base-url.ts'
import type { ProviderConfig, ProviderKind } from './provider.ts'

/** Providers that speak OpenID Connect with at most small deviations. */
export const openid = {
  generic: {
    issuer: ({ issuer_url = '' }) => issuer_url,
    parameters: requestedClaims,
  },
  google: {
    issuer: () => 'https://accounts.google.com',
    onlyProviderVerifies: true,
    hosts: ['oauth2.googleapis.com', 'www.googleapis.com', 'openidconnect.googleapis.com'],
    scope: (config) => withOpenId(config).filter((name) => name !== OFFLINE),
    // Google uses this instead of the scope `offline_access`.
    parameters: (config) => ({
      ...requestedClaims(config),
      ...(config.scope.includes(OFFLINE) ? { access_type: 'offline' } : {}),
    }),
    takesTokens: true,
  },
  gitlab: {
    /** `issuer_url` names a self-managed server. */
    issuer: ({ issuer_url }) => below(issuer_url ?? 'https://gitlab.com', ''),
    onlyProviderVerifies: true,
    parameters: requestedClaims,
    // The ID token has no name.
    readsUserInfo: true,
  },
  slack: {
    issuer: () => 'https://slack.com',
    onlyProviderVerifies: true,
    // Slack treats an app that uses PKCE as a public client.
    ignoresPkce: true,
    adapt: (_config, claims) => ({ ...claims, team: claims['https://slack.com/team_id'] }),
  },
} as const satisfies Readonly<Record<string, ProviderKind>>

const OFFLINE = 'offline_access'

/** Kratos compatibility: appended if missing. */
export function withOpenId({ scope }: ProviderConfig): readonly string[] {
  return scope.includes('openid') ? scope : [...scope, 'openid']
}

export function requestedClaims({ requested_claims }: ProviderConfig): Record<string, string> {
  return requested_claims === undefined ? {} : { claims: JSON.stringify(requested_claims) }
}
