import type { z } from 'zod'
import { pathOf } from './config-error.ts'

/** Where Ory Kratos takes any key. */
const OPEN =
  /^(security(\..*)?|clients(\..*)?|session\.whoami\.tokenizer|selfservice\.methods\.code|ciphers)$/

/**
 * Takes out of `input` what nobody knows in places that Ory Kratos does not check, and says so for each. Without any
 * there is nothing to say.
 */
export function dropTolerated(input: unknown, error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys' || !OPEN.test(pathOf(issue.path))) return []
    const node = issue.path.reduce<unknown>((node, step) => (node as Node)[step], input) as Node
    return issue.keys.map((key) => {
      delete node[key]
      return `${pathOf([...issue.path, key])}: nobody knows this key, it is left out`
    })
  })
}

type Node = Record<PropertyKey, unknown>
