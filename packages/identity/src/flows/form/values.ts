import type { Context, Submission } from '../../contract/contract.ts'
import { FormError } from '../../errors/errors.ts'
import { decodeTraits } from '../../identities/schema/decode.ts'
import { flowSchema } from '../../identities/schema/schema.ts'
import type { Flow } from '../../storage/flows/flows.ts'
import { isTypedText, nodeName } from '../../ui/nodes.ts'
import type { Json } from '../../wire/identity.ts'
import type { InputNode } from '../../wire/node.ts'

type Values = Submission['values']

/** In characters, more than any honest form needs. */
const KEPT = 8_192

/**
 * Merges new values over earlier ones. Submitting is free for clients, so values beyond the limit are dropped (FLT-23).
 */
export function keptValues(
  before: Readonly<Record<string, Json>> | undefined,
  next: Readonly<Record<string, Json>>,
): Record<string, Json> {
  let left = KEPT
  // Newest first, because the user sees these.
  const all = { ...next, ...before, ...next }
  const kept = Object.entries(all).filter(([name, value]) => {
    const size = name.length + JSON.stringify(value).length
    if (size > left) return false
    left -= size
    return true
  })
  return Object.fromEntries(kept)
}

/** Form fields to show again, without passwords, codes or tokens. */
export function typedValues(ctx: Context, flow: Flow, values: Values): Record<string, Json> {
  const typed = clearedFields(ctx, flow, values)
  const sent = coerced(ctx, flow, values)
  Object.assign(typed, typedEntries(ctx, flow, sent))
  const orphanFields = flow.memo.orphanFields ?? []
  for (const node of flow.ui.nodes ?? []) {
    if (node.type !== 'input' || !isTyped(ctx, node) || orphanFields.includes(node.attributes.name)) continue
    const { name } = node.attributes
    const value = name.startsWith('traits.') ? scalar(at(sent, name)) : shown(at(values, name))
    if (value !== undefined) typed[name] = value
  }
  return typed
}

/** Lists get as many fields as were submitted. */
function typedEntries(ctx: Context, flow: Flow, sent: Values): Record<string, Json> {
  const lists = flowSchema(ctx.schemas, flow).leaves.filter(({ types }) => types.includes('array'))
  const entries = lists.flatMap(({ path }) => {
    const list = at(sent, path)
    const shownEntries = Array.isArray(list) ? list.map(scalar) : []
    return shownEntries.flatMap((entry, index) =>
      entry === undefined ? [] : [[`${path}.${index}`, entry] as const],
    )
  })
  return Object.fromEntries(entries)
}

/** Routing fields are never shown again. Strategies name their secrets. */
const ROUTING = new Set(['csrf_token', 'method', 'screen'])

/** Kratos compatibility: a second factor's field keeps no value after its method was submitted. */
function clearedFields({ strategies }: Context, { ui }: Flow, values: Values): Record<string, Json> {
  const { secretFields = [] } = strategies.find(({ group }) => group === values.method) ?? {}
  const drawn = new Set(ui.nodes?.map(nodeName))
  const cleared = secretFields.filter(({ name, cleared }) => cleared && drawn.has(name))
  return Object.fromEntries(cleared.map(({ name }) => [name, null]))
}

function isTyped({ strategies }: Context, { group, attributes: { name, type } }: InputNode): boolean {
  if (ROUTING.has(name) || !isTypedText(type)) return false
  if (strategies.some(({ secretFields = [] }) => secretFields.some((field) => field.name === name)))
    return false
  return type !== 'hidden' || !strategies.some((one) => one.group === group && one.singleUseInputs)
}

/** Coerces traits by the schema, or returns the values unchanged if that fails. */
function coerced(ctx: Context, flow: Flow, values: Values): Values {
  try {
    return { traits: decodeTraits(flowSchema(ctx.schemas, flow), values) }
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

/** Converts other types from scripts to text. */
function shown(value: unknown): Json | undefined {
  if (value === undefined) return undefined
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
