import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { urlAt } from '../../../config/base-url.ts'
import { signWithPem } from '../../../crypto/jwt.ts'
import { isEqual } from '../../../crypto/secrets.ts'
import { ProtocolError } from '../../../errors/errors.ts'
import { jsonOrText } from '../../../input/plain-text.ts'
import type { Claims } from '../claims.ts'
import { readApi } from './api.ts'
import type { ProviderCall, ProviderConfig, ProviderKind } from './provider.ts'

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

const MICROSOFT = 'https://login.microsoftonline.com'
/** The tenant of all personal accounts. */
const PERSONAL = '9188040d-6c67-4b5d-b112-36a304b66dad'
const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

export const microsoft: ProviderKind = {
  issuer: issuerOf,
  // Tokens name their tenant by its GUID, which discovery knows (SEC-26).
  documentsIssuer: ({ microsoft_tenant = '' }) => microsoft_tenant.includes('.'),
  // For several tenants, discovery names a template as the issuer.
  metadata(config) {
    const base = `${MICROSOFT}/${config.microsoft_tenant}`
    return {
      issuer: issuerOf(config),
      authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
      token_endpoint: `${base}/oauth2/v2.0/token`,
      jwks_uri: `${base}/discovery/v2.0/keys`,
      userinfo_endpoint: 'https://graph.microsoft.com/oidc/userinfo',
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    }
  },
  // An optional claim, by default not sent.
  omitsAuthTime: true,
  tokenIssuer: (config, { tid }) =>
    isFromTenant(config, tid) ? issuerOf({ microsoft_tenant: tid }) : undefined,
  adapt: async (claims, call, { access_token }) => ({
    ...claims,
    sub: await subjectOf(claims, call, access_token),
    // An administrator of any tenant can give users any address, so `email` alone proves nothing. The optional
    // claim `xms_edov` is true if the tenant owns the domain (SEC-26).
    email_verified: claims.xms_edov === true,
  }),
}

function issuerOf({ microsoft_tenant }: Pick<ProviderConfig, 'microsoft_tenant'>): string {
  return `${MICROSOFT}/${microsoft_tenant}/v2.0`
}

function isFromTenant({ microsoft_tenant }: ProviderConfig, tid: unknown): tid is string {
  if (typeof tid !== 'string' || !GUID.test(tid)) return false
  if (microsoft_tenant === 'consumers') return tid === PERSONAL
  if (microsoft_tenant === 'organizations') return tid !== PERSONAL
  return microsoft_tenant === 'common' || microsoft_tenant === tid
}

const me = z.object({ id: z.string() })

async function subjectOf(
  { sub, oid }: Claims,
  { config, fetch }: ProviderCall,
  token: string,
): Promise<unknown> {
  if (config.subject_source === 'oid') return oid
  if (config.subject_source === 'userinfo') return sub
  const url = 'https://graph.microsoft.com/v1.0/me'
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
  return (await readApi(config, url, response, me)).id
}

const APPLE = 'https://appleid.apple.com'
const SECRET_SECONDS = 300

export const apple: ProviderKind = {
  issuer: () => APPLE,
  ignoresPkce: true,
  // Apple shares a name or an address only by POST, which carries no cookies. `http/public/` redirects it to a GET.
  parameters: ({ scope }): Record<string, string> =>
    scope.some((name) => name === 'name' || name === 'email') ? { response_mode: 'form_post' } : {},
  secret: clientSecret,
  adapt: (claims, _call, { query }) => ({ ...nameFrom(query), ...claims }),
  takesTokens: true,
}

/** A JWT signed with the team's key. */
async function clientSecret(config: ProviderConfig, now: Date): Promise<string> {
  const { client_id, apple_team_id = '', apple_private_key_id = '', apple_private_key = '' } = config
  const iat = Math.floor(now.getTime() / 1000)
  return await signWithPem(apple_private_key, apple_private_key_id, {
    iss: apple_team_id,
    sub: client_id,
    aud: APPLE,
    iat,
    exp: iat + SECRET_SECONDS,
  })
}

const userField = z.object({
  name: z.object({ firstName: z.string().optional(), lastName: z.string().optional() }),
})

/**
 * Sent once, at the first sign-in, and not signed: the browser can change it. So nothing but the name is read.
 */
function nameFrom(answer: URLSearchParams): Claims {
  const user = userField.safeParse(jsonOrText(answer.get('user') ?? ''))
  if (!user.success) return {}
  const { firstName, lastName } = user.data.name
  return { given_name: firstName, family_name: lastName, last_name: lastName }
}

/** Ory Kratos' test provider: anyone can sign in as any user, so it needs `dev`. */
const KEY = 'xxxxxxx'
const ISSUER = 'https://example.com/fedcm'

/** Redirects like `generic`. */
export const fedcmTest: ProviderKind = {
  ...openid.generic,
  tokenIssuer: () => ISSUER,
  takesTokens: true,
  readToken(_ctx, token) {
    const [header = '', payload = '', signature = ''] = token.split('.')
    const expected = createHmac('sha256', KEY).update(`${header}.${payload}`).digest()
    const givenSignature = Buffer.from(signature, 'base64url')
    if (!isEqual(givenSignature, expected)) {
      throw new ProtocolError({ status: 403, reason: 'The ID token is not from this provider.' })
    }
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Claims
    return { iss: ISSUER, ...claims }
  },
}
