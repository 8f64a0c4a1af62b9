import type { Context, Submission } from '../../contract.ts'
import { FormError } from '../../errors.ts'
import { decodeTraits } from '../../identities/decode.ts'
import { flowSchema } from '../../identities/schema.ts'
import type { Flow } from '../../storage/flows.ts'
import { nodeName } from '../../ui/nodes.ts'
import type { Json } from '../../wire/identity.ts'
import type { InputNode } from '../../wire/node.ts'

type Values = Submission['values']

/**
 * What was typed, by the name of its field, so that a form can show it again. Only fields that the form has; no
 * passwords, codes or tokens.
 */
export function typedValues(ctx: Context, flow: Flow, values: Values): Record<string, Json> {
  const typed = bareFields(flow, values)
  const traits = readTraits(ctx, flow, values)
  Object.assign(typed, typedEntries(ctx, flow, traits))
  const orphanFields = flow.memo.orphanFields ?? []
  for (const node of flow.ui.nodes ?? []) {
    if (node.type !== 'input' || !isTyped(node) || orphanFields.includes(node.attributes.name)) continue
    const { name } = node.attributes
    const value = name.startsWith('traits.') ? scalar(at(traits, name)) : shown(at(values, name))
    if (value !== undefined) typed[name] = value
  }
  return typed
}

/** A list has as many fields as were sent, whatever the form had before. */
function typedEntries(ctx: Context, flow: Flow, traits: Values): Record<string, Json> {
  const lists = flowSchema(ctx.schemas, flow).leaves.filter(({ types }) => types.includes('array'))
  const entries = lists.flatMap(({ path }) => {
    const list = at(traits, path)
    const shownEntries = Array.isArray(list) ? list.map(scalar) : []
    return shownEntries.flatMap((entry, index) =>
      entry === undefined ? [] : [[`${path}.${index}`, entry] as const],
    )
  })
  return Object.fromEntries(entries)
}

/** Never shown again: secrets, and what says where the form shall go. */
const SECRET = new Set(['csrf_token', 'code', 'totp_code', 'lookup_secret', 'method', 'screen'])
const BARE = new Set(['totp_code', 'lookup_secret'])
const UNTYPED = new Set(['password', 'submit', 'button'])

/** Kratos compatibility: a field of a second factor is bare once its method was sent. */
function bareFields({ ui }: Flow, values: Values): Record<string, Json> {
  const own = (ui.nodes ?? []).filter(({ group }) => group === values.method).map(nodeName)
  return Object.fromEntries(own.filter((name) => BARE.has(name)).map((name) => [name, null]))
}

/** What an authenticator was asked and what it answered counts once: neither is shown again. */
function isTyped({ group, attributes: { name, type } }: InputNode): boolean {
  if (SECRET.has(name) || UNTYPED.has(type)) return false
  return type !== 'hidden' || (group !== 'passkey' && group !== 'webauthn')
}

/** Traits as the schema reads them; as they came where they cannot be read. */
function readTraits(ctx: Context, flow: Flow, values: Values): Values {
  try {
    return decodeTraits(flowSchema(ctx.schemas, flow), values)
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
