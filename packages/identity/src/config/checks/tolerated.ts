import type { z } from 'zod'
import { pathOf } from './config-error.ts'

/** Where Ory Kratos accepts any key. */
const OPEN =
  /^(security(\..*)?|clients(\..*)?|session\.whoami\.tokenizer|selfservice\.methods\.code|ciphers)$/

/** Removes unknown keys from `input` where Ory Kratos does not check them, and returns a warning for each. */
export function dropTolerated(input: unknown, error: z.ZodError): string[] {
  return error.issues.flatMap((issue) => {
    if (issue.code !== 'unrecognized_keys' || !OPEN.test(pathOf(issue.path))) return []
    const node = issue.path.reduce<unknown>((node, step) => (node as Node)[step], input) as Node
    return issue.keys.map((key) => {
      delete node[key]
      return `${pathOf([...issue.path, key])}: unknown key, ignored`
    })
  })
}

type Node = Record<PropertyKey, unknown>
