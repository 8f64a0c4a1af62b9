import { z } from 'zod'
import type { Claims } from '../claims.ts'
import { readApi } from './api.ts'
import type { ProviderCall, ProviderConfig, ProviderKind } from './provider.ts'

const HOME = 'https://login.microsoftonline.com'
/** The tenant of all personal accounts. */
const PERSONAL = '9188040d-6c67-4b5d-b112-36a304b66dad'
const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

export const microsoft: ProviderKind = {
  issuer: issuerOf,
  // Tokens name their tenant by its GUID, which discovery knows (SEC-26).
  documentsIssuer: ({ microsoft_tenant = '' }) => microsoft_tenant.includes('.'),
  // For several tenants, discovery names a template as the issuer.
  metadata(config) {
    const base = `${HOME}/${config.microsoft_tenant}`
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
    email_verified: isDomainOwner(claims),
  }),
}

function issuerOf({ microsoft_tenant }: Pick<ProviderConfig, 'microsoft_tenant'>): string {
  return `${HOME}/${microsoft_tenant}/v2.0`
}

function isFromTenant({ microsoft_tenant }: ProviderConfig, tid: unknown): tid is string {
  if (typeof tid !== 'string' || !GUID.test(tid)) return false
  if (microsoft_tenant === 'consumers') return tid === PERSONAL
  if (microsoft_tenant === 'organizations') return tid !== PERSONAL
  return microsoft_tenant === 'common' || microsoft_tenant === tid
}

/**
 * An administrator of any tenant can give users any address, so `email` alone proves nothing. The optional claim
 * `xms_edov` is true if the tenant owns the domain (SEC-26).
 */
function isDomainOwner({ xms_edov }: Claims): boolean {
  return xms_edov === true
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
