import { randomBytes } from 'node:crypto'
import type { ParsedConfig } from '../schema.ts'
import type { ConfigIssue } from './config-error.ts'
import { providerIssues } from './provider-issues.ts'
import { isFirstOfItsId, LEAST_MEMORY, LONGEST_CODE, warningsOf } from './warnings.ts'

/** Fills in the settings that follow from others, so that readers find no absent ones. */
export function complete(parsed: ParsedConfig) {
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
    secrets: { ...secrets, default: secrets.default.length > 0 ? secrets.default : [secretOfThisRun()] },
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

/** Checks across settings: an error prevents the start, a warning is logged for the operator. */
export function examine(parsed: ParsedConfig): { issues: ConfigIssue[]; warnings: string[] } {
  const issues = [
    ...secretIssues(parsed),
    ...schemaIssues(parsed),
    ...templateIssues(parsed),
    ...relyingPartyIssues(parsed),
    ...providerIssues(parsed),
  ]
  return { issues, warnings: warningsOf(parsed) }
}

/** Secrets copied from documentation are public. */
const SAMPLE = /change.?me|insecure|not.?secure|example|test_only/i

function nameOf(host: string): string {
  if (host === '' || host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

function secretOfThisRun(): string {
  return randomBytes(32).toString('base64url')
}

function methodsOf(methods: ParsedConfig['selfservice']['methods'], home: URL) {
  const { code, webauthn, passkey } = methods
  type RelyingParty = NonNullable<typeof webauthn.config.rp>
  const rpOf = (given: RelyingParty | undefined) => {
    const { id, display_name, origin, origins } = given ?? { id: home.hostname, display_name: home.hostname }
    return { id, display_name, origins: origins ?? [origin ?? home.origin] }
  }
  return {
    ...methods,
    code: { ...code, config: { ...code.config, lifespan: Math.min(code.config.lifespan, LONGEST_CODE) } },
    webauthn: { ...webauthn, config: { ...webauthn.config, rp: rpOf(webauthn.config.rp) } },
    passkey: { ...passkey, config: { ...passkey.config, rp: rpOf(passkey.config.rp) } },
  }
}

/** Not guessed, because every key is bound to it permanently. */
function relyingPartyIssues({ selfservice }: ParsedConfig): ConfigIssue[] {
  return (['webauthn', 'passkey'] as const).flatMap((name) => {
    const { enabled, config } = selfservice.methods[name]
    if (!enabled || config.rp) return []
    const message = 'is missing: set display_name and id, the host name that the keys are for'
    return [{ path: `selfservice.methods.${name}.config.rp`, message }]
  })
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

/** SEC-55. */
function secretIssues({ dev, secrets }: ParsedConfig): ConfigIssue[] {
  if (dev) return []
  if (secrets.default.length === 0) {
    return [{ path: 'secrets.default', message: 'is missing: set a random text of at least 32 characters' }]
  }
  return Object.entries(secrets).flatMap(([name, list]) =>
    list.flatMap((secret, index) => {
      const path = `secrets.${name}[${index}]`
      if (SAMPLE.test(secret)) return [{ path, message: 'is a sample value: set a random text' }]
      if (Buffer.byteLength(secret) >= 32) return []
      return [{ path, message: 'expected at least 32 characters (16 with dev)' }]
    }),
  )
}

function schemaIssues({ identity }: ParsedConfig): ConfigIssue[] {
  const ids = identity.schemas.map(({ id }) => id)
  const issues = identity.schemas.flatMap(({ schema }, index) =>
    schema === undefined
      ? [{ path: `identity.schemas[${index}].url`, message: 'the schema was not loaded' }]
      : [],
  )
  if (ids.includes(identity.default_schema_id)) return issues
  const message = `unknown schema ${identity.default_schema_id}; known: ${ids.join(', ')}`
  return [...issues, { path: 'identity.default_schema_id', message }]
}

function templateIssues({ session }: ParsedConfig): ConfigIssue[] {
  return Object.entries(session.whoami.tokenizer.templates).flatMap(([name, template]) => {
    const path = `session.whoami.tokenizer.templates.${name}`
    const issues: ConfigIssue[] = []
    if (template.jwks_url !== undefined && template.jwks === undefined) {
      issues.push({ path: `${path}.jwks_url`, message: 'the key set was not loaded' })
    }
    if (template.claims_mapper_url !== undefined && template.claims_mapper === undefined) {
      issues.push({ path: `${path}.claims_mapper_url`, message: 'the module was not loaded' })
    }
    return issues
  })
}
