import { urlAt } from '../../../config/base-url.ts'
import type { ProviderConfig, ProviderKind } from './provider.ts'

/** Providers that speak OpenID Connect with at most small deviations. */
export const openid = {
  generic: { issuer: configuredIssuer, mapperVerifies: true },
  auth0: { issuer: configuredIssuer, readsUserInfo: true },
  google: {
    issuer: () => 'https://accounts.google.com',
    hosts: ['oauth2.googleapis.com', 'www.googleapis.com', 'openidconnect.googleapis.com'],
    scope: (config) => withOpenId(config).filter((name) => name !== OFFLINE),
    // Google uses this instead of the scope `offline_access`.
    parameters: ({ scope }): Record<string, string> =>
      scope.includes(OFFLINE) ? { access_type: 'offline' } : {},
    takesTokens: true,
  },
  gitlab: {
    /** `issuer_url` names a self-managed server. */
    issuer: ({ issuer_url }) => urlAt(issuer_url ?? 'https://gitlab.com', ''),
    readsUserInfo: true,
  },
  // Its addresses come without `email_verified`.
  line: {
    issuer: () => 'https://access.line.me',
    metadata: () => ({
      issuer: 'https://access.line.me',
      authorization_endpoint: 'https://access.line.me/oauth2/v2.1/authorize',
      token_endpoint: 'https://api.line.me/oauth2/v2.1/token',
      userinfo_endpoint: 'https://api.line.me/oauth2/v2.1/userinfo',
      jwks_uri: 'https://api.line.me/oauth2/v2.1/certs',
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      id_token_signing_alg_values_supported: ['ES256'],
    }),
    // Otherwise LINE signs with the client secret.
    tokenParameters: { id_token_key_type: 'JWK' },
  },
  linkedin_v2: {
    issuer: () => 'https://www.linkedin.com/oauth',
    metadata: () => ({
      issuer: 'https://www.linkedin.com/oauth',
      authorization_endpoint: 'https://www.linkedin.com/oauth/v2/authorization',
      token_endpoint: 'https://www.linkedin.com/oauth/v2/accessToken',
      userinfo_endpoint: 'https://api.linkedin.com/v2/userinfo',
      jwks_uri: 'https://www.linkedin.com/oauth/openid/jwks',
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    }),
    // LinkedIn accepts PKCE from native apps only.
    ignoresPkce: true,
    ignoresNonce: true,
    readsUserInfo: true,
  },
  netid: { issuer: () => 'https://broker.netid.de/', readsUserInfo: true },
  salesforce: { issuer: configuredIssuer, readsUserInfo: true },
  slack: {
    issuer: () => 'https://slack.com',
    // Slack treats an app that uses PKCE as a public client.
    ignoresPkce: true,
    adapt: (claims) => ({ ...claims, team: claims['https://slack.com/team_id'] }),
  },
} as const satisfies Readonly<Record<string, ProviderKind>>

const OFFLINE = 'offline_access'

function configuredIssuer({ issuer_url = '' }: ProviderConfig): string {
  return issuer_url
}

/** Kratos compatibility: appended if missing. */
export function withOpenId({ scope }: ProviderConfig): readonly string[] {
  return scope.includes('openid') ? scope : [...scope, 'openid']
}
