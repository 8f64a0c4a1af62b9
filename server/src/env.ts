import { resolve } from 'node:path'
import type { ConnectionLimits } from '@my-app/identity'
import { connectionLimits } from '@my-app/identity'
import { z } from 'zod'
import { assertConsistent } from './consistent-settings.ts'
import { count, host, httpUrl, milliseconds, origin, period, port } from './env-values.ts'
import { StartError } from './errors.ts'
import { nearestName } from './nearest-name.ts'

const repositoryRoot = resolve(import.meta.dirname, '../..')

/** Every environment variable of the product. Its description is the line that `--help` prints. */
const variables = z.object({
  NODE_ENV: z
    .enum(['development', 'test', 'production'], { error: 'must be development, test or production' })
    .default('development')
    .describe('`production` disables the demo and refuses to start without real secrets'),
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
  ADMIN_UI: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('off')
    .describe('`on` shows the admin page at /ui of the admin port'),
  PUBLIC_URL: origin()
    .optional()
    .describe('public URL of the app, such as https://app.example; default: http://localhost:PORT'),
  IDENTITY_URL: httpUrl()
    .optional()
    .describe('an Ory Network project or an Ory Kratos to use instead of the embedded identity service'),
  IDENTITY_JWKS_URL: z
    .url({ protocol: /^(https?|file)$/, error: 'must be an https:, http: or file: address' })
    .optional()
    .describe('public keys of `user_jwt`; default: /.well-known/jwks.json below IDENTITY_URL'),
  TRUSTED_PROXIES: z
    .string()
    .regex(/^(\d{1,2}|[\da-f.:]+(\/\d{1,3})?(,\s*[\da-f.:]+(\/\d{1,3})?)*)$/i, {
      error: 'must be a number of proxies, or their networks such as 10.0.0.0/8,fd00::/8',
    })
    .optional()
    .describe('whose X-Forwarded-For is trusted: how many proxies, or their networks; 0 without a proxy'),
  DATA_DIR: z.string().default('data').describe('folder of the database and of the demo secrets'),
  DATABASE_URL: z
    .string()
    .regex(/^(memory:|sqlite:.+|postgres(ql)?:\/\/.)/, {
      error: 'must be `postgres://user:password@host/name`, `sqlite:` and a file, or `memory:`',
    })
    .optional()
    .describe('`postgres://…`, `sqlite:FILE` or `memory:`; default: my-app.sqlite in DATA_DIR'),
  MIGRATE: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('on')
    .describe('`off` leaves migrating the database to `npm run migrate`'),
  SECRETS: z
    .string()
    .optional()
    .describe('comma-separated secrets of 32 or more characters: the first signs, all verify'),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must look like smtp://user:password@mail.example:587' })
    .optional()
    .describe('mail server; without it emails are shown in the demo inbox, and production needs MAIL=off'),
  MAIL: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('on')
    .describe('`off` runs without a mail server: no email is sent, nor shown'),
  MAIL_FROM: z
    .email({ error: 'must be a mail address' })
    .optional()
    .describe('sender of emails; default: no-reply@ and the host of PUBLIC_URL'),
  SIGN_IN_CODES: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('off')
    .describe('`on` offers to sign in with a code by email instead of a password'),
  DASHBOARD_USER: z
    .string()
    .regex(/^[a-z\d](?:[a-z\d-]{0,38})$/i, { error: 'must be a GitHub user name' })
    .default('octocat')
    .describe('whose repositories the dashboard lists'),
  COOKIE_DOMAIN: z
    .string()
    .regex(/^\.?[a-z\d-]+(\.[a-z\d-]+)+$/i, { error: 'must be a domain such as example.com' })
    .optional()
    .describe('parent domain of the user_jwt cookie, for product backends on sibling hosts'),
  CODE_HOST_URL: httpUrl().default('https://api.github.com').describe('base address of the code-hosting API'),
  GITHUB_TOKEN: z.string().optional().describe('raises the limit of GitHub from 60 to 5,000 calls an hour'),
  GITHUB_CLIENT_ID: z.string().optional().describe('your OAuth app at GitHub; without it the demo stands in'),
  GITHUB_CLIENT_SECRET: z.string().optional().describe('its secret'),
  GOOGLE_CLIENT_ID: z
    .string()
    .optional()
    .describe('your OAuth client at Google; without it the demo stands in'),
  GOOGLE_CLIENT_SECRET: z.string().optional().describe('its secret'),
  SESSION_IDLE_TIMEOUT: period()
    .prefault('8h')
    .describe('signs a user out who was away for so long, such as 30m; `off`: only after 24 hours'),
  UNVERIFIED_ACCOUNTS: period()
    .prefault('168h')
    .describe('deletes accounts whose address was not verified within this time; `off` keeps them'),
  MAX_CONNECTIONS: count().default(5_000).describe('connections open at once; more are closed'),
  MAX_CONNECTIONS_PER_ADDRESS: count()
    .optional()
    .describe('the same for one address (IPv6: one /64); default: 500, behind a proxy MAX_CONNECTIONS'),
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

export interface Settings {
  readonly production: boolean
  /** True if nothing but the defaults is in use: emails are shown in an inbox, sample data stand in. */
  readonly demo: boolean
  readonly port: number
  readonly admin_port: number
  /** Unset: every address of this machine. */
  readonly listen_hosts: readonly (string | undefined)[]
  readonly admin_host: string
  /** Set: calls of the admin API must send it. */
  readonly admin_token: string | undefined
  /** The admin port has a page for operators. */
  readonly admin_ui: boolean
  readonly connections: ConnectionLimits
  /** Unset: a session ends with its lifespan only. */
  readonly session_idle_timeout: string | undefined
  /** An origin, without a trailing slash. */
  readonly public_url: string
  readonly identity_url: string | undefined
  /** Unset: the identity service publishes its keys itself. */
  readonly identity_jwks_url: string | undefined
  /** Unset: `X-Forwarded-For` is ignored. */
  readonly trusted_proxies: string | undefined
  readonly data_dir: string
  /** Unset: in PostgreSQL or in memory. */
  readonly database_file: string | undefined
  /** Set: in PostgreSQL. It holds a password. */
  readonly database_url: string | undefined
  /** False: a start refuses a database that must be migrated. */
  readonly migrates: boolean
  readonly secrets: readonly string[]
  readonly smtp_url: string | undefined
  /** False: no email is sent. */
  readonly sends_mail: boolean
  /** Users may sign in with a code by email instead of a password. */
  readonly sign_in_codes: boolean
  readonly mail_from: string
  readonly dashboard_user: string
  readonly token_template: string
  readonly cookie_domain: string | undefined
  readonly code_host_url: string
  readonly github_token: string | undefined
  /** The providers for sign-in, each with its client. */
  readonly clients: Readonly<Record<'github' | 'google', OAuthClient | undefined>>
  /** How long the server keeps serving once it is told to stop, in milliseconds. */
  readonly drain_ms: number
  /** Unset: accounts that were never verified are kept. */
  readonly unverified_accounts: string | undefined
  readonly security_contact: string
  readonly log_level: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

export interface OAuthClient {
  readonly client_id: string
  readonly client_secret: string
}

/** Throws a `StartError` whose message names the variable and what to write instead, and never a secret. */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  assertNoMisspelling(env)
  // `SMTP_URL=` in a compose file means "not set".
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''))
  const parsed = variables.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new StartError(
      `${issue?.path.join('.')} ${issue?.message}. Change it, or remove it to use the default.`,
    )
  }
  const settings = toSettings(parsed.data)
  assertConsistent(settings, { public_url: parsed.data.PUBLIC_URL !== undefined })
  return settings
}

/** Settings of `npm run backup` and `npm run restore` alone: the key, and the folder that file names are relative to. */
export function readBackupSettings(env: NodeJS.ProcessEnv = process.env) {
  return {
    passphrase: env.BACKUP_PASSPHRASE || undefined,
    recipient: env.BACKUP_RECIPIENT || undefined,
    identity: env.BACKUP_IDENTITY || undefined,
    folder: env.INIT_CWD ?? '.',
  }
}

/** The table of settings for `--help`. */
export function describeSettings(): string {
  return Object.entries(variables.shape)
    .map(([name, schema]) => `  ${name.padEnd(20)} ${schema.description}`)
    .join('\n')
}

function toSettings(env: z.infer<typeof variables>): Settings {
  const production = env.NODE_ENV === 'production'
  const public_url = env.PUBLIC_URL ?? `http://localhost:${env.PORT}`
  const { hostname } = new URL(public_url)
  const data_dir = resolve(repositoryRoot, env.DATA_DIR)
  return {
    production,
    demo: !production && env.IDENTITY_URL === undefined && env.SMTP_URL === undefined && env.MAIL === 'on',
    port: env.PORT,
    admin_port: env.ADMIN_PORT,
    // `localhost` is either of the two, and a browser may try only one.
    listen_hosts: env.LISTEN_HOST ? [env.LISTEN_HOST] : production ? [undefined] : ['127.0.0.1', '::1'],
    admin_host: env.ADMIN_HOST,
    admin_token: env.ADMIN_TOKEN,
    admin_ui: env.ADMIN_UI === 'on',
    connections: connectionLimits({
      all: env.MAX_CONNECTIONS,
      perAddress: env.MAX_CONNECTIONS_PER_ADDRESS,
      behindProxies: (env.TRUSTED_PROXIES ?? '0') !== '0',
    }),
    session_idle_timeout: env.SESSION_IDLE_TIMEOUT,
    public_url,
    identity_url: env.IDENTITY_URL,
    identity_jwks_url: env.IDENTITY_JWKS_URL,
    trusted_proxies: env.TRUSTED_PROXIES,
    data_dir,
    database_file: databaseFile(env.DATABASE_URL, data_dir),
    database_url: isPostgres(env.DATABASE_URL) ? env.DATABASE_URL : undefined,
    migrates: env.MIGRATE === 'on',
    secrets: (env.SECRETS ?? '')
      .split(',')
      .map((secret) => secret.trim())
      .filter(Boolean),
    smtp_url: env.SMTP_URL,
    sends_mail: env.MAIL === 'on',
    sign_in_codes: env.SIGN_IN_CODES === 'on',
    mail_from: env.MAIL_FROM ?? `no-reply@${hostname}`,
    dashboard_user: env.DASHBOARD_USER,
    token_template: 'my_app_jwt',
    cookie_domain: env.COOKIE_DOMAIN,
    code_host_url: env.CODE_HOST_URL,
    github_token: env.GITHUB_TOKEN,
    clients: {
      github: client(env, 'GITHUB'),
      google: client(env, 'GOOGLE'),
    },
    unverified_accounts: env.UNVERIFIED_ACCOUNTS,
    drain_ms: production ? env.DRAIN_MS : 0,
    security_contact: env.SECURITY_CONTACT ?? `mailto:security@${hostname}`,
    log_level: env.LOG_LEVEL,
  }
}

function client(env: z.infer<typeof variables>, name: 'GITHUB' | 'GOOGLE'): OAuthClient | undefined {
  const [idName, secretName] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`] as const
  const [client_id, client_secret] = [env[idName], env[secretName]]
  if (client_id !== undefined && client_secret !== undefined) return { client_id, client_secret }
  if (client_id === undefined && client_secret === undefined) return undefined
  const [missing, given] = client_id === undefined ? [idName, secretName] : [secretName, idName]
  throw new StartError(`${missing} is missing although ${given} is set. Set both, or none of the two.`)
}

function databaseFile(url: string | undefined, data_dir: string): string | undefined {
  if (url === undefined) return resolve(data_dir, 'my-app.sqlite')
  return url === 'memory:' || isPostgres(url)
    ? undefined
    : resolve(repositoryRoot, url.replace(/^sqlite:(\/\/)?/, ''))
}

function isPostgres(url: string | undefined): boolean {
  return url?.startsWith('postgres') ?? false
}

function assertNoMisspelling(env: NodeJS.ProcessEnv): void {
  const known = Object.keys(variables.shape)
  for (const name of Object.keys(env)) {
    const meant = known.includes(name) ? undefined : nearestName(name, known)
    // Both set: the odd one belongs to another program.
    if (meant !== undefined && env[meant] === undefined)
      throw new StartError(`${name} is not a setting. Did you mean ${meant}? Rename it or remove it.`)
  }
}
