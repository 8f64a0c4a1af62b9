import { valueAt } from '../input/json.ts'
import { completeConfig } from './checks/complete.ts'
import { ConfigError, type ConfigIssue } from './checks/config-error.ts'
import { dropNotSupported, dropTolerated, type IgnoredKey, withoutInvalid } from './checks/ignored-keys.ts'
import { explain, issuesOf } from './checks/issues.ts'
import { warningsOf } from './checks/warnings.ts'
import { configSchema, type ParsedConfig } from './schema.ts'

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

interface InspectedConfig {
  /** Absent if too little of it is valid. */
  readonly parsed: ParsedConfig | undefined
  readonly issues: readonly ConfigIssue[]
  readonly ignored: readonly IgnoredKey[]
  /** Warnings about keys that Ory Kratos ignores too. */
  readonly tolerated: readonly string[]
}

export function inspectConfig(input: unknown): InspectedConfig {
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

export function withoutRestart(
  current: Config,
  newConfig: Config,
): { readonly config: Config; readonly pending: readonly string[] } {
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
