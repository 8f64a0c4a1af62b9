import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { outgoingRequest } from './outgoing-request.ts'
import { oidc } from './providers.ts'
import { duration, origin, reference, section } from './values.ts'
import { webHook } from './web-hook.ts'

const hook = <Name extends string>(...names: readonly [Name, ...Name[]]) =>
  z
    .strictObject({
      hook: z.enum(names),
      config: webHook.optional(),
    })
    .refine(({ hook, config }) => hook !== 'web_hook' || config !== undefined, {
      error: 'is missing. Set url, method and body of the web hook',
      path: ['config'],
    })

const hooks = <Name extends string>(...names: readonly [Name, ...Name[]]) =>
  z.array(hook(...names)).default([])

/** A non-empty list replaces that of the whole flow. */
const afterMethod = <Name extends string>(...names: readonly [Name, ...Name[]]) =>
  z
    .strictObject({
      default_browser_return_url: reference.optional(),
      hooks: hooks(...names),
    })
    .optional()

const each = <Method, Name extends string>(method: Method, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, method])) as Record<Name, Method>

const before = section({ hooks: hooks('web_hook') })
const lifespan = duration.prefault('1h')

const LOGIN_HOOKS = [
  'revoke_active_sessions',
  'require_verified_address',
  'web_hook',
  'verification',
  'show_verification_ui',
] as const
const loginMethod = afterMethod(...LOGIN_HOOKS)
// `require_verified_address` is our own: with `session` it rejects unverified users.
const registrationMethod = afterMethod(
  'session',
  'web_hook',
  'show_verification_ui',
  'require_verified_address',
)
const settingsMethod = afterMethod('web_hook', 'revoke_active_sessions')

const login = section({
  ui_url: reference.optional(),
  lifespan,
  style: z.enum(['unified', 'identifier_first']).default('unified'),
  before,
  after: section({
    default_browser_return_url: reference.optional(),
    hooks: hooks(...LOGIN_HOOKS),
    ...each(loginMethod, 'password', 'code', 'webauthn', 'passkey', 'totp', 'lookup_secret'),
    oidc: afterMethod('revoke_active_sessions', 'web_hook', 'require_verified_address'),
  }),
})

const registration = section({
  enabled: z.boolean().default(true),
  login_hints: z.boolean().default(false),
  ui_url: reference.optional(),
  lifespan,
  style: z.enum(['unified', 'profile_first']).default('profile_first'),
  /** Forces `unified`. */
  enable_legacy_one_step: z.boolean().default(false),
  before,
  after: section({
    default_browser_return_url: reference.optional(),
    hooks: hooks('web_hook', 'show_verification_ui'),
    ...each(registrationMethod, 'password', 'code', 'webauthn', 'passkey', 'oidc'),
  }),
})

const proofOfAddress = <Name extends string>(...afterHooks: readonly [Name, ...Name[]]) =>
  section({
    enabled: z.boolean().default(false),
    ui_url: reference.optional(),
    lifespan,
    use: z.enum(['code', 'link']).default('code'),
    notify_unknown_recipients: z.boolean().default(false),
    before,
    after: section({
      default_browser_return_url: reference.optional(),
      hooks: hooks(...afterHooks),
    }),
  })

const settings = section({
  ui_url: reference.optional(),
  lifespan,
  privileged_session_max_age: duration.prefault('1h'),
  required_aal: z.enum(['aal1', 'highest_available']).default('highest_available'),
  before,
  after: section({
    default_browser_return_url: reference.optional(),
    hooks: hooks('web_hook', 'revoke_active_sessions'),
    ...each(settingsMethod, 'password', 'totp', 'oidc', 'webauthn', 'passkey', 'lookup_secret'),
    // Newer than Kratos v26.2.0: a new address takes effect once it is verified.
    profile: afterMethod('web_hook', 'show_verification_ui', 'verify_new_address'),
  }),
})

const flows = section({
  error: section({ ui_url: reference.optional() }),
  login,
  registration,
  verification: proofOfAddress('web_hook'),
  recovery: proofOfAddress('web_hook', 'revoke_active_sessions'),
  settings,
  logout: section({
    after: section({ default_browser_return_url: reference.optional() }),
    clear_browser_data: z.boolean().default(false),
  }),
})

/** Checks the passwords of accounts imported with `use_password_migration_hook`. */
const migrateHook = section({
  enabled: z.boolean().default(false),
  config: z
    .strictObject({
      ...outgoingRequest,
      method: z.literal('POST').default('POST'),
      /** Has no effect. */
      emit_analytics_event: z.boolean().optional(),
    })
    .optional(),
}).refine(({ enabled, config }) => !enabled || config !== undefined, {
  error: 'is missing. Set the url that checks passwords',
  path: ['config'],
})

const password = section({
  enabled: z.boolean().default(true),
  config: section({
    min_password_length: z.int().min(6).max(1024).default(8),
    identifier_similarity_check_enabled: z.boolean().default(true),
    /** Our own key: rejects common passwords, and the name of the service or host, without a remote service. */
    refuse_common_passwords: z.boolean().default(false),
    haveibeenpwned_enabled: z.boolean().default(true),
    haveibeenpwned_host: z.string().min(1).default('api.pwnedpasswords.com'),
    max_breaches: z.int().min(0).default(0),
    ignore_network_errors: z.boolean().default(true),
    migrate_hook: migrateHook,
  }),
})

const code = section({
  enabled: z.boolean().default(true),
  passwordless_enabled: z.boolean().default(false),
  mfa_enabled: z.boolean().default(false),
  config: section({
    /** Kratos' default of 1h is too long for six digits (SEC-05). */
    lifespan: duration.prefault('10m'),
    max_submissions: z.int().min(1).max(255).default(5),
    /** Lets accounts older than the code method sign in with one of their addresses. */
    missing_credential_fallback_enabled: z.boolean().default(false),
    /** Our own key: the email of a login also has a link that fills in the code. */
    login_link_enabled: z.boolean().default(false),
  }),
}).refine(({ passwordless_enabled, mfa_enabled }) => !(passwordless_enabled && mfa_enabled), {
  error: 'passwordless_enabled and mfa_enabled cannot both be true',
})

const relyingParty = z.strictObject({
  display_name: z.string().min(1),
  /** Passkeys are bound to it permanently. */
  id: z
    .string()
    .transform(domainToASCII)
    .pipe(z.string().regex(/^[a-z0-9.-]+$/, { error: 'expected a host name such as app.example' })),
  origin: origin.optional(),
  origins: z.array(origin).optional(),
  icon: z.string().optional(),
})

/** Only `required` is enforced. */
const userVerification = z.enum(['required', 'preferred', 'discouraged'])

/** Kratos' defaults, but with user verification: a stolen security key must not open the account. */
const newPasskey = {
  authenticator_selection: section({
    attachment: z.enum(['platform', 'cross-platform']).default('platform'),
    resident_key: z.enum(['required', 'preferred', 'discouraged']).default('required'),
    user_verification: userVerification.default('required'),
  }),
  attestation: section({ preference: z.enum(['none', 'indirect', 'direct', 'enterprise']).default('none') }),
  timeouts: section({ registration: duration.prefault('5m'), login: duration.prefault('5m') }),
}

const methods = section({
  password,
  code,
  profile: section({ enabled: z.boolean().default(true) }),
  link: section({
    enabled: z.boolean().default(false),
    config: section({ lifespan, base_url: z.string().optional() }),
  }),
  totp: section({
    enabled: z.boolean().default(false),
    config: section({ issuer: z.string().optional() }),
  }),
  lookup_secret: section({ enabled: z.boolean().default(false) }),
  webauthn: section({
    enabled: z.boolean().default(false),
    config: section({
      passwordless: z.boolean().default(false),
      rp: relyingParty.optional(),
      authenticator_selection: section({
        /** Required for a passwordless key, otherwise discouraged. */
        user_verification: userVerification.optional(),
      }),
    }),
  }),
  passkey: section({
    enabled: z.boolean().default(false),
    config: section({ rp: relyingParty.optional(), ...newPasskey }),
  }),
  oidc,
})

export const selfservice = z.strictObject({
  default_browser_return_url: reference,
  allowed_return_urls: z.array(reference).default([]),
  /** Our own key: the wording of messages and labels. */
  texts: z.enum(['kratos', 'own']).default('kratos'),
  methods,
  flows,
})
