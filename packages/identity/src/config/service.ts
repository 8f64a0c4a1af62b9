import { z } from 'zod'
import { isLoopback } from '../input/host.ts'
import type { Session } from '../wire/session.ts'
import { trustedProxies } from './trusted-proxies.ts'
import { absoluteUrl, booleanText, byteSize, duration, port, sameSite, section } from './values.ts'

/** Cannot set the claims in `sessions/tokenize.ts`. */
export type ClaimsMapper = (context: {
  readonly session: Session
  readonly claims: Readonly<Record<string, unknown>>
}) => unknown

/** Permissions of a `unix:` socket, in decimal. */
const socket = section({ mode: z.int().min(0).max(0o777).default(0o755) })

/** Ignoring it would open the port in plain text. */
const tls = z
  .record(z.string(), z.unknown())
  .refine((settings) => Object.keys(settings).length === 0, {
    error: 'TLS is not supported. Remove this key, listen on 127.0.0.1 and let a reverse proxy terminate TLS',
  })
  .optional()

export function isLocal(host: string): boolean {
  return isLoopback(host) || host.startsWith('unix:')
}

const adminToken = z.string().min(32, { error: 'expected at least 32 characters' })

export const serve = section({
  public: section({
    /** Defaults to host and port. */
    base_url: absoluteUrl.optional(),
    /** An address, or `unix:` and a path. */
    host: z.string().default('0.0.0.0'),
    port: port.default(4433),
    socket,
    tls,
    /** Our own key: the proxies whose X-Forwarded-For is trusted. */
    trusted_proxies: trustedProxies.optional(),
    /** Our own key: rejects new work while requests wait this long. 0s disables it. */
    max_delay: duration.default(500),
    /** Our own keys: the most open connections, in total and per address. */
    max_connections: z.int().min(1).default(5_000),
    max_connections_per_address: z.int().min(1).optional(),
    cors: section({
      enabled: z.boolean().default(false),
      allowed_origins: z.array(z.string()).default(['*']),
      allowed_methods: z.array(z.string()).default(['POST', 'GET', 'PUT', 'PATCH', 'DELETE']),
      allowed_headers: z
        .array(z.string())
        .default([
          'Authorization',
          'Content-Type',
          'Max-Age',
          'X-Session-Token',
          'X-XSRF-TOKEN',
          'X-CSRF-TOKEN',
        ]),
      exposed_headers: z.array(z.string()).default(['Content-Type']),
      allow_credentials: z.boolean().default(true),
      /** Seconds. */
      max_age: z.int().min(0).default(0),
    }),
  }),
  admin: section({
    base_url: absoluteUrl.optional(),
    /** Kratos listens on all interfaces. */
    host: z.string().default('127.0.0.1'),
    port: port.default(4434),
    socket,
    tls,
    /** Our own key: every call must send it, or one of `tokens`, as `Authorization: Bearer`. */
    token: adminToken.optional(),
    /** Our own key: of named operators. `token` has no name and may do everything. */
    tokens: z
      .array(
        z.strictObject({
          name: z.string().regex(/^[\w.@-]{1,64}$/, { error: 'expected up to 64 of A-Z a-z 0-9 _ . @ -' }),
          role: z.enum(['read', 'support', 'full']),
          token: adminToken,
        }),
      )
      .default([]),
    /** Our own key: a page of the embedding server on the admin port may call the API. */
    own_page: z.boolean().default(false),
  })
    .refine(({ host, token, tokens }) => token !== undefined || tokens.length > 0 || isLocal(host), {
      path: ['token'],
      error:
        'is missing, but serve.admin.host opens the admin API to other machines. Set a secret of at least 32 characters, for example as SERVE_ADMIN_TOKEN in the environment, or the host 127.0.0.1 or unix:/PATH',
    })
    .refine(({ token, tokens }) => tokens.every((one) => one.token !== token), {
      path: ['token'],
      error:
        'is also the token of a named operator, who would get full access. Start the server without it: operators set it for their own commands only',
    }),
})

export const cookies = section({
  domain: z.string().optional(),
  path: z.string().default('/'),
  same_site: sameSite.default('Lax'),
  secure: booleanText.optional(),
  /** Our own key: prefixes cookie names with `__Host-` (RFC 6265bis, 4.1.3). */
  host_prefix: z.boolean().default(false),
  /** Our own key: tabs of one browser that may wait for a provider or a re-authentication at the same time. */
  waiting_tabs: z.int().min(1).max(8).default(1),
})

const secretList = z.array(z.string().min(16, { error: 'expected at least 16 characters' })).default([])

export const secrets = section({
  default: secretList,
  cookie: secretList,
  cipher: z.array(z.string().length(32, { error: 'expected exactly 32 characters' })).default([]),
  pagination: secretList,
})

const jwk = z.looseObject({
  kty: z.string(),
  kid: z.string().optional(),
  alg: z.string().optional(),
})

const tokenTemplate = z.strictObject({
  ttl: duration.prefault('1m'),
  /** By default the service generates and rotates keys. */
  jwks_url: z.string().optional(),
  jwks: z.object({ keys: z.array(jwk).min(1) }).optional(),
  claims_mapper_url: z.string().optional(),
  claims_mapper: z
    .custom<ClaimsMapper>((value) => typeof value === 'function', { error: 'expected a function' })
    .optional(),
  subject_source: z.enum(['id', 'external_id']).default('id'),
  /** Our own key: the `aud` claim, by default the origin of `serve.public.base_url`. */
  audience: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
})

export const session = section({
  lifespan: duration.prefault('24h'),
  /** Our own key: the lifespan if the user chooses to stay signed in. */
  extended_lifespan: duration.optional(),
  /** By default a session can always be extended. */
  earliest_possible_extend: duration.optional(),
  /** Our own key: ends a session that is unused for this long. */
  idle_timeout: duration.refine((span) => span >= 60_000, { error: 'expected at least 1m' }).optional(),
  /** Our own key: a further session ends the oldest. */
  max_per_identity: z.int().min(1).default(50),
  cookie: section({
    name: z.string().min(1).default('ory_kratos_session'),
    persistent: z.boolean().default(true),
    /** Default to those of `cookies`, unlike `secure`. */
    domain: z.string().optional(),
    path: z.string().optional(),
    same_site: sameSite.optional(),
    secure: booleanText.optional(),
  }),
  whoami: section({
    required_aal: z.enum(['aal1', 'highest_available']).default('highest_available'),
    tokenizer: section({
      templates: z.record(z.string().regex(/^[a-zA-Z0-9_.-]+$/), tokenTemplate).default({}),
    }),
  }),
})

/** Outside dev mode, as in Kratos. */
export const LEAST_BCRYPT_COST = 12

export const hashers = section({
  /** Kratos defaults to bcrypt. */
  algorithm: z.enum(['argon2', 'bcrypt']).default('argon2'),
  bcrypt: section({
    /** A higher one would take more than a second. */
    cost: z.int().min(4).max(15).default(LEAST_BCRYPT_COST),
  }),
  /** OWASP's minimum. */
  argon2: section({
    memory: byteSize.prefault('19MB').refine((bytes) => bytes <= 4 * 1024 ** 3, {
      error: 'expected at most 4GB',
    }),
    iterations: z.int().min(1).max(1000).default(2),
    parallelism: z.int().min(1).max(8).default(1),
    salt_length: z.int().min(16).max(64).default(16),
    key_length: z.int().min(16).max(64).default(32),
  }),
  /** Our own key: the shortest check of a password, above the slowest imported hash or migration hook. */
  check_duration: duration.prefault('0s').refine((milliseconds) => milliseconds <= 10_000, {
    error: 'expected at most 10s',
  }),
})

export const featureFlags = section({
  cacheable_sessions: z.boolean().default(false),
  cacheable_sessions_max_age: duration.optional(),
  use_continue_with_transitions: z.boolean().default(false),
  choose_recovery_address: z.boolean().default(false),
  legacy_require_verified_login_error: z.boolean().default(false),
  faster_session_extend: z.boolean().default(false),
  legacy_continue_with_verification_ui: z.boolean().default(false),
  legacy_oidc_registration_node_group: z.boolean().default(false),
})
