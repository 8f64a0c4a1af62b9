import {
  hasNoCredentials,
  NO_CREDENTIALS,
  trustedProxies,
  workersVariable,
} from '@ostiary/identity-server/process'
import { z } from 'zod'
import {
  adminTokens,
  count,
  databaseUrl,
  domain,
  emailAddress,
  host,
  httpUrl,
  jsonObject,
  mailServer,
  milliseconds,
  onOff,
  origin,
  origins,
  period,
  port,
} from './env-values.ts'

export const variables = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'], { error: 'must be development, test or production' })
    .default('development')
    .describe('`production` disables the demo and refuses to start without real secrets'),
  DEMO: onOff()
    .default('on')
    .describe('`off` disables the demo in development; then no email is sent without `SMTP_URL`'),
  PORT: port().default(3000).describe('port of the pages, the product API and the identity service'),
  ADMIN_PORT: port().default(4434).describe('port of the admin API'),
  LISTEN_HOST: host()
    .optional()
    .describe('address to listen on. Default: this machine; all addresses in production'),
  ADMIN_HOST: host()
    .default('127.0.0.1')
    .describe('address of the admin API. Any non-loopback address requires `ADMIN_TOKEN` or `ADMIN_TOKENS`'),
  ADMIN_TOKEN: z
    .string()
    .min(32, { error: 'must have at least 32 characters: make one with `openssl rand -base64 48`' })
    .optional()
    .describe('secret of at least 32 characters for `Authorization: Bearer` on the admin API'),
  ADMIN_TOKENS: adminTokens()
    .optional()
    .describe(
      'tokens of named operators, such as `ada:support:TOKEN,ci:read:TOKEN`, with [roles](operations.md#accounts)',
    ),
  ADMIN_UI: onOff()
    .default('off')
    .describe('`on` serves the [admin page](operations.md#admin-page) at `/ui` of the admin port'),
  PUBLIC_URL: origin()
    .optional()
    .describe('public URL of the app; https in production. Default: `http://localhost:PORT`'),
  HSTS: z
    .enum(['on', 'subdomains', 'preload'], { error: 'must be on, subdomains or preload' })
    .default('on')
    .describe(
      'browsers open the host by https only for two years; `subdomains` adds its subdomains, `preload` also permits their [preload lists](../SECURITY.md#guarantees)',
    ),
  IDENTITY_URL: httpUrl()
    .optional()
    .describe(
      'an Ory Network project or Ory Kratos to use [instead](#another-identity-service) of the embedded service',
    ),
  IDENTITY_JWKS_URL: z
    .url({ protocol: /^(https?|file)$/, abort: true, error: 'must be an https:, http: or file: address' })
    .refine(hasNoCredentials, { error: NO_CREDENTIALS })
    .optional()
    .describe(
      'public keys of its `user_jwt`: https, http or file URL. Default: `/.well-known/jwks.json` below `IDENTITY_URL`',
    ),
  TRUSTED_PROXIES: z
    .string()
    .refine((value) => trustedProxies.safeParse(value).success, {
      error: 'must be a number of proxies up to 32, or their networks such as 10.0.0.0/8,fd00::/8',
    })
    .optional()
    .describe(
      'proxies whose `X-Forwarded-For`, `X-Request-Id` and `traceparent` are trusted, except on the admin port: their number, or their networks (`10.0.0.0/8,fd00::/8`). `0` without a proxy',
    ),
  DATA_DIR: z.string().default('data').describe("folder of the database and of the demo's secrets"),
  DATABASE_URL: databaseUrl()
    .optional()
    .describe(
      '`sqlite:FILE`, `memory:`, or `postgres://…` with [parameters](operations.md#postgresql). Default: a file in `DATA_DIR`',
    ),
  MIGRATE: onOff()
    .default('on')
    .describe('`off` leaves migrations to the command `migrate`; a start refuses a database that lacks some'),
  SECRETS: z
    .string()
    .optional()
    .describe(
      'comma-separated, at least 32 characters each. The first signs, all verify ([rotation](operations.md#secrets)). Default: generated in the demo',
    ),
  SMTP_URL: mailServer()
    .optional()
    .describe(
      "mail server with [parameters](operations.md#mail-server); required in production. `off` sends no email. Default: the demo's inbox",
    ),
  MAIL_FROM: emailAddress()
    .optional()
    .describe('sender of emails. Default: `no-reply@` the host of `PUBLIC_URL`'),
  SIGN_IN_CODES: onOff().default('off').describe('`on` offers to log in with an emailed code or link'),
  COOKIE_DOMAIN: domain()
    .optional()
    .describe('parent domain of the `user_jwt` cookie, for product backends on sibling hosts'),
  CORS_ORIGINS: origins()
    .optional()
    .describe(
      'origins on the same site whose scripts may call `/api/v1` and `/.ory` with cookies, comma-separated ([other backends](other-backends.md#pages-on-other-origins))',
    ),
  SESSION_IDLE_TIMEOUT: period()
    .prefault('8h')
    .describe('logs out inactive users; `off` leaves the limit of 24 hours'),
  UNVERIFIED_ACCOUNTS: period()
    .prefault('168h')
    .describe(
      'deletes accounts that are still unverified after this time; `off` keeps them ([retention](privacy.md))',
    ),
  LIMITS: jsonObject()
    .optional()
    .describe(
      'rate limits to [change](limits.md#change-them), as JSON: `{"password":{"client":{"burst":200}}}`',
    ),
  MAX_CONNECTIONS: count().default(5_000).describe('open connections per port; further ones are closed'),
  MAX_CONNECTIONS_PER_ADDRESS: count()
    .optional()
    .describe(
      'open connections per address (IPv6: per /64). Default: `500`; with `TRUSTED_PROXIES`, `MAX_CONNECTIONS`',
    ),
  ...workersVariable,
  DRAIN_MS: milliseconds()
    .default(12_000)
    .describe(
      'milliseconds to keep serving after SIGTERM in production, while `/health/ready` answers 503. Must exceed the interval of your load balancer’s health checks',
    ),
  SECURITY_CONTACT: z
    .url({ protocol: /^(https|mailto)$/, error: 'must be a mailto: or https: address' })
    .optional()
    .describe('contact in `/.well-known/security.txt`. Default: `security@` the host of `PUBLIC_URL`'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], {
      error: 'must be debug, info, warn, error or silent',
    })
    .default('info')
    .describe('`debug`, `info`, `warn`, `error` or `silent`'),
})
