import { z } from 'zod'
import type { JsonObject } from '../wire/identity.ts'
import { courier } from './courier.ts'
import { limits } from './limits.ts'
import { selfservice } from './selfservice.ts'
import { cookies, featureFlags, hashers, secrets, serve, session } from './service.ts'
import { absoluteUrl, duration, section } from './values.ts'

const identity = z.strictObject({
  default_schema_id: z.string().default('default'),
  schemas: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        url: z.string().optional(),
        schema: z.custom<JsonObject>((value) => typeof value === 'object' && value !== null).optional(),
        selfservice_selectable: z.boolean().default(false),
      }),
    )
    .min(1),
})

const log = section({
  level: z.enum(['trace', 'debug', 'info', 'warning', 'error', 'fatal', 'panic']).default('info'),
  format: z.enum(['json', 'text']).optional(),
})

const HOUR_MS = 3_600_000

/** Our own keys (docs/privacy.md). */
const retention = section({
  unverified_accounts: z
    .union([z.literal('off').transform(() => undefined), duration], {
      error: 'expected off, or a duration such as 168h',
    })
    .prefault('off'),
  /** Counted from when they expire. */
  ended_sessions: duration.default(24 * HOUR_MS),
  events: duration.default(90 * 24 * HOUR_MS),
  /** Texts may contain a code. Recipients and statuses are kept for a week. */
  sent_messages: z.enum(['keep', 'erase'], { error: 'expected keep or erase' }).default('keep'),
})

/** None identifies a user. */
const HEADERS_FOR_WEB_HOOKS = [
  'Accept Accept-Encoding Accept-Language Content-Length Content-Type Origin Priority Referer Sec-Ch-Ua',
  'Sec-Ch-Ua-Mobile Sec-Ch-Ua-Platform Sec-Fetch-Dest Sec-Fetch-Mode Sec-Fetch-Site Sec-Fetch-User',
  'True-Client-Ip User-Agent',
].flatMap((line) => line.split(' '))

export const configSchema = z.strictObject({
  dsn: z.string().regex(/^(?!(mysql|cockroach):)./, {
    error: 'expected memory, sqlite://PATH, a path or postgres://…. Other databases are not supported',
  }),
  /** The Ory Kratos that clients expect. Above v26.2.0, deactivated accounts and `skip_settings` get the later responses. */
  version: z.string().optional(),
  dev: z.boolean().default(false),
  /** Ory's setting for testing apps in a browser, in dev mode only. */
  dev_disable_api_flow_enforcement: z.boolean().default(false),
  /** Shown by `/health/config`. */
  revision: z.string().optional(),
  serve,
  cookies,
  secrets,
  session,
  selfservice,
  identity,
  hashers,
  /** Always AES-256-GCM. With `noop` provider tokens are not stored. */
  ciphers: section({ algorithm: z.enum(['noop', 'aes', 'xchacha20-poly1305']).default('noop') }),
  courier,
  security: section({
    account_enumeration: section({ mitigate: z.boolean().default(false) }),
    /**
     * Our own key: whether the first proof of an address in an app, by a recovery or a login code, removes
     * what was set up before. Defaults to `account_enumeration.mitigate`.
     */
    unproven_accounts: section({ reset_in_apps: z.boolean().optional() }),
    /** Our own key: emails a notice about every change of credentials. */
    notices: section({
      enabled: z.boolean().default(false),
      /** The page where users review their account; the settings by default. */
      review_url: z.string().optional(),
    }),
  }),
  limits,
  retention,
  log,
  feature_flags: featureFlags,
  /** An Ory Hydra for which users sign in here. */
  oauth2_provider: section({
    url: absoluteUrl.optional(),
    headers: z.record(z.string(), z.string()).default({}),
    override_return_to: z.boolean().default(false),
  }),
  clients: section({
    http: section({
      disallow_private_ip_ranges: z.boolean().default(false),
      /** `*` stops at a dot or a slash, `**` does not. */
      private_ip_exception_urls: z.array(z.string()).default([]),
    }),
    web_hook: section({ header_allowlist: z.array(z.string()).default(HEADERS_FOR_WEB_HOOKS) }),
  }),
})

export type ParsedConfig = z.output<typeof configSchema>
/** A complete configuration with Ory Kratos' keys, before defaults. Durations are texts such as `1h30m`. */
export type IdentityConfigInput = z.input<typeof configSchema>
