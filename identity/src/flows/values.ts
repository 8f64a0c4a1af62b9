import type { Submission } from '../contract.ts'
import type { Flow } from '../storage/flows.ts'
import type { Json } from '../wire/identity.ts'

/**
 * What was typed, by the name of its field, so that a form can show it again. Only fields that the form has; no
 * passwords, codes or tokens.
 */
export function typedValues(flow: Flow, values: Submission['values']): Record<string, Json> {
  const typed: Record<string, Json> = {}
  for (const node of flow.ui.nodes ?? []) {
    if (node.type !== 'input' || SECRET.has(node.attributes.name) || UNTYPED.has(node.attributes.type)) continue
    const value = valueAt(values, node.attributes.name)
    if (value !== undefined) typed[node.attributes.name] = shown(value)
  }
  return typed
}

const SECRET = new Set(['csrf_token', 'password', 'code', 'totp_code', 'lookup_secret'])
const UNTYPED = new Set(['password', 'submit', 'button'])

/** `traits.email` stands as that member in a form's body and nested in a script's. */
function valueAt(values: Submission['values'], name: string): unknown {
  if (Object.hasOwn(values, name)) return values[name]
  let found: unknown = values
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = (found as Record<string, unknown>)[part]
  }
  return found
}

function shown(value: unknown): Json {
  if (value === null) return ''
  if (typeof value === 'string' || typeof value === 'boolean') return value
  return typeof value === 'number' ? String(value) : JSON.stringify(value)
}
