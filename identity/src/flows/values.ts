import type { Context, Submission } from '../contract.ts'
import { FormError } from '../errors.ts'
import { decodeTraits } from '../identities/decode.ts'
import type { Flow } from '../storage/flows.ts'
import type { Json } from '../wire/identity.ts'

type Values = Submission['values']

/**
 * What was typed, by the name of its field, so that a form can show it again. Only fields that the form has; no
 * passwords, codes or tokens.
 */
export function typedValues(ctx: Context, flow: Flow, values: Values): Record<string, Json> {
  const typed: Record<string, Json> = {}
  const traits = readTraits(ctx, flow, values)
  const strays = flow.memo.strays ?? []
  for (const node of flow.ui.nodes ?? []) {
    if (node.type !== 'input') continue
    const { name, type } = node.attributes
    if (SECRET.has(name) || UNTYPED.has(type) || strays.includes(name)) continue
    const value = name.startsWith('traits.') ? scalar(at(traits, name)) : shown(at(values, name))
    if (value !== undefined) typed[name] = value
  }
  return typed
}

const SECRET = new Set(['csrf_token', 'code', 'totp_code', 'lookup_secret'])
const UNTYPED = new Set(['password', 'submit', 'button'])

/** Traits as the schema reads them; as they came where they cannot be read. */
function readTraits(ctx: Context, flow: Flow, values: Values): Values {
  try {
    return decodeTraits(ctx.schemas.find(flow.identity_schema ?? '') ?? ctx.schemas.default, values)
  } catch (error) {
    if (error instanceof FormError) return values
    throw error
  }
}

function at(values: Values, name: string): unknown {
  let found: unknown = values
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined
    found = (found as Record<string, unknown>)[part]
  }
  return found
}

function scalar(value: unknown): Json | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? value
    : undefined
}

/** A field of text, also where a script sent something else. */
function shown(value: unknown): Json | undefined {
  if (value === undefined) return undefined
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
