import { trustedProxies, workersVariable } from '@ostiary/identity-server/process'
import { z } from 'zod'
import {
  adminTokens,
  count,
  databaseUrl,
  domain,
  emailAddress,
  hasNoCredentials,
  host,
  httpUrl,
  jsonObject,
  mailServer,
  milliseconds,
  NO_CREDENTIALS,
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
    .describe('`off` disables the demo in development; then no email is sent without SMTP_URL'),
  PORT: port().default(3000).describe('port of the pages, the product API and the identity service'),
  ADMIN_PORT: port().default(4434).describe('port of the admin API'),
  LISTEN_HOST: host()
    .optional()
    .describe('address to listen on; default: this machine only, in production all addresses'),
  ADMIN_HOST: host()
    .default('127.0.0.1')
    .describe('address of the admin API; any other than loopback needs ADMIN_TOKEN'),
  ADMIN_TOKEN: z
    .string()
    .min(32, { error: 'must have at least 32 characters: make one with `openssl rand -base64 48`' })
    .optional()
    .describe('secret that calls of the admin API send as `Authorization: Bearer`'),
  ADMIN_TOKENS: adminTokens()
    .optional()
    .describe('tokens of named operators, comma-separated: NAME:read:TOKEN, NAME:support:… or NAME:full:…'),
  ADMIN_UI: onOff().default('off').describe('`on` shows the admin page at /ui of the admin port'),
  PUBLIC_URL: origin()
    .optional()
    .describe('public URL of the app, such as https://app.example; default: http://localhost:PORT'),
  HSTS: z
    .enum(['on', 'subdomains', 'preload'], { error: 'must be on, subdomains or preload' })
    .default('on')
    .describe(
      'browsers open the host by https only; `subdomains` adds its subdomains, `preload` also permits preload lists',
    ),
  IDENTITY_URL: httpUrl()
    .optional()
    .describe('an Ory Network project or an Ory Kratos to use instead of the embedded identity service'),
  IDENTITY_JWKS_URL: z
    .url({ protocol: /^(https?|file)$/, abort: true, error: 'must be an https:, http: or file: address' })
    .refine(hasNoCredentials, { error: NO_CREDENTIALS })
    .optional()
    .describe('public keys of `user_jwt`; default: /.well-known/jwks.json below IDENTITY_URL'),
  TRUSTED_PROXIES: z
    .string()
    .refine((value) => trustedProxies.safeParse(value).success, {
      error: 'must be a number of proxies up to 32, or their networks such as 10.0.0.0/8,fd00::/8',
    })
    .optional()
    .describe('whose X-Forwarded-For is trusted: how many proxies, or their networks; 0 without a proxy'),
  DATA_DIR: z.string().default('data').describe('folder of the database and of the demo secrets'),
  DATABASE_URL: databaseUrl()
    .optional()
    .describe('`postgres://…`, `sqlite:FILE` or `memory:`; default: a file in DATA_DIR'),
  MIGRATE: onOff().default('on').describe('`off` leaves migrating the database to `npm run migrate`'),
  SECRETS: z
    .string()
    .optional()
    .describe('comma-separated secrets of 32 or more characters: the first signs, all verify'),
  SMTP_URL: mailServer()
    .optional()
    .describe('mail server, or `off` to send no email; default: the inbox of the demo, none in production'),
  MAIL_FROM: emailAddress()
    .optional()
    .describe('sender of emails; default: no-reply@ and the host of PUBLIC_URL'),
  SIGN_IN_CODES: onOff()
    .default('off')
    .describe('`on` offers to log in with a code or link by email instead of a password'),
  COOKIE_DOMAIN: domain()
    .optional()
    .describe('parent domain of the user_jwt cookie, for product backends on sibling hosts'),
  CORS_ORIGINS: origins()
    .optional()
    .describe(
      'origins on the same site whose scripts may call /api/v1 and /.ory with cookies, comma-separated',
    ),
  SESSION_IDLE_TIMEOUT: period()
    .prefault('8h')
    .describe('idle time after which users are logged out, such as 30m; `off`: only after 24 hours'),
  UNVERIFIED_ACCOUNTS: period()
    .prefault('168h')
    .describe('deletes accounts whose address was not verified within this time; `off` keeps them'),
  LIMITS: jsonObject()
    .optional()
    .describe('rate limits to change, as JSON: {"password":{"client":{"burst":200}}}'),
  MAX_CONNECTIONS: count().default(5_000).describe('connections open at once on each port; more are closed'),
  MAX_CONNECTIONS_PER_ADDRESS: count()
    .optional()
    .describe('the same for one address (IPv6: one /64); default: 500, behind a proxy MAX_CONNECTIONS'),
  ...workersVariable,
  DRAIN_MS: milliseconds()
    .default(12_000)
    .describe('production: how long it serves after SIGTERM while /health/ready says 503'),
  SECURITY_CONTACT: z
    .url({ protocol: /^(https|mailto)$/, error: 'must be a mailto: or https: address' })
    .optional()
    .describe('contact in /.well-known/security.txt; default: security@ and the host of PUBLIC_URL'),
  LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'], {
      error: 'must be debug, info, warn, error or silent',
    })
    .default('info')
    .describe('how much is logged'),
})
