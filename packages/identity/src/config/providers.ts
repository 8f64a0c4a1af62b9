import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { absoluteUrl, section } from './values.ts'

export type ProviderMapper = (input: {
  readonly claims: Readonly<Record<string, unknown>>
  readonly identity: Readonly<Record<string, unknown>>
}) => unknown

/** Kinds that only `@ostiary/kratos` has. */
export const KRATOS_PROVIDERS = [
  'amazon',
  'dingtalk',
  'lark',
  'linkedin',
  'patreon',
  'spotify',
  'uaepass',
  'vk',
  'x',
  'yandex',
] as const

export type KratosProvider = (typeof KRATOS_PROVIDERS)[number]

export const PROVIDER_KINDS = [
  ...KRATOS_PROVIDERS,
  'generic',
  'apple',
  'auth0',
  'discord',
  'facebook',
  'fedcm-test',
  'github',
  'github-app',
  'gitlab',
  'google',
  'line',
  'linkedin_v2',
  'microsoft',
  'netid',
  'salesforce',
  'slack',
] as const

const provider = z.strictObject({
  /** Part of URLs and of credential identifiers. */
  id: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'expected letters, digits, - and _ only' }),
  provider: z.enum(PROVIDER_KINDS),
  /** Loaded for `KRATOS_PROVIDERS`. */
  kind: z.custom<object>((value) => typeof value === 'object').optional(),
  label: z.string().optional(),
  client_id: z.string().min(1),
  client_secret: z.string().optional(),
  /** The URL of your own server, tenant or environment. */
  issuer_url: absoluteUrl.optional(),
  auth_url: absoluteUrl.optional(),
  token_url: absoluteUrl.optional(),
  microsoft_tenant: z
    .string()
    .toLowerCase()
    .regex(/^(common|organizations|consumers|[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}|([\da-z-]+\.)+[a-z]+)$/, {
      error: 'expected common, organizations, consumers, or the id (a GUID) or domain of a tenant',
    })
    .optional(),
  /** Microsoft only: the claim that identifies the user, or `me`, the id in Microsoft Graph. */
  subject_source: z.enum(['userinfo', 'me', 'oid']).default('userinfo'),
  apple_team_id: z.string().optional(),
  apple_private_key_id: z.string().optional(),
  apple_private_key: z
    .string()
    .refine(isEcKey, { error: 'expected the P-256 key that Apple lets you download (.p8, PEM)' })
    .optional(),
  mapper_url: z.string().optional(),
  mapper: z.custom<ProviderMapper>((value) => typeof value === 'function').optional(),
  scope: z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/)).default([]),
  requested_claims: z.record(z.string(), z.unknown()).optional(),
  /** Our own value: `auto` reads the UserInfo endpoint if the ID token lacks the address. */
  claims_source: z.enum(['id_token', 'userinfo', 'auto']).default('id_token'),
  pkce: z.enum(['auto', 'force', 'never']).default('auto'),
  additional_id_token_audiences: z.array(z.string()).default([]),
  fedcm_config_url: absoluteUrl.optional(),
  /** `automatic` runs the mapper at each login and updates the account. */
  update_identity_on_login: z.enum(['never', 'automatic']).default('never'),
  organization_id: z.string().optional(),
})

function isEcKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyDetails?.namedCurve === 'prime256v1'
  } catch {
    return false
  }
}

export const oidc = section({
  enabled: z.boolean().default(false),
  config: section({
    base_redirect_uri: absoluteUrl.optional(),
    providers: z.array(provider).default([]),
  }),
})

export type ParsedProvider = z.output<typeof provider>
