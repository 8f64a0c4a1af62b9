import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { ConfigError, messageOf, pathOf } from '@ostiary/identity/serving'
import { z } from 'zod'

/** Throws `ConfigError`. */
export function readVariables<T>(schema: z.ZodType<T>, environment: NodeJS.ProcessEnv): T {
  // Compiling a parser takes longer than using it once.
  const { data, error, success } = schema.safeParse(givenVariables(environment), { jitless: true })
  if (success) return data
  throw new ConfigError(error.issues.map(({ path, message }) => ({ path: pathOf(path), message })))
}

/**
 * Ignores empty variables (`VARIABLE=` in a compose file) and service links: Kubernetes writes
 * `ADMIN_PORT=tcp://10.0.0.1:80` next to a service called `admin`.
 */
export function givenVariables(environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const entries = Object.entries(environment).filter(
    (entry): entry is [string, string] => Boolean(entry[1]) && !SERVICE_LINK.test(entry[1] ?? ''),
  )
  return Object.fromEntries(entries)
}

/**
 * Reads `X` from the file that `X_FILE` names, as Docker, Kubernetes and systemd provide secrets. Returns an
 * issue for each file that cannot be used, with `mend` if another value would not help.
 */
export function withFiles(values: Readonly<Record<string, string>>, isSetting: (name: string) => boolean) {
  const variables: Record<string, string> = { ...values }
  const issues: { path: string; message: string; mend?: string }[] = []
  for (const [path, file] of Object.entries(values)) {
    const name = path.replace(/_FILE$/, '')
    if (name === path || !isSetting(name) || isSetting(path)) continue
    if (values[name] !== undefined) {
      issues.push({ path, message: `cannot be used: ${name} is set too`, mend: 'Remove one of them.' })
      continue
    }
    try {
      variables[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
      if (variables[name] === '') throw new Error(`${file} is empty`)
      delete variables[path]
    } catch (error) {
      issues.push({ path, message: `cannot be used: ${messageOf(error)}` })
    }
  }
  return { variables, issues }
}

const SERVICE_LINK = /^(tcp|udp|sctp):\/\//

export const NO_CREDENTIALS = 'must not contain a user name or password, which would appear in logs'

/** `fetch` refuses credentials in a URL with an error that quotes them (SEC-89). */
export function hasNoCredentials(url: string): boolean {
  const { username, password } = new URL(url)
  return username + password === ''
}

export const workersVariable = {
  WORKERS: z
    .string()
    .regex(/^([1-9]\d?|auto)$/, { error: 'must be a number from 1 to 99, or auto' })
    .transform((value) => (value === 'auto' ? availableParallelism() : Number(value)))
    .prefault('1')
    .describe(
      'processes that share the port; `auto` starts one per core ([details](operations.md#more-than-one-core))',
    ),
}
