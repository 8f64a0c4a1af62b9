import { resolve } from 'node:path'
import { sqlitePath } from '@ostiary/identity/serving'
import type { TracingSettings, WorkerSlot } from '@ostiary/identity-server/process'
import {
  connectionLimits,
  givenVariables,
  readWorkerSlot,
  tracingSettings,
  tracingVariables,
  withFiles,
} from '@ostiary/identity-server/process'
import { z } from 'zod'
import { StartError } from '../http/errors.ts'
import { type Policy, policyOf } from '../product/policy.ts'
import { type Product, slugOf } from '../product/product.ts'
import { findProductProblems } from '../product/product-problems.ts'
import type { OwnSettings } from '../product/register.ts'
import { repositoryRoot } from '../repository.ts'
import { applyRules, CONFLICTS, findMissing, type MissingSetting } from './conflicts.ts'
import { variables } from './env-variables.ts'
import { findMisspellings } from './misspellings.ts'
import { findIncompleteProviders, type ProviderEntry, providerVariables, readProviders } from './providers.ts'

const engineVariables = { ...variables.shape, ...tracingVariables, ...providerVariables.shape }

export interface Settings extends ReturnType<typeof toSettings> {
  /** The product's own, by name. */
  readonly own: OwnSettings & Readonly<Record<string, unknown>>
  readonly policy: Policy
  /** Variables that look like misspelled settings. They may also belong to another program. */
  readonly misspellings: readonly string[]
  readonly providers: readonly ProviderEntry[]
  /** Undefined: the secrets are in SECRETS, or in the data folder. */
  readonly secrets_file: string | undefined
}

export const PUBLIC_PORT = { port: 'PORT', host: 'LISTEN_HOST' }
export const ADMIN_PORT = { port: 'ADMIN_PORT', host: 'ADMIN_HOST' }

/**
 * Throws a `StartError` with a line for each invalid setting: name and fix, never a secret.
 *
 * @param required the settings that may not be missing; by default all that a start needs
 */
export function readSettings(
  product: Product,
  env: NodeJS.ProcessEnv = process.env,
  required?: readonly string[],
): Settings {
  const { config } = product
  const knownVariables = variablesOf(product)
  const ownVariables = z.object(ownSchemas(product))
  const traces = tracingSettings(slugOf(config))
  const { variables: input, issues: unreadable } = withFiles(
    givenVariables(env),
    (name) => name in knownVariables,
  )
  const misspelled = findMisspellings(input, Object.keys(knownVariables))
  const misspellings = misspelled.map(({ sentence }) => sentence)
  const issues = [...unreadable, ...findIssues(input, [variables, traces, providerVariables, ownVariables])]
  const invalid = issues.map(({ path }) => path.replace(/_FILE$/, ''))
  const valid = without(input, invalid)
  const [values, tracing, clients] = [
    variables.parse(valid, JITLESS),
    traces.parse(valid, JITLESS),
    providerVariables.parse(valid, JITLESS),
  ]
  const own = withFallbacks(product, ownVariables.parse(valid, JITLESS))
  const missingOwn = values.NODE_ENV === 'production' ? [...findMissingOwn(product, valid)] : []
  const isComplete = issues.length + missingOwn.length === 0
  const settings = {
    ...toSettings(product, values, tracing),
    providers: readProviders(clients),
    own,
    policy: isComplete ? policyOf(product.policy ?? {}, own) : {},
    misspellings,
    secrets_file: env.SECRETS_FILE || undefined,
  }
  const missing = [
    ...findMissing(settings, valid),
    ...missingOwn,
    ...findIncompleteProviders(clients),
  ].filter(([name]) => required === undefined || required.includes(name))
  const conflicts = [...missing.map(([, sentence]) => sentence), ...applyRules(CONFLICTS, settings)]
  const problems = [
    ...issues.map((issue) => describeIssue(issue, input.NODE_ENV)),
    ...conflicts.filter((sentence) => isCertain(sentence, invalid)),
    ...findProductProblems(product, settings, Object.keys(engineVariables)),
  ]
  // Otherwise a production server would begin with an empty database.
  const losesData = misspelled.some(({ meant }) => ['DATABASE_URL', 'DATA_DIR'].includes(meant))
  if (problems.length > 0 || (settings.production && losesData))
    throw new StartError([...problems, ...misspellings].join('\n'))
  return settings
}

/** Compiling a parser takes longer than using it once. */
const JITLESS = { jitless: true }

type Issue = ReturnType<typeof withFiles>['issues'][number]

/** Some rules apply once others are met. */
function findIssues(
  givenVariables: Readonly<Record<string, string>>,
  schemas: readonly z.ZodType[],
): readonly Issue[] {
  const foundIssues = schemas
    .flatMap((schema) => schema.safeParse(givenVariables, JITLESS).error?.issues ?? [])
    .map(({ path: [name], message }) => {
      const path = String(name)
      return /^["']|["']$/.test(givenVariables[path] ?? '')
        ? { path, message, mend: QUOTED }
        : { path, message }
    })
  if (foundIssues.length === 0) return []
  const names = foundIssues.map(({ path }) => path)
  return [...foundIssues, ...findIssues(without(givenVariables, names), schemas)]
}

function without(variables: Readonly<Record<string, string>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)))
}

const QUOTED = 'Remove the quotes around its value.'

/** These decide which other settings are needed. */
const MODES = ['NODE_ENV', 'IDENTITY_URL']

/** Whether a conflict remains when the invalid settings are corrected. */
function isCertain(conflict: string, invalid: readonly string[]): boolean {
  return !invalid.some((name) => MODES.includes(name) || conflict.includes(name))
}

/** These have no defaults in production. */
const REQUIRED = ['PUBLIC_URL', 'SECRETS', 'SMTP_URL']

function describeIssue({ path, message, mend }: Issue, environment: string | undefined): string {
  const isRequired = environment === 'production' && REQUIRED.includes(path.replace(/_FILE$/, ''))
  const another = isRequired ? 'Change it.' : 'Change it, or remove it to use the default.'
  return `${path} ${message}. ${mend ?? another}`
}

const BACKUP = ['BACKUP_PASSPHRASE', 'BACKUP_RECIPIENT', 'BACKUP_IDENTITY']

export function readBackupSettings() {
  const { variables, issues } = withFiles(givenVariables(process.env), (name) => BACKUP.includes(name))
  if (issues.length > 0) throw new StartError(issues.map((one) => describeIssue(one, undefined)).join('\n'))
  const { BACKUP_PASSPHRASE, BACKUP_RECIPIENT, BACKUP_IDENTITY } = variables
  return { passphrase: BACKUP_PASSPHRASE, recipient: BACKUP_RECIPIENT, identity: BACKUP_IDENTITY }
}

/** npm changes to the project's folder and passes the user's as INIT_CWD. */
export function resolveFile(name: string): string {
  return resolve(process.env.INIT_CWD ?? '.', name)
}

/** How to run a command. An image has no npm, and the commands are arguments of `serve.mjs`. */
export function commandText(name: string, options?: string): string {
  const { START_SCRIPT: script } = process.env
  if (script !== undefined) return [script, name, options].filter(Boolean).join(' ')
  return options === undefined ? `npm run ${name}` : `npm run ${name} -- ${options}`
}

export function readSlot(): WorkerSlot | undefined {
  return readWorkerSlot(process.env)
}

export function variablesOf(product: Product): Readonly<Record<string, z.ZodType>> {
  return { ...ownSchemas(product), ...engineVariables }
}

function ownSchemas({ settings = {} }: Product): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(Object.entries(settings).map(([name, { schema }]) => [name, schema]))
}

function* findMissingOwn(
  { settings = {} }: Product,
  givenVariables: Readonly<Record<string, unknown>>,
): Generator<MissingSetting> {
  for (const [name, { isRequired, schema }] of Object.entries(settings))
    if (isRequired && givenVariables[name] === undefined)
      yield [name, `${name} is missing. Set it in production: ${schema.description}.`]
}

function withFallbacks({ settings = {} }: Product, given: Readonly<Record<string, unknown>>) {
  const values = Object.entries(settings).map(([name, { fallback }]) => [name, given[name] ?? fallback])
  return Object.fromEntries(values) as Settings['own']
}

type Variables = z.infer<typeof variables>

function mailServerOf({ SMTP_URL, DEMO, NODE_ENV }: Variables): string | undefined {
  return SMTP_URL ?? (DEMO === 'off' && NODE_ENV !== 'production' ? 'off' : undefined)
}

function toSettings(
  { config, demo: ownDemo }: Product,
  env: Variables,
  tracing: TracingSettings | undefined,
) {
  const production = env.NODE_ENV === 'production'
  const public_url = env.PUBLIC_URL ?? new URL(`http://localhost:${env.PORT}`).origin
  const { hostname } = new URL(public_url)
  const smtp_url = mailServerOf(env)
  const isForOthers = production || env.IDENTITY_URL !== undefined || smtp_url !== undefined
  const demo = ownDemo !== undefined && !isForOthers
  const data_dir = resolve(repositoryRoot, env.DATA_DIR)
  return {
    production,
    /**
     * True outside production if the product has a demo, unless DEMO, IDENTITY_URL or SMTP_URL is set. A demo serves
     * this machine only (`conflicts.ts`) and keeps sent emails (`retention` in `identity.config.ts`). The README of
     * `@ostiary/demo` says what it shows.
     */
    demo,
    demo_providers: demo ? config.demoProviders : [],
    port: env.PORT,
    admin_port: env.ADMIN_PORT,
    /** Undefined: every address. */
    listen_hosts: listenHosts(env.LISTEN_HOST, production),
    admin_host: env.ADMIN_HOST,
    admin_token: env.ADMIN_TOKEN,
    admin_tokens: env.ADMIN_TOKENS ?? [],
    admin_ui: env.ADMIN_UI === 'on',
    /** Checked by the identity service. */
    limits: env.LIMITS,
    /** Per worker. */
    connections: connectionLimits({
      total: env.MAX_CONNECTIONS,
      perAddress: env.MAX_CONNECTIONS_PER_ADDRESS,
      behindProxies: (env.TRUSTED_PROXIES ?? '0') !== '0',
      workers: env.WORKERS,
    }),
    workers: env.WORKERS,
    /** Undefined: only the lifespan ends sessions. */
    session_idle_timeout: env.SESSION_IDLE_TIMEOUT,
    public_url,
    hsts: env.HSTS,
    identity_url: env.IDENTITY_URL,
    /** Undefined: read from the identity service. */
    identity_jwks_url: env.IDENTITY_JWKS_URL,
    /** Undefined: `X-Forwarded-For` is ignored. */
    trusted_proxies: env.TRUSTED_PROXIES,
    data_dir,
    /** Lost at exit: nothing is kept in `data_dir`. */
    in_memory: env.DATABASE_URL === 'memory:',
    /** Undefined: in PostgreSQL or in memory. */
    database_file: databaseFile(env.DATABASE_URL, resolve(data_dir, `${slugOf(config)}.sqlite`)),
    /** The URL contains a password. */
    database_url: isPostgres(env.DATABASE_URL) ? env.DATABASE_URL : undefined,
    /** If false, the start fails with pending migrations. */
    migrates: env.MIGRATE === 'on',
    secrets: listOf(env.SECRETS),
    smtp_url: smtp_url === 'off' ? undefined : smtp_url,
    sends_mail: smtp_url !== 'off',
    sign_in_codes: env.SIGN_IN_CODES === 'on',
    mail_from: env.MAIL_FROM ?? `no-reply@${hostname}`,
    token_template: config.tokenTemplate,
    cookie_domain: env.COOKIE_DOMAIN,
    cors_origins: env.CORS_ORIGINS ?? [],
    /** Undefined: accounts that were never verified are kept. */
    unverified_accounts: env.UNVERIFIED_ACCOUNTS,
    /** Time between the stop signal and closing the port. */
    drain_ms: production ? env.DRAIN_MS : 0,
    security_contact: env.SECURITY_CONTACT ?? `mailto:security@${hostname}`,
    log_level: env.LOG_LEVEL,
    tracing,
  }
}

function listOf(text = ''): string[] {
  const entries = text.split(',').map((entry) => entry.trim())
  return entries.filter(Boolean)
}

/** Undefined: every address. `localhost` has two, and a browser may try one. */
function listenHosts(host: string | undefined, production: boolean): readonly (string | undefined)[] {
  if (host !== undefined) return [host]
  return production ? [undefined] : ['127.0.0.1', '::1']
}

function databaseFile(url: string | undefined, fallback: string): string | undefined {
  if (url === undefined) return fallback
  return url === 'memory:' || isPostgres(url) ? undefined : resolve(repositoryRoot, sqlitePath(url))
}

function isPostgres(url: string | undefined): boolean {
  return url?.startsWith('postgres') ?? false
}
