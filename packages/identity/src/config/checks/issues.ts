import type { ParsedProvider } from '../providers.ts'
import type { ParsedConfig } from '../schema.ts'
import type { ConfigIssue } from './config-error.ts'

export function issuesOf(parsed: ParsedConfig): ConfigIssue[] {
  return [
    ...secretIssues(parsed),
    ...schemaIssues(parsed),
    ...templateIssues(parsed),
    ...relyingPartyIssues(parsed),
    ...providerIssues(parsed),
  ]
}

/** Secrets copied from documentation are public. */
const SAMPLE = /change.?me|insecure|not.?secure|example|test_only/i

/** SEC-55. */
function secretIssues({ dev, secrets }: ParsedConfig): ConfigIssue[] {
  if (dev) return []
  if (secrets.default.length === 0) {
    return [{ path: 'secrets.default', message: 'is missing. Set a random text of at least 32 characters' }]
  }
  return Object.entries(secrets).flatMap(([name, list]) =>
    list.flatMap((secret, index) => {
      const path = `secrets.${name}[${index}]`
      if (SAMPLE.test(secret))
        return [
          { path, message: 'sample value from documentation. Set a random text of at least 32 characters' },
        ]
      if (Buffer.byteLength(secret) >= 32) return []
      return [{ path, message: 'expected at least 32 characters (16 in dev mode)' }]
    }),
  )
}

function schemaIssues({ identity }: ParsedConfig): ConfigIssue[] {
  const ids = identity.schemas.map(({ id }) => id)
  const issues = identity.schemas.flatMap(({ schema }, index) =>
    schema === undefined
      ? [
          {
            path: `identity.schemas[${index}].url`,
            message: 'schema not loaded. Pass the configuration through resolveSources first',
          },
        ]
      : [],
  )
  if (ids.includes(identity.default_schema_id)) return issues
  const message = `unknown schema ${identity.default_schema_id}. Name one of ${ids.join(', ')}`
  return [...issues, { path: 'identity.default_schema_id', message }]
}

function templateIssues({ session }: ParsedConfig): ConfigIssue[] {
  return Object.entries(session.whoami.tokenizer.templates).flatMap(([name, template]) => {
    const path = `session.whoami.tokenizer.templates.${name}`
    const issues: ConfigIssue[] = []
    if (template.jwks_url !== undefined && template.jwks === undefined) {
      issues.push({
        path: `${path}.jwks_url`,
        message: 'key set not loaded. Pass the configuration through resolveSources first',
      })
    }
    if (template.claims_mapper_url !== undefined && template.claims_mapper === undefined) {
      issues.push({
        path: `${path}.claims_mapper_url`,
        message: 'module not loaded. Pass the configuration through resolveSources first',
      })
    }
    return issues
  })
}

/** Not guessed: keys are bound to it permanently. */
function relyingPartyIssues({ selfservice }: ParsedConfig): ConfigIssue[] {
  return (['webauthn', 'passkey'] as const).flatMap((name) => {
    const { enabled, config } = selfservice.methods[name]
    if (!enabled || config.rp) return []
    const message = 'is missing. Set display_name and id, the host name that the keys are for'
    return [{ path: `selfservice.methods.${name}.config.rp`, message }]
  })
}

function providerIssues({ dev, selfservice }: ParsedConfig): ConfigIssue[] {
  const { enabled, config } = selfservice.methods.oidc
  if (!enabled) return []
  const ids = config.providers.map(({ id }) => id)
  return config.providers.flatMap((one, index) => {
    const path = `selfservice.methods.oidc.config.providers[${index}]`
    const twice =
      ids.indexOf(one.id) === index ? [] : [`${one.id} is used twice. Give each provider its own id`]
    return [
      ...twice.map((message) => ({ path: `${path}.id`, message })),
      ...missingKeys(one).map((name) => ({ path: `${path}.${name}`, message: 'is missing' })),
      ...(dev ? [] : devOnlyIssues(one).map(([name, message]) => ({ path: `${path}.${name}`, message }))),
    ]
  })
}

function missingKeys(one: ParsedProvider): string[] {
  const needed = (REQUIRED[one.provider] ?? []).filter((name) => one[name] === undefined)
  return [...needed, ...(one.mapper === undefined ? ['mapper_url'] : [])]
}

const REQUIRED: Readonly<Partial<Record<ParsedProvider['provider'], readonly (keyof ParsedProvider)[]>>> = {
  generic: ['issuer_url'],
  auth0: ['issuer_url'],
  salesforce: ['issuer_url'],
  dingtalk: ['client_secret'],
  facebook: ['client_secret'],
  x: ['client_secret'],
  microsoft: ['microsoft_tenant'],
  apple: ['apple_team_id', 'apple_private_key_id', 'apple_private_key'],
}

const ADDRESSES = ['issuer_url', 'auth_url', 'token_url'] as const

function devOnlyIssues(one: ParsedProvider): [string, string][] {
  const plain = ADDRESSES.filter((name) => one[name]?.startsWith('http:')).map((name): [string, string] => [
    name,
    'expected https:// (http is for dev mode only)',
  ])
  const test = one.provider === 'fedcm-test'
  return test ? [...plain, ['provider', 'fedcm-test accepts any user. Use it in dev mode only']] : plain
}
