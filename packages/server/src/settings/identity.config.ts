import type { IdentityConfigInput } from '@ostiary/identity'
import { isAddress } from '@ostiary/identity/serving'
import { shadesOf } from '@ostiary/identity/theme'
import { returnedBy } from '../http/errors.ts'
import type { DemoClient } from '../product/demo.ts'
import type { IdentityDefaults, Product, ProductConfig } from '../product/product.ts'
import { rolesOf } from '../session/roles.ts'
import type { Settings } from './env.ts'
import { providerMapper } from './provider-mapper.ts'
import { offeredProviders } from './providers.ts'

type Tokenizer = NonNullable<NonNullable<NonNullable<IdentityConfigInput['session']>['whoami']>['tokenizer']>
type TokenTemplate = NonNullable<Tokenizer['templates']>[string]

/** Configures the embedded identity service with Ory Kratos' keys. */
export function identityConfig(
  product: Product,
  settings: Settings,
  secrets: readonly string[],
  demos?: readonly DemoClient[],
): IdentityConfigInput {
  const ownConfig = { dsn: databaseDsn(settings), secrets: { default: [...secrets] } }
  return {
    ...changeDefaults(product, identityDefaults(product.config, settings, demos), settings),
    ...ownConfig,
  }
}

export function changeDefaults(
  { identity = (unchanged) => unchanged }: Product,
  defaults: IdentityDefaults,
  { own }: Settings,
): IdentityDefaults {
  return returnedBy('identity', identity(defaults, own), 'the changed defaults')
}

export function identityDefaults(
  { methods, ...product }: ProductConfig,
  settings: Settings,
  demos?: readonly DemoClient[],
) {
  const { public_url } = settings
  const mapper = providerMapper(product.traits)
  const providers = offeredProviders(settings.providers, demos).map((provider) => ({ ...provider, mapper }))
  const https = public_url.startsWith('https:')
  return {
    dev: !settings.production,
    serve: ports(settings),
    // Sibling hosts and http pages cannot set `__Host-` cookies, which require Secure.
    cookies: { same_site: 'Lax', secure: https, host_prefix: https, waiting_tabs: 4 },
    session: {
      lifespan: '24h',
      // The sign-in form promises these 30 days.
      extended_lifespan: '720h',
      idle_timeout: settings.session_idle_timeout,
      cookie: { name: https ? 'session' : 'ory_kratos_session', secure: https },
      whoami: {
        required_aal: 'highest_available',
        tokenizer: { templates: { [settings.token_template]: userJwt(public_url, product.roles) } },
      },
    },
    identity: { default_schema_id: 'person', schemas: [{ id: 'person', schema: userSchema(product) }] },
    selfservice: {
      default_browser_return_url: `${public_url}/`,
      allowed_return_urls: [`${public_url}/`],
      texts: 'own',
      methods: {
        password: {
          enabled: true,
          config: {
            min_password_length: product.password.minLength,
            refuse_common_passwords: true,
            // It would need the network.
            haveibeenpwned_enabled: false,
          },
        },
        code: codes(settings),
        passkey: passkeys(public_url, methods.passkey, product.name),
        totp: { enabled: methods.totp, config: { issuer: product.name } },
        lookup_secret: { enabled: methods.lookup_secret },
        oidc: { enabled: providers.length > 0, config: { providers } },
      },
      flows: selfserviceFlows(public_url, product.afterLogin),
    },
    courier: courier(product, settings),
    retention: {
      unverified_accounts: settings.unverified_accounts ?? 'off',
      ended_sessions: '2160h',
      events: '2160h',
      sent_messages: settings.demo ? 'keep' : 'erase',
    },
    limits: settings.limits as IdentityConfigInput['limits'],
    // The page itself continues to the settings.
    feature_flags: { use_continue_with_transitions: true },
    security: {
      account_enumeration: { mitigate: true },
      notices: { enabled: true, review_url: `${settings.public_url}/settings/activity` },
    },
  } satisfies IdentityDefaults
}

function courier({ name, language, theme }: Omit<ProductConfig, 'methods'>, settings: Settings) {
  return {
    smtp: { from_address: settings.mail_from, from_name: name, connection_uri: settings.smtp_url },
    language,
    colors: shadesOf(theme.accent, theme.darkAccent),
    font: theme.font,
  }
}

function ports({ public_url, trusted_proxies, cors_origins, ...settings }: Settings) {
  return {
    public: {
      base_url: `${public_url}/.ory`,
      trusted_proxies: trusted_proxies ?? 0,
      cors: { enabled: cors_origins.length > 0, allowed_origins: [...cors_origins] },
    },
    admin: {
      host: settings.admin_host,
      port: settings.admin_port,
      own_page: settings.admin_ui,
      token: settings.admin_token,
      tokens: [...settings.admin_tokens],
    },
  }
}

function userJwt(public_url: string, productRoles: readonly string[]): TokenTemplate {
  return {
    ttl: '10m',
    audience: public_url,
    claims_mapper: ({ session }) => {
      const roles = rolesOf(session.identity?.metadata_public, productRoles)
      return { claims: roles.length > 0 ? { roles } : {} }
    },
  }
}

export function databaseDsn({ database_url, database_file, in_memory }: Settings): string {
  return in_memory ? 'memory' : (database_url ?? `sqlite://${database_file}`)
}

/** Codes sign in to existing accounts only, because the schema names no code credential. */
function codes({ sign_in_codes }: Settings) {
  const config = { lifespan: '10m', max_submissions: 5, missing_credential_fallback_enabled: true }
  return {
    enabled: true,
    passwordless_enabled: sign_in_codes,
    config: { ...config, login_link_enabled: sign_in_codes },
  }
}

/** Passkeys need a host name. */
function passkeys(public_url: string, enabled: boolean, display_name: string) {
  const { hostname, origin } = new URL(public_url)
  if (isAddress(hostname)) return { enabled: false }
  return {
    enabled,
    config: { rp: { id: hostname, display_name, origin } },
  }
}

/** Registering creates no session: the user verifies the address, then signs in. */
function selfserviceFlows(
  public_url: string,
  afterLogin = '/dashboard',
): IdentityConfigInput['selfservice']['flows'] {
  return {
    error: { ui_url: `${public_url}/error` },
    login: {
      ui_url: `${public_url}/login`,
      style: 'unified',
      after: {
        default_browser_return_url: `${public_url}${afterLogin}`,
        hooks: [{ hook: 'require_verified_address' }],
      },
    },
    registration: {
      ui_url: `${public_url}/register`,
      style: 'unified',
      login_hints: true,
      after: {
        default_browser_return_url: `${public_url}${afterLogin}`,
        password: { hooks: [{ hook: 'show_verification_ui' }] },
        passkey: { hooks: [{ hook: 'show_verification_ui' }] },
        oidc: {
          hooks: [
            { hook: 'session' },
            { hook: 'require_verified_address' },
            { hook: 'show_verification_ui' },
          ],
        },
      },
    },
    verification: {
      enabled: true,
      use: 'code',
      ui_url: `${public_url}/verify`,
      after: { default_browser_return_url: `${public_url}/login` },
    },
    recovery: {
      enabled: true,
      use: 'code',
      ui_url: `${public_url}/recovery`,
      lifespan: '15m',
      // Signs out an attacker who took over the account.
      after: { hooks: [{ hook: 'revoke_active_sessions' }] },
    },
    settings: {
      ui_url: `${public_url}/settings`,
      privileged_session_max_age: '15m',
      // An attacker may know the old password.
      after: {
        password: { hooks: [{ hook: 'revoke_active_sessions' }] },
        profile: { hooks: [{ hook: 'verify_new_address' }] },
      },
    },
    logout: { after: { default_browser_return_url: `${public_url}/` } },
  }
}

function userSchema({ traits, requiredTraits }: Pick<ProductConfig, 'traits' | 'requiredTraits'>) {
  return {
    $id: 'https://app.example/person.schema.json',
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'User',
    type: 'object',
    properties: {
      traits: {
        type: 'object',
        properties: traits,
        required: requiredTraits,
        additionalProperties: false,
      },
    },
    additionalProperties: false,
  }
}
