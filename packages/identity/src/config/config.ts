import { complete } from './checks/complete.ts'
import { ConfigError } from './checks/config-error.ts'
import { explain } from './checks/explain.ts'
import { dropNotSupported, dropTolerated } from './checks/ignored-keys.ts'
import { issuesOf } from './checks/issues.ts'
import { warningsOf } from './checks/warnings.ts'
import { configSchema } from './schema.ts'

/** Durations are in milliseconds, sizes in bytes. */
export type Config = Immutable<ReturnType<typeof complete>>

// Compiling a parser takes longer than parsing once.
const PARSING = { reportInput: true, jitless: true }

/** Requires loaded sources (`resolve-sources.ts`). Throws `ConfigError` with every problem. */
export function parseConfig(input: unknown): { config: Config; warnings: string[] } {
  const known = dropNotSupported(input)
  const first = configSchema.safeParse(known.input, PARSING)
  const tolerated = first.success ? [] : dropTolerated(known.input, first.error)
  const parsed = tolerated.length > 0 ? configSchema.safeParse(known.input, PARSING) : first
  if (!parsed.success) throw new ConfigError(explain(parsed.error, configSchema))
  const issues = issuesOf(parsed.data)
  if (issues.length > 0) throw new ConfigError(issues)
  const warnings = [...known.warnings, ...tolerated, ...warningsOf(parsed.data)]
  return { config: freeze(complete(parsed.data)), warnings }
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
