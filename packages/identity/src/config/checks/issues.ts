import { distance } from 'fastest-levenshtein'
import { z } from 'zod'
import type { ParsedProvider } from '../providers.ts'
import type { ParsedConfig } from '../schema.ts'
import { type ConfigIssue, pathOf } from './config-error.ts'
import { notSupportedPaths } from './ignored-keys.ts'

export function issuesOf(parsed: ParsedConfig): ConfigIssue[] {
  return [
    ...secretIssues(parsed),
    ...schemaIssues(parsed),
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
    schema === undefined ? [{ path: `identity.schemas[${index}].url`, message: 'is missing' }] : [],
  )
  if (ids.includes(identity.default_schema_id)) return issues
  const message = `unknown schema ${identity.default_schema_id}. Name one of ${ids.join(', ')}`
  return [...issues, { path: 'identity.default_schema_id', message }]
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

/** Quotes no values, which may be secrets. */
export function explain(error: z.ZodError, schema: z.ZodType): ConfigIssue[] {
  return error.issues.flatMap((issue) => {
    const path = pathOf(issue.path)
    if (path === '' && issue.code === 'invalid_type')
      return { path, message: 'expected an object with settings' }
    if (issue.code !== 'unrecognized_keys') return [{ path, message: describe(issue) }]
    return issue.keys.map((key) => ({
      path: pathOf([...issue.path, key]),
      message: `unknown key${suggestion(key, path, schema)}`,
    }))
  })
}

function describe(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined)
    return `is missing. Expected ${withArticle(issue.expected)}`
  if (issue.code === 'invalid_type') return `expected ${withArticle(issue.expected)}`
  if (issue.code === 'too_small') return `expected at least ${issue.minimum}${unitOf(issue.origin)}`
  if (issue.code === 'too_big') return `expected at most ${issue.maximum}${unitOf(issue.origin)}`
  if (issue.code === 'invalid_value')
    return `expected ${issue.values.map((value) => String(value)).join(', or ')}`
  return issue.message
}

function unitOf(origin: string): string {
  if (origin === 'array') return ' in the list'
  return origin === 'string' ? ' characters' : ''
}

function withArticle(type: string): string {
  if (type === 'int') return 'a whole number'
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}

/** The most similar sibling key, or the path where the key belongs. */
function suggestion(key: string, above: string, schema: z.ZodType): string {
  const knownPaths = [...pathsOf(schema, ''), ...notSupportedPaths]
  const siblings = knownPaths.filter((path) => isAt(parentOf(path), above) && lastOf(path) !== '*')
  const near = nearest(key, siblings)
  if (near !== undefined) return `. Did you mean ${above === '' ? '' : `${above}.`}${lastOf(near)}?`
  const elsewhere = knownPaths
    .filter((path) => lastOf(path) === key)
    .sort((one, other) => one.length - other.length)[0]
  if (elsewhere !== undefined) return `. Did you mean ${elsewhere}?`
  return siblings.length === 0 ? '' : `. Known keys: ${siblings.map(lastOf).join(', ')}`
}

function nearest(key: string, paths: readonly string[]): string | undefined {
  const [best] = paths
    .map((path) => ({ path, distance: distance(key.toLowerCase(), lastOf(path)) }))
    .sort((one, other) => one.distance - other.distance)
  return best && best.distance <= Math.max(2, key.length / 3) ? best.path : undefined
}

/** `*` is any name or index. */
function isAt(knownPath: string, path: string): boolean {
  const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.')
  const names = knownPath.split('.')
  return names.length === steps.length && names.every((name, index) => name === '*' || name === steps[index])
}

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)
const parentOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('.')))

/** `*` stands for a list index or a free name. */
function pathsOf(schema: unknown, above: string): string[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, member]) => {
      const path = above === '' ? name : `${above}.${name}`
      return [path, ...pathsOf(member, path)]
    })
  }
  if (schema instanceof z.ZodArray) return pathsOf(schema.element, `${above}.*`)
  if (schema instanceof z.ZodRecord) return pathsOf(schema.valueType, `${above}.*`)
  if (schema instanceof z.ZodPipe) return pathsOf(schema.in, above)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) {
    return pathsOf(schema.unwrap(), above)
  }
  return []
}
