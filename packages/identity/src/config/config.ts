import { randomBytes } from 'node:crypto'
import { valueAt } from '../input/json.ts'
import { ConfigError, type ConfigIssue } from './checks/config-error.ts'
import { dropNotSupported, dropTolerated, withoutInvalid } from './checks/ignored-keys.ts'
import { explain, issuesOf } from './checks/issues.ts'
import { isFirstOfItsId, isOffered, LEAST_MEMORY, LONGEST_CODE, warningsOf } from './checks/warnings.ts'
import { configSchema, type ParsedConfig } from './schema.ts'
import { LEAST_BCRYPT_COST } from './service.ts'

/** Durations are in milliseconds, sizes in bytes. */
export type Config = Immutable<ReturnType<typeof completeConfig>>

// Compiling a parser takes longer than parsing once.
const PARSING = { reportInput: true, jitless: true }

/** Requires loaded sources (`resolve-sources.ts`). Throws `ConfigError` with every problem. */
export function parseConfig(input: unknown): { config: Config; warnings: string[] } {
  const { parsed, issues, ignored, tolerated } = inspectConfig(input)
  if (!parsed || issues.length > 0) throw new ConfigError(issues)
  const warnings = [...ignored.map(({ warning }) => warning), ...tolerated, ...warningsOf(parsed)]
  return { config: freeze(completeConfig(parsed)), warnings }
}

/** `parsed` is absent if too little is valid. `tolerated` are warnings about keys that Ory Kratos ignores too. */
export function inspectConfig(input: unknown) {
  const { input: supported, ignored } = dropNotSupported(input)
  const first = configSchema.safeParse(supported, PARSING)
  const tolerated = first.success ? [] : dropTolerated(supported, first.error)
  const { error, data } = tolerated.length > 0 ? configSchema.safeParse(supported, PARSING) : first
  if (!error) return { parsed: data, issues: issuesOf(data), ignored, tolerated }
  const invalid = explain(error, configSchema)
  const parsed = configSchema.safeParse(withoutInvalid(supported, error), PARSING).data
  // Many rules depend on dev mode.
  const isNew = ({ path }: ConfigIssue) =>
    !invalid.some((other) => other.path === 'dev' || overlap(path, other.path))
  const issues = [...invalid, ...(parsed ? issuesOf(parsed) : []).filter(isNew)]
  return { parsed, issues, ignored, tolerated }
}

/** A missing key and one inside of it are one problem. */
function overlap(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one)
}

function completeConfig(parsed: ParsedConfig) {
  const { serve, cookies, session, secrets, selfservice, identity, hashers } = parsed
  const scheme = parsed.dev ? 'http' : 'https'
  const base_url = serve.public.base_url ?? `${scheme}://${nameOf(serve.public.host)}:${serve.public.port}/`
  const admin_url = serve.admin.base_url ?? `http://${nameOf(serve.admin.host)}:${serve.admin.port}/`
  const home = new URL(selfservice.default_browser_return_url, base_url)
  return {
    ...parsed,
    dev_disable_api_flow_enforcement: parsed.dev && parsed.dev_disable_api_flow_enforcement,
    serve: { public: { ...serve.public, base_url }, admin: { ...serve.admin, base_url: admin_url } },
    cookies: { ...cookies, secure: cookies.secure ?? !parsed.dev },
    secrets: {
      ...secrets,
      default: secrets.default.length > 0 ? secrets.default : [randomBytes(32).toString('base64url')],
    },
    session: {
      ...session,
      earliest_possible_extend: session.earliest_possible_extend ?? session.lifespan,
      cookie: {
        ...session.cookie,
        domain: session.cookie.domain ?? cookies.domain,
        path: session.cookie.path ?? cookies.path,
        same_site: session.cookie.same_site ?? cookies.same_site,
        secure: session.cookie.secure ?? !parsed.dev,
      },
    },
    selfservice: {
      ...selfservice,
      methods: methodsOf(selfservice.methods, home),
      flows: flowsOf(selfservice.flows, home),
    },
    hashers: {
      ...hashers,
      bcrypt: { cost: Math.max(hashers.bcrypt.cost, parsed.dev ? 0 : LEAST_BCRYPT_COST) },
      argon2: { ...hashers.argon2, memory: Math.max(hashers.argon2.memory, LEAST_MEMORY) },
    },
    identity: {
      ...identity,
      schemas: identity.schemas
        .filter(isFirstOfItsId)
        .map(({ url: _, schema = {}, ...rest }) => ({ ...rest, schema: structuredClone(schema) })),
    },
  }
}

function nameOf(host: string): string {
  if (['', '0.0.0.0', '::'].includes(host) || host.startsWith('unix:')) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function methodsOf(methods: ParsedConfig['selfservice']['methods'], home: URL) {
  const { code, oidc, webauthn, passkey } = methods
  type RelyingParty = NonNullable<typeof webauthn.config.rp>
  const rpOf = (given: RelyingParty | undefined) => {
    const { id, display_name, origin, origins } = given ?? { id: home.hostname, display_name: home.hostname }
    return { id, display_name, origins: origins ?? [origin ?? home.origin] }
  }
  return {
    ...methods,
    oidc: { ...oidc, config: { ...oidc.config, providers: oidc.config.providers.filter(isOffered) } },
    code: { ...code, config: { ...code.config, lifespan: Math.min(code.config.lifespan, LONGEST_CODE) } },
    webauthn: { ...webauthn, config: { ...webauthn.config, rp: rpOf(webauthn.config.rp) } },
    passkey: { ...passkey, config: { ...passkey.config, rp: rpOf(passkey.config.rp) } },
  }
}

function flowsOf(flows: ParsedConfig['selfservice']['flows'], home: URL) {
  const { error, login, registration, verification, recovery, settings, logout } = flows
  const withUi = <Flow extends { ui_url?: string | undefined }>(flow: Flow, name: string) => ({
    ...flow,
    ui_url: flow.ui_url ?? new URL(name, home).href,
  })
  const style = registration.enable_legacy_one_step ? ('unified' as const) : registration.style
  return {
    error: withUi(error, 'error'),
    login: withUi(login, 'login'),
    registration: { ...withUi(registration, 'registration'), style },
    verification: withUi(verification, 'verification'),
    recovery: withUi(recovery, 'recovery'),
    settings: withUi(settings, 'settings'),
    logout,
  }
}

type Immutable<T> = T extends (...parameters: never[]) => unknown
  ? T
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T

function freeze<T>(value: T): Immutable<T> {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(freeze)
  }
  return value as Immutable<T>
}

const FIXED = [
  'dsn',
  'log.level',
  'log.format',
  'serve.public.base_url',
  'serve.public.host',
  'serve.public.port',
  'serve.admin.base_url',
  'serve.admin.host',
  'serve.admin.port',
] as const

export function withoutRestart(current: Config, newConfig: Config) {
  const { dsn, log, serve } = current
  const { cors } = newConfig.serve.public
  const config = Object.freeze({
    ...newConfig,
    dsn,
    log,
    serve: { ...serve, public: { ...serve.public, cors } },
  })
  return { config, pending: FIXED.filter((path) => valueAt(current, path) !== valueAt(newConfig, path)) }
}
