import type { z } from 'zod'
import { ConfigError, pathOf } from './config-error.ts'

/** Parses settings that are variables of the environment. Throws `ConfigError`. */
export function readVariables<T>(schema: z.ZodType<T>, environment: NodeJS.ProcessEnv): T {
  // `VARIABLE=` in a compose file means "not set".
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  // As in `parseConfig`: read once.
  const { data, error, success } = schema.safeParse(given, { jitless: true })
  if (success) return data
  throw new ConfigError(error.issues.map(({ path, message }) => ({ path: pathOf(path), message })))
}
